import { AppError } from '../platform/errors/app-error.js';
import type { FinderSearchService, Finding } from '../finder/finder-search.service.js';
import { readPersonRow } from '../finder/person-row.js';
import { isTriedAgain, type Load, OpenChunk } from './batch-work-load.js';
import type { ChunkRound } from './chunk-work.service.js';
import { FoundEncoder, type FoundResult, NOTHING_VERIFIED } from './found-results.js';

/** People searched for at once in a load: most of the time goes by waiting for mail hosts, which have their own caps. */
const AT_ONCE = 40;
/** Of one search; it may wait for its turn at a mail host that many people of the batch share. */
const BUDGET_MS = 120_000;

export interface FindContext {
  readonly searches: FinderSearchService;
  readonly now: () => number;
  /** Credits that an answer costs. */
  readonly priceOf: (finding: Finding) => number;
  readonly retryWindowSeconds: number;
  readonly signal: AbortSignal;
}

/** Searches for the people of a load, and gives the round of each chunk as soon as the last of them is answered. */
export async function* findLoad({ batch, chunks }: Load, context: FindContext): AsyncGenerator<ChunkRound, void> {
  const { signal, priceOf } = context;
  const open = chunks.map((chunk) => new OpenChunk(chunk, new FoundEncoder()));
  const places = open.flatMap((one) => one.chunk.offsets.map((offset) => ({ one, offset })));
  const answered: OpenChunk[] = [];
  let wake = () => {};
  let failure: unknown = null;
  let isOver = false;

  async function answer(one: OpenChunk, offset: number): Promise<void> {
    const startedAt = performance.now();
    const { finding, domain } = await find(one.chunk.emails[offset]!);
    const retryAfter = finding.verification?.retryAfterSeconds ?? null;
    if (finding.verdict === 'unknown' && retryAfter !== null && isTriedAgain(batch, one.chunk)) one.tryLater(offset);
    else {
      const latencyMs = Math.round(performance.now() - startedAt);
      const verification = { ...(finding.verification ?? NOTHING_VERIFIED), verdict: finding.verdict };
      const creditsCharged = priceOf(finding);
      one.settle({ offset, verification, creditsCharged, latencyMs, found: { finding, domain } } satisfies FoundResult);
    }
    if (one.isAnswered) answered.push(one);
    wake();
  }

  async function find(text: string): Promise<{ finding: Finding; domain: string }> {
    const person = readPersonRow(text);
    if (person === null)
      return { finding: unsearched('domain_unreadable'), domain: text.slice(text.indexOf(']@') + 2) };
    try {
      context.searches.check(batch, person);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'public_mail_domain') throw error;
      return { finding: unsearched('public_mail_domain'), domain: person.domain };
    }
    return { finding: await context.searches.search(batch, person, BUDGET_MS), domain: person.domain };
  }

  const next = places.values();
  const work = async () => {
    for (const { one, offset } of next) {
      if (signal.aborted || isOver || failure !== null) return;
      await answer(one, offset);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      failure = error;
      wake();
    }),
  );
  let left = open.length;
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (left > 0) {
      signal.throwIfAborted();
      if (failure !== null) throw failure;
      const one = answered.shift();
      if (one === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      left -= 1;
      yield one.round(context);
    }
    await Promise.all(workers);
  } finally {
    // Whoever stops reading stops the searches that have not begun.
    isOver = true;
  }
}

/** A row that cannot be searched for: the others are not to blame. */
function unsearched(reason: Finding['reason']): Finding {
  return {
    email: null,
    pattern: null,
    verdict: 'invalid',
    reason,
    confidence: 1,
    verification: null,
    alternatives: [],
    tried: [],
    knownAddresses: 0,
    knownOfPattern: 0,
  };
}
