import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { isOutage } from '../errors/outage.js';
import { counter } from '../metrics/metrics.js';
import type { Replica } from './replica.js';
import { Gauges } from '../metrics/gauges.js';

const reads = counter(
  'mailsonde_replica_reads_total',
  'Reads that may be answered by the replica of DATABASE_READ_URL, by who has answered.',
  ['from'],
);

/** A statement that the replica ended because what it reads is being replayed (serialization_failure). */
const CONFLICT = '40001';

/** The one place that chooses who is read from, where nothing is written: results, listings, ledgers, usage, summaries. */
@Injectable()
export class ReadDatabase {
  /** @param replica null: none is configured */
  constructor(
    private readonly primary: DataSource,
    private readonly replica: Replica | null,
  ) {}

  /**
   * Reads at the replica if it has all that was committed before this call, else at the primary: whoever has just written, through whatever
   * process, reads it. `work` only reads, and is done again at the primary when the replica fails.
   */
  async read<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.replica === null) return work(this.primary.manager);
    const runner = await this.replica.borrow();
    if (runner !== null) {
      try {
        const result = await work(runner.manager);
        reads.inc({ from: 'replica' });
        return result;
      } catch (error) {
        const isAway = isOutage(error);
        if (isAway) this.replica.failed();
        else if ((error as { readonly code?: unknown }).code !== CONFLICT) throw error;
      } finally {
        await runner.release().catch(() => undefined);
      }
    }
    reads.inc({ from: 'primary' });
    return work(this.primary.manager);
  }

  /** As `read`, one statement. */
  query<T extends object[]>(sql: string, values: readonly unknown[] = []): Promise<T> {
    return this.read((tx) => tx.query<T>(sql, [...values]));
  }

  /** How far the replica is behind; null when it is of no use, undefined when there is none. */
  async lagSeconds(): Promise<number | null | undefined> {
    return this.replica === null ? undefined : this.replica.lagSeconds();
  }

  async close(): Promise<void> {
    await this.replica?.close();
  }
}

/** A replica further behind is as good as none: reads do not wait for it. */
const MAX_LAG_SECONDS = 2;

/** What a process tells of its replica; nothing where it has none. */
@Injectable()
export class ReplicaGauges {
  constructor(gauges: Gauges, reads: ReadDatabase) {
    gauges.addShared({
      name: 'mailsonde_replica_up',
      help: '1: the replica of DATABASE_READ_URL answers and is at most 2 s behind; missing where none is configured.',
      read: async () => {
        const lag = await reads.lagSeconds();
        return lag === undefined ? [] : [{ value: lag !== null && lag <= MAX_LAG_SECONDS ? 1 : 0 }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_replica_lag_seconds',
      help: 'How far the replica is behind the primary; missing while it does not answer, or is no replica.',
      read: async () => {
        const lag = await reads.lagSeconds();
        return typeof lag === 'number' ? [{ value: lag }] : [];
      },
    });
  }
}
