import type { MailWorlds } from '../verify/mail-worlds.js';
import type { TakenChunk } from './batch-chunks.store.js';
import type { Batch } from './batch.lifecycle.js';
import type { ChunkRound } from './chunk-work.service.js';

/** Later tries of a soft answer. */
const LATER_TRIES = 3;
/** When each begins after the one before, as parts of the retry window: greylisting ends after 1 to 10 minutes. */
const PAUSES = [1 / 6, 1 / 3, 1 / 2] as const;

type Engine = ReturnType<MailWorlds['engineOf']>;

export interface Load {
  readonly batch: Batch;
  readonly chunks: readonly TakenChunk[];
}

export interface LoadContext {
  readonly engine: Engine;
  readonly now: () => number;
  readonly retryWindowSeconds: number;
  readonly signal: AbortSignal;
}

interface OpenChunk {
  readonly chunk: TakenChunk;
  readonly answers: ChunkRound['answers'][number][];
  readonly soft: number[];
}

/**
 * Verifies the chunks of a load together, so that addresses of one mail host share its connections, and gives the round of each
 * chunk as soon as its last address is answered.
 */
export async function* verifyLoad({ batch, chunks }: Load, context: LoadContext): AsyncGenerator<ChunkRound, void> {
  const { engine, now, signal } = context;
  const startedAt = now();
  const open = chunks.map((chunk): OpenChunk => ({ chunk, answers: [], soft: [] }));
  const places = open.flatMap((one) => one.chunk.offsets.map((offset) => ({ one, offset })));
  const emails = places.map(({ one, offset }) => one.chunk.emails[offset]!);
  for await (const { index, verification } of engine.verifyMany(emails, { signal })) {
    const { one, offset } = places[index]!;
    if (verification.retryAfterSeconds !== null && isTriedAgain(batch, one.chunk)) one.soft.push(offset);
    else one.answers.push({ offset, verification, latencyMs: Math.max(0, verification.checkedAt - startedAt) });
    if (one.answers.length + one.soft.length === one.chunk.offsets.length) yield roundOf(one, context);
  }
}

/** The simulated world answers the same however late it is asked. */
function isTriedAgain({ simulated }: Batch, { round }: TakenChunk): boolean {
  return !simulated && round < LATER_TRIES;
}

function roundOf({ chunk, answers, soft }: OpenChunk, { now, retryWindowSeconds }: LoadContext): ChunkRound {
  answers.sort((a, b) => a.offset - b.offset);
  if (soft.length === 0) return { chunk, answers, later: null };
  const pauseMs = retryWindowSeconds * 1000 * PAUSES[chunk.round]!;
  const offsets = soft.sort((a, b) => a - b);
  return { chunk, answers, later: { dueAt: new Date(now() + pauseMs), offsets } };
}
