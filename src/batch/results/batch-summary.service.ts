import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Semaphore } from '../../lib/semaphore.js';
import { ReadDatabase } from '../../platform/database/read-database.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type BatchKind, kindOf } from '../model/batch-kind.js';
import type { Batch, BatchKindName } from '../model/batch.js';
import { type RowFact, type Verdict, VERDICTS } from '../model/chunk-result.js';
import type { EndedMoment } from './results.store.js';

/** The domains and the mail operators that a summary names, those with the most rows first. */
export const MAX_NAMED = 20;

export type CountsByVerdict = Readonly<Record<Verdict, number>>;

interface ReasonCount {
  readonly reason: string;
  readonly verdict: Verdict;
  readonly rows: number;
}

interface DomainCounts extends CountsByVerdict {
  readonly domain: string;
  readonly rows: number;
}

interface ProviderCounts extends CountsByVerdict {
  /** Null: of no mail operator that the service knows by name. */
  readonly provider: string | null;
  readonly rows: number;
}

/** What the rows of a batch came to, without the rows. */
export interface BatchSummary {
  /** Rows that are answered. */
  readonly rows: number;
  readonly reasons: readonly ReasonCount[];
  readonly domains: readonly DomainCounts[];
  /** Different domains, those that are not named too. */
  readonly allDomains: number;
  readonly providers: readonly ProviderCounts[];
}

/** Counts rows by reason, domain and mail operator. A million domains are four numbers and a name each. */
class SummaryTally {
  private rows = 0;
  private readonly reasons = new Map<string, { readonly reason: string; readonly verdict: Verdict; rows: number }>();
  /** The place of a domain's four numbers in `byDomain`. */
  private readonly places = new Map<string, number>();
  private byDomain = new Uint32Array(4 * 1024);
  private readonly providers = new Map<string | null, Record<Verdict, number>>();

  /**
   * @param domain null: none
   * @param rows that have this answer: repeated ones count as often as they were sent
   */
  add({ verdict, reason, provider }: RowFact, domain: string | null, rows: number): void {
    this.rows += rows;
    // A search for a person may end with one reason in two verdicts.
    const key = `${reason} ${verdict}`;
    let known = this.reasons.get(key);
    if (known === undefined) this.reasons.set(key, (known = { reason, verdict, rows: 0 }));
    known.rows += rows;
    let counts = this.providers.get(provider);
    if (counts === undefined) this.providers.set(provider, (counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 }));
    counts[verdict] += rows;
    if (domain !== null) this.addDomain(domain, verdict, rows);
  }

  summary(): BatchSummary {
    const providers = [...this.providers].map(([provider, counts]) => ({ provider, rows: sumOf(counts), ...counts }));
    return {
      rows: this.rows,
      reasons: [...this.reasons.values()].sort(byRows(({ reason, verdict }) => `${reason} ${verdict}`)),
      domains: this.topDomains(),
      allDomains: this.places.size,
      providers: providers.sort(byRows(({ provider }) => provider ?? '')).slice(0, MAX_NAMED),
    };
  }

  private addDomain(domain: string, verdict: Verdict, rows: number): void {
    let place = this.places.get(domain);
    if (place === undefined) {
      place = this.places.size * VERDICTS.length;
      this.places.set(domain, place);
      if (place === this.byDomain.length) {
        const grown = new Uint32Array(place * 2);
        grown.set(this.byDomain);
        this.byDomain = grown;
      }
    }
    this.byDomain[place + VERDICTS.indexOf(verdict)]! += rows;
  }

  private topDomains(): DomainCounts[] {
    const top: DomainCounts[] = [];
    const order = byRows<DomainCounts>(({ domain }) => domain);
    for (const [domain, place] of this.places) {
      const counts = Object.fromEntries(VERDICTS.map((verdict, i) => [verdict, this.byDomain[place + i]!]));
      const one = { domain, rows: sumOf(counts as CountsByVerdict), ...(counts as CountsByVerdict) };
      if (top.length === MAX_NAMED && order(one, top.at(-1)!) > 0) continue;
      top.push(one);
      top.sort(order);
      top.splice(MAX_NAMED);
    }
    return top;
  }
}

function sumOf({ valid, invalid, risky, unknown }: CountsByVerdict): number {
  return valid + invalid + risky + unknown;
}

/** The most rows first; those with as many by name, so that two summaries of one batch are alike. */
function byRows<One extends { readonly rows: number }>(nameOf: (one: One) => string) {
  return (one: One, other: One): number => other.rows - one.rows || (nameOf(one) < nameOf(other) ? -1 : 1);
}

/** Rows from which on a summary takes long enough to be made before somebody asks; the index `batches_large` has the same number. */
const MIN_LARGE_ROWS = 10_000;

/** A chunk with all that its summary is made of. */
interface CountedChunk {
  readonly number: number;
  readonly items: string;
  /** Pairs: offset of an item that was sent more than once, and how many further rows it answers. */
  readonly duplicates: readonly number[];
  /** Packed results of one pass; null: the chunk has none. */
  readonly results: string | null;
}

/** Chunks in one statement: between two, others have their turn. */
const CHUNK_PAGE_SIZE = 8;
/** Summaries that a process makes at once: the domains of a large list are in memory meanwhile. */
const SUMMARY_CONCURRENCY = 2;
/** An erasure while a summary is made has it made again; so many in a row are let be. */
const MAX_TRIES = 3;

