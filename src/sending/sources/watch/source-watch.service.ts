import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EGRESS_SOURCES } from '../../egress/egress.module.js';
import type { EgressSources } from '../../egress/egress-sources.js';
import type { EgressSource } from '../../../engine/ports.js';
import { CLOCK, type WallClock } from '../../../platform/clock.js';
import { type SeenSource, SourceReportsService } from './source-reports.service.js';
import { type ListsAnswer, queryBlockLists } from './block-lists.js';
import { checkIdentity, type Finding } from './identity-checks.js';
import type { Outside } from './outside.js';
import { decideRest } from './rest-decision.js';
import { type WatchedState, WatchStore } from './watch.store.js';

/** A source that changes again so soon is looked at in the next round. */
const AGAIN_AFTER_MS = 60_000;

/** Nest token of the `Outside`. */
export const OUTSIDE = Symbol('OUTSIDE');

/** Looks at our own sending addresses as mail hosts do. */
@Injectable()
export class SourceWatch {
  private readonly logger = new Logger(SourceWatch.name);

  constructor(
    private readonly database: DataSource,
    private readonly store: WatchStore,
    private readonly reports: SourceReportsService,
    @Inject(EGRESS_SOURCES) private readonly sources: EgressSources,
    @Inject(OUTSIDE) private readonly outside: Outside,
    @Inject(CLOCK) private readonly clock: WallClock,
  ) {}

  /** What is known, by the names of the sources; those never looked at are left out. */
  known(): Promise<ReadonlyMap<string, WatchedState>> {
    return this.store.all();
  }

  /** Looks at all sources of the configuration, one after the other. */
  async lookAtAll(): Promise<void> {
    await this.store.forgetOthers(this.sources.all.map(({ name }) => name));
    for (const source of this.sources.all) await this.lookAt(source);
  }

  /** Looks at those that no process has looked at as they are now. @returns their names */
  async lookAtNew(): Promise<readonly string[]> {
    const now = this.clock.now();
    const known = this.sources.all.map((source) => ({ source: source.name, identity: identityOf(source) }));
    const taken = await this.store.takeNew(known, new Date(now), new Date(now - AGAIN_AFTER_MS));
    for (const source of this.sources.all) if (taken.includes(source.name)) await this.lookAt(source);
    return taken;
  }

  /** What mail hosts know the sources by that are configured now. */
  get identities(): string {
    return this.sources.all.map(identityOf).join('\n');
  }

  async lookAt(source: EgressSource): Promise<void> {
    const { addresses, findings } = await checkIdentity(source, this.outside.dns);
    const looked = await queryBlockLists(addresses, this.outside.lists, this.outside.dns);
    const reports = await this.reports.list(new Date(this.clock.now()));
    const port25 = port25Finding(reports.filter((report) => report.source === source.name));
    await this.keep(source.name, [...findings, port25, listsFinding(addresses, looked)], looked);
  }

  private async keep(source: string, findings: readonly Finding[], looked: ListsAnswer): Promise<void> {
    const now = new Date(this.clock.now());
    const listedOn = [...new Set(looked.listings.filter(({ isHarmful }) => isHarmful).map(({ list }) => list))];
    const { news, rest } = await this.database.transaction(async (tx) => {
      const names = this.sources.all.map(({ name }) => name);
      const before = await this.store.lock(tx, source, names);
      const isComplete = before.listedOn.every((list) => looked.answered.includes(list));
      const seen = { listedOn, isComplete, hasOther: before.hasOther };
      const decision = decideRest(before.rest, before.listedOn.length > 0, seen, now);
      await this.store.put(tx, source, { ...looked, findings, rest: decision.rest }, now);
      return decision;
    });
    // The first words are for those who are woken by a log: they stay as they are.
    if (news === 'listed')
      this.logger.error(
        `Egress source listed: ${source} on ${listedOn.join(', ')}; ${rest === null ? 'no other can take its place, so it goes on' : 'it rests until two checks find it clean'}.`,
      );
    if (news === 'delisted') this.logger.log(`Egress source clean: ${source} is on no block list any more, and asks.`);
  }
}

function port25Finding(reports: readonly SeenSource[]): Finding {
  const machines = (state: SeenSource['port25']) =>
    [...new Set(reports.filter(({ port25 }) => port25 === state).map(({ machine }) => machine))].join(', ');
  const [blocked, open] = [machines('blocked'), machines('open')];
  if (blocked !== '') return { check: 'port_25', state: 'fail', told: `no mail host answers ${blocked}` };
  if (open !== '') return { check: 'port_25', state: 'pass', told: `mail hosts answer ${open}` };
  return { check: 'port_25', state: 'unknown', told: 'no mail host was asked since a process with it was started' };
}

function listsFinding(addresses: readonly string[], { listings, answered, silent }: ListsAnswer): Finding {
  const check = 'block_lists';
  if (addresses.length === 0) return { check, state: 'unknown', told: 'no public address of ours is known' };
  const found = listings.map(({ list, address, told }) => `${address} is on ${list}: ${told}`);
  const harmful = listings.some(({ isHarmful }) => isHarmful);
  const withIt = new Set(listings.map(({ list }) => list));
  const without = answered.filter((list) => !withIt.has(list));
  const clean = without.length > 0 ? [`not on ${without.join(', ')}`] : [];
  const unheard = silent.length > 0 ? [`no usable answer of ${silent.join(', ')}`] : [];
  const told = [...found, ...clean, ...unheard].join('; ');
  if (harmful) return { check, state: 'fail', told };
  return { check, state: answered.length > 0 ? 'pass' : 'unknown', told: told === '' ? 'no list may be asked' : told };
}

/** What mail hosts know a source by, as JSON. */
function identityOf({ name, address, socks5, helo, mailFrom }: EgressSource): string {
  return JSON.stringify([name, address, socks5 && `${socks5.host}:${socks5.port}`, helo, mailFrom]);
}
