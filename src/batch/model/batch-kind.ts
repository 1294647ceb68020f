import type { Outcome } from '../../credits/prices.js';
import { isPlainAddress, parseAddress } from '../../engine/syntax/address.js';
import { snakeRow } from '../../lib/snake-case.js';
import { NOTHING_VERIFIED } from '../../engine/types.js';
import { domainTextOf, notSearched, readPersonRow } from '../../finder/person.js';
import type { Principal } from '../../keys/access/principal.js';
import type { EngineSelector } from '../../verify/engine-selector.js';
import { type Batch, type BatchKindName, estimatedEnd, processedOf, type WaitingItems } from './batch.js';
import type { ChunkResult, PassDecoder } from './chunk-result.js';
import { PeopleDecoder, ResultDecoder } from './result-codec.js';

/** The differences between batches of addresses and batches of people, except for routes, bodies and the work itself. */
export interface BatchKind {
  /** Name of the kind in the database, in the credit prices and in the audit log. */
  readonly name: BatchKindName;
  /** Name of the rows in messages and in members of replies, such as `total_emails`. */
  readonly items: 'emails' | 'people';
  /** Whether its results say if an address is suppressed, for accounts that want to know. */
  readonly reportsSuppressed: boolean;
  /** A result that has all members, for the header of a file. */
  readonly sample: ChunkResult;
  /** The most rows of one batch. */
  maxRows(policy: Principal['policy']): number;
  /** @throws AppError the refusal that a test key asks for by an item's name */
  checkRefusals(engines: EngineSelector, principal: Principal, items: readonly string[]): void;
  /** What a row says whose item waits for its answer. */
  readonly pending: (item: string, offset: number) => ChunkResult;
  /** Whether the item can have no answer but one of syntax. */
  isMalformed(item: string): boolean;
  /** What such an item is charged as. */
  readonly malformedOutcome: Outcome;
  /** @throws Error when another release of the service packed the results */
  decode(packed: string, items: readonly string[]): PassDecoder;
}

export const MAX_PEOPLE = 10_000;

const SAMPLE: ChunkResult = { offset: 0, verification: NOTHING_VERIFIED, creditsCharged: 0, latencyMs: 0 };

export const ADDRESSES: BatchKind = {
  name: 'verify',
  items: 'emails',
  reportsSuppressed: true,
  sample: SAMPLE,
  maxRows: ({ batchSize }) => batchSize,
  checkRefusals: (engines, principal, emails) => engines.checkRefusals(principal, emails),
  pending: (email, offset) => ({ ...SAMPLE, offset, isPending: true, verification: { ...NOTHING_VERIFIED, email } }),
  isMalformed: (email) => !isPlainAddress(email) && !parseAddress(email).ok,
  malformedOutcome: 'malformed',
  decode: (packed, emails) => new ResultDecoder(packed, emails),
};

export const PEOPLE: BatchKind = {
  name: 'find',
  items: 'people',
  reportsSuppressed: false,
  sample: { ...SAMPLE, found: { domain: '', finding: notSearched('domain_unreadable') } },
  maxRows: () => MAX_PEOPLE,
  checkRefusals: (engines, principal, people) => {
    for (const person of people.map(readPersonRow)) if (person !== null) engines.checkSearchRefusal(principal, person);
  },
  pending: (person, offset) => ({
    ...SAMPLE,
    offset,
    isPending: true,
    found: { domain: domainTextOf(person), finding: notSearched('domain_unreadable') },
  }),
  isMalformed: (person) => readPersonRow(person) === null,
  malformedOutcome: 'not_found',
  decode: (packed) => new PeopleDecoder(packed),
};

const KINDS: Readonly<Record<BatchKindName, BatchKind>> = { verify: ADDRESSES, find: PEOPLE };

export function kindOf({ kind }: { readonly kind: BatchKindName }): BatchKind {
  return KINDS[kind];
}

/**
 * The body of `GET …/{id}` (docs/batches.md#status).
 * @param quote of a held batch
 */
export function batchStatus(batch: Batch, now: number, quote: object | null = null): object {
  const { items } = kindOf(batch);
  const { creditsReserved, creditsCharged, reused, createdAt, startedAt, finishedAt: completedAt } = batch;
  const { waiting, expiresAt, retentionDays } = batch;
  const processed = processedOf(batch);
  return {
    id: batch.id,
    status: batch.state,
    name: batch.name,
    list_id: batch.listId,
    [`total_${items}`]: batch.totalRows,
    [`unique_${items}`]: batch.uniqueAddresses,
    processed,
    progress: batch.totalRows === 0 ? 0 : Math.floor((processed / batch.totalRows) * 10_000) / 10_000,
    counts: batch.counts,
    quote,
    waiting: waiting && waitingBody(waiting),
    ...snakeRow({ creditsReserved, creditsCharged, reused, createdAt, startedAt, completedAt }),
    ...snakeRow({ estimatedCompletionAt: estimatedEnd(batch, now), expiresAt, retentionDays }),
  };
}

function waitingBody({ count, nextTryAt, until, reasons }: WaitingItems): object {
  return snakeRow({ count, nextTryAt, until, reasons });
}