/** A batch that has ended. */
export type SummedBatch = Pick<Batch, 'id' | 'accountId' | 'kind'>;

/**
 * Tells what the results of an ended batch came to, and keeps it from then on: a large one is counted soon after its end
 * (`BatchSummarySweep`), any other when somebody asks first.
 */
@Injectable()
export class BatchSummaryService {
  private readonly making = new Semaphore(SUMMARY_CONCURRENCY);

  constructor(
    private readonly database: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  /**
   * @param signal gives up, and keeps nothing: rejects with its reason
   * @throws AppError `batch_not_found` when it was deleted meanwhile
   */
  async of(batch: SummedBatch, signal?: AbortSignal): Promise<BatchSummary> {
    // Accounts take turns, so that one with many large lists keeps the others waiting for one of them at most.
    const kept = await this.find(batch.id);
    return kept?.summary ?? (await this.making.run(() => this.make(batch, signal), batch.accountId));
  }

  private async make({ id, kind }: SummedBatch, signal: AbortSignal | undefined): Promise<BatchSummary> {
    let made: BatchSummary | null = null;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = await this.find(id);
      if (found === null) throw new AppError('batch_not_found');
      // Whoever waited for the same batch finds it made.
      if (found.summary !== null) return found.summary;
      made = await this.count(id, kindOf({ kind }), signal);
      if (await this.keep(id, found.moment, made)) return made;
    }
    return made!;
  }

  private async count(id: number, kind: BatchKind, signal: AbortSignal | undefined): Promise<BatchSummary> {
    const tally = new SummaryTally();
    for (let after = -1; ;) {
      signal?.throwIfAborted();
      const chunks = await this.chunks(id, after, CHUNK_PAGE_SIZE);
      if (chunks.length === 0) return tally.summary();
      for (const { items: text, duplicates, results } of chunks) {
        if (results === null) continue;
        const items = JSON.parse(text) as string[];
        const rows = new Uint32Array(items.length).fill(1);
        for (let i = 0; i < duplicates.length; i += 2) rows[duplicates[i]!]! += duplicates[i + 1]!;
        // No whole result is built: there may be a million.
        const pass = kind.decode(results, items);
        for (let offset = 0; offset < items.length; offset++) {
          const fact = pass.factAt(offset);
          if (fact !== null) tally.add(fact, pass.domainAt(offset), rows[offset]!);
        }
      }
      after = chunks.at(-1)!.number;
    }
  }

  /** @returns null when the batch has not ended or is gone; its summary is null when none is kept of its results as they are */
  private async find(id: number): Promise<{ moment: EndedMoment; summary: BatchSummary | null } | null> {
    const [row]: (EndedMoment & { summary: string | null })[] = await this.database.query(
      `SELECT batch.finished_at::text AS "finishedAt", batch.erasures, kept.summary
         FROM batches AS batch
         LEFT JOIN batch_summaries AS kept
           ON kept.batch_id = batch.id AND kept.finished_at = batch.finished_at AND kept.erasures = batch.erasures
        WHERE batch.id = $1 AND batch.finished_at IS NOT NULL`,
      [id],
    );
    if (row === undefined) return null;
    const { summary, ...moment } = row;
    return { moment, summary: summary === null ? null : (JSON.parse(summary) as BatchSummary) };
  }

  /** Large batches of addresses that have ended since then, no address was erased from, and nobody has counted. */
  uncounted(
    since: Date,
    except: readonly number[],
    limit: number,
  ): Promise<{ id: number; accountId: string; kind: BatchKindName }[]> {
    return this.database.query(
      `SELECT id, account_id AS "accountId", kind FROM batches AS batch
        WHERE finished_at >= $1 AND kind = 'verify' AND total_rows >= ${MIN_LARGE_ROWS} AND erasures = 0 AND id <> ALL ($2::bigint[])
          AND NOT EXISTS (SELECT FROM batch_summaries WHERE batch_id = batch.id AND finished_at = batch.finished_at)
        ORDER BY finished_at LIMIT $3`,
      [since, except, limit],
    );
  }

  /** The next chunks by number, a row for each pass over one. */
  private chunks(id: number, after: number, limit: number): Promise<CountedChunk[]> {
    return this.reads.query(
      `SELECT chunk.number, chunk.items, chunk.duplicates, pass.results
         FROM (SELECT * FROM batch_chunks WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT $3) AS chunk
         LEFT JOIN batch_results AS pass ON pass.batch_id = chunk.batch_id AND pass.chunk = chunk.number
        ORDER BY chunk.number, pass.pass`,
      [id, after, limit],
    );
  }

  /**
   * Keeps a summary until the batch is deleted or an address is erased from it. The lock waits for an erasure that has begun.
   * @returns false when the results are not those any more that it was made of
   */
  private async keep(id: number, { finishedAt, erasures }: EndedMoment, summary: BatchSummary): Promise<boolean> {
    const rows: unknown[] = await this.database.query(
      `INSERT INTO batch_summaries (batch_id, finished_at, erasures, summary)
       SELECT id, finished_at, erasures, $4 FROM batches
        WHERE id = $1 AND finished_at = $2::timestamptz AND erasures = $3 FOR SHARE
       ON CONFLICT (batch_id) DO UPDATE
         SET finished_at = excluded.finished_at, erasures = excluded.erasures, summary = excluded.summary
       RETURNING batch_id`,
      [id, finishedAt, erasures, JSON.stringify(summary)],
    );
    return rows.length > 0;
  }
}
