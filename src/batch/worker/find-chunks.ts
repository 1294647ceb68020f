import type { Hold } from '../../lib/hold.js';
import { Latch } from '../../lib/latch.js';
import { Semaphore } from '../../lib/semaphore.js';
import type { FinderSearchService, Finding } from '../../finder/finder.service.js';
import { domainTextOf, notSearched, readPersonRow } from '../../finder/person.js';
import { AppError } from '../../platform/errors/app-error.js';
import { NOTHING_VERIFIED } from '../../engine/types.js';
import type { RetryWindow } from '../model/retry-window.js';
import { PeopleEncoder, type FoundResult } from '../model/result-codec.js';
import type { ChunkResults } from './leased-chunk.js';
import type { UnitProgress } from './unit-progress.js';
import { ChunkInWork, retriedReason, type WorkUnit } from './verify-chunks.js';

/** Searches of a unit at once: they mostly wait for mail hosts, which have limits of their own. */
const SEARCH_CONCURRENCY = 40;
/** Budget of one search, which may wait for its turn at a mail host that many people of the batch share. */
const BUDGET_MS = 120_000;

interface FindContext {
  readonly searches: FinderSearchService;
  readonly now: () => number;
  /** Credits that a finding costs. */
  readonly priceOf: (finding: Finding) => number;
  readonly window: RetryWindow;
  readonly signal: AbortSignal;
  readonly progress: UnitProgress;
  readonly hold: Hold;
}

/**
 * Searches for the people of a unit, and yields each chunk's results as soon as its last person has one. A consumer that stops
 * reading, a search that fails and the signal keep further searches from beginning; searches under way end by themselves.
 */
export async function* findChunks(
  { batch, chunks }: WorkUnit,
  context: FindContext,
): AsyncGenerator<ChunkResults, void> {
  const { signal, priceOf, progress, hold } = context;
  // A list of people is short: all its chunks count as begun, so that none is given back.
  for (const chunk of chunks) progress.begin(chunk);
  const complete: ChunkInWork[] = [];
  const changed = new Latch();
  const failures: unknown[] = [];
  const ended = new AbortController();

  async function searchAll(stop: AbortSignal): Promise<void> {
    const permits = new Semaphore(SEARCH_CONCURRENCY);
    for (const one of chunks.map((chunk) => new ChunkInWork(chunk, new PeopleEncoder())))
      for (const offset of one.chunk.offsets) {
        const permit = await permits.acquire(stop);
        await hold.untilFree(stop);
        stop.throwIfAborted();
        if (progress.hasLost(one.chunk) && !progress.begin(one.chunk)) {
          permit.release();
          changed.notify();
          continue;
        }
        void settle(one, offset)
          .catch(fail)
          .finally(() => permit.release());
      }
  }

  async function settle(one: ChunkInWork, offset: number): Promise<void> {
    const startedAt = performance.now();
    const { finding, domain } = await find(one.chunk.items[offset]!);
    progress.settle();
    const { verdict, verification: last } = finding;
    const retried = last && retriedReason(batch, one.chunk, { verdict, reason: last.reason }, context.window);
    if (retried !== null) one.retry({ offset, reason: retried, source: null });
    else {
      const latencyMs = Math.round(performance.now() - startedAt);
      const verification = { ...(finding.verification ?? NOTHING_VERIFIED), verdict: finding.verdict };
      const creditsCharged = priceOf(finding);
      one.settle({ offset, verification, creditsCharged, latencyMs, found: { finding, domain } } satisfies FoundResult);
    }
    if (!one.isComplete) return;
    complete.push(one);
    changed.notify();
  }

  async function find(text: string): Promise<{ finding: Finding; domain: string }> {
    const person = readPersonRow(text);
    if (person === null) return { finding: notSearched('domain_unreadable'), domain: domainTextOf(text) };
    try {
      context.searches.check(batch, person);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'public_mail_domain') throw error;
      return { finding: notSearched('public_mail_domain'), domain: person.domain };
    }
    return { finding: await context.searches.search(batch, person, BUDGET_MS, batch.accountId), domain: person.domain };
  }

  function fail(error: unknown): void {
    failures.push(error);
    ended.abort();
    changed.notify();
  }

  /** Chunks that have not been yielded, and may be. */
  const left = new Set(chunks);
  const isOver = (): boolean => [...left].every((chunk) => progress.hasLost(chunk));
  signal.addEventListener('abort', () => changed.notify(), { once: true });
  void searchAll(AbortSignal.any([signal, ended.signal])).catch(fail);
  const unlisten = hold.listen(() => changed.notify());
  try {
    for (;;) {
      await changed.until(() => complete.length > 0 || failures.length > 0 || signal.aborted || isOver());
      signal.throwIfAborted();
      if (failures.length > 0) throw failures[0];
      const one = complete.shift();
      if (one === undefined) return;
      left.delete(one.chunk);
      yield one.finish(context);
    }
  } finally {
    unlisten();
    ended.abort();
  }
}
