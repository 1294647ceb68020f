import { stat } from 'node:fs/promises';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '../../lib/periodic.js';
import type { EgressSource, WarmUpTable } from '../../engine/ports.js';
import type { Timer } from '../../platform/clock.js';
import { egressFiles, type EgressSources, egressSources, type EgressVariables } from './egress-sources.js';

const EVERY_MS = 2_000;

/**
 * The sources of the configuration as they stand now: a changed `config/egress.json` is taken over while the service runs. Its time and size are
 * looked at again and again, because file watchers miss what happens on network and overlay file systems and in replaced directories.
 *
 * A file that the start would refuse, or that is gone, changes nothing, and one line of the log says why.
 */
export class ConfiguredSources implements EgressSources, OnModuleDestroy {
  private readonly logger = new Logger('Egress');
  private readonly looks: Periodic;
  private sources: EgressSources;
  private seen: string | null = null;
  private lastProblem = '';
  private follow: (sources: EgressSources) => void = () => {};
  /** A name of `EGRESS` that the file no longer has is a source that was taken out; one that it never had is a slip. */
  private readonly everNamed = new Set<string>();

  /** @throws ConfigurationError */
  constructor(
    private readonly env: EgressVariables,
    timer: Timer,
  ) {
    this.sources = egressSources(env);
    for (const { name } of this.sources.all) this.everNamed.add(name);
    this.looks = new Periodic(() => this.refreshIfChanged(), {
      everyMs: EVERY_MS,
      timer,
      onError: () => {}, // A look never rejects.
    });
  }

  get all(): readonly EgressSource[] {
    return this.sources.all;
  }

  get own(): readonly EgressSource[] {
    return this.sources.own;
  }

  get region(): string | null {
    return this.sources.region;
  }

  get warmUp(): WarmUpTable | undefined {
    return this.sources.warmUp;
  }

  /** Looks at the file from now on. @param follow called with what has changed */
  start(follow: (sources: EgressSources) => void): void {
    this.follow = follow;
    // What has changed between the start and now counts too.
    this.seen = null;
    this.looks.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looks.stop();
  }

  /** Looks at the file now; never rejects. */
  async refreshIfChanged(): Promise<void> {
    try {
      const files = egressFiles(this.env, this.sources);
      // The state is taken before the text: a file written in between differs at the next look.
      const state = await stateOf(files);
      if (state === this.seen) return;
      const next = egressSources(this.env, this.everNamed);
      if (next.warmUp === undefined && this.sources.warmUp !== undefined) throw new Error('the file is gone');
      // Another file with a password may have been named, whose state is not known yet.
      this.seen = egressFiles(this.env, next).join() === files.join() ? state : null;
      this.lastProblem = '';
      this.take(next);
    } catch (error) {
      const problem = (error as Error).message;
      if (problem !== this.lastProblem) this.logger.error(`Sources not taken over, those before stay: ${problem}`);
      this.lastProblem = problem;
    }
  }

  private take(next: EgressSources): void {
    const told = changesOf(this.sources, next);
    if (told === '') return;
    this.sources = next;
    for (const { name } of next.all) this.everNamed.add(name);
    this.follow(next);
    this.logger.log(`Sources of the changed file are in use: ${told}.`);
    const gone = this.env.egress.filter((name) => !next.all.some((source) => source.name === name));
    if (gone.length > 0)
      this.logger.warn(`EGRESS still names ${gone.join(', ')}: the next start refuses what the file does not have.`);
  }
}

async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map((path) =>
    stat(path).then(
      ({ mtimeMs, size, ino }) => `${path} ${mtimeMs} ${size} ${ino}`,
      () => `${path} is gone`,
    ),
  );
  return (await Promise.all(states)).join('\n');
}

/** Which sources differ, by name; empty: none does. */
function changesOf(before: EgressSources, after: EgressSources): string {
  const old = new Map(before.all.map((source) => [source.name, JSON.stringify(source)]));
  const now = new Map(after.all.map((source) => [source.name, JSON.stringify(source)]));
  const words = {
    added: [...now.keys()].filter((name) => !old.has(name)),
    changed: [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)),
    'taken out': [...old.keys()].filter((name) => !now.has(name)),
  };
  return [
    ...Object.entries(words).flatMap(([word, names]) => (names.length > 0 ? [`${word} ${names.join(', ')}`] : [])),
    ...(JSON.stringify(before.warmUp) === JSON.stringify(after.warmUp) ? [] : ['the table of warming up']),
  ].join('; ');
}
