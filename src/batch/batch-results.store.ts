import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface SentRows {
  readonly number: number;
  /** By offset, of rows whose address had come before in the batch: they may say it in other words. */
  readonly emails: Readonly<Record<number, string>>;
  readonly places: Int32Array;
  readonly cells: readonly (readonly string[])[] | null;
}

export interface StoredRounds {
  readonly chunk: number;
  readonly emails: readonly string[];
  /** The results of each round, the first one first. */
  readonly rounds: readonly string[];
}

/** Reads what was sent and what was found out, a block of a thousand at a time. */
@Injectable()
export class BatchResultsStore {
  constructor(private readonly database: DataSource) {}

  /** Null behind the last block, or when the batch was deleted. */
  async findRows(batchId: number, number: number): Promise<SentRows | null> {
    const [row]: { emails: string; places: Buffer; cells: string | null }[] = await this.database.query(
      'SELECT emails, places, cells FROM batch_rows WHERE batch_id = $1 AND number = $2',
      [batchId, number],
    );
    if (row === undefined) return null;
    const places = Int32Array.from({ length: row.places.length / 4 }, (_, i) => row.places.readInt32LE(i * 4));
    return {
      number,
      emails: JSON.parse(row.emails) as Record<number, string>,
      places,
      cells: row.cells === null ? null : (JSON.parse(row.cells) as string[][]),
    };
  }

  /** What was settled so far, of each of these chunks. */
  async findRounds(batchId: number, chunks: readonly number[]): Promise<StoredRounds[]> {
    const sent: { number: number; emails: string }[] = await this.database.query(
      'SELECT number, emails FROM batch_chunks WHERE batch_id = $1 AND number = ANY ($2)',
      [batchId, chunks],
    );
    // A row each: the client takes arrays of texts apart letter by letter, 25 µs an address.
    const rounds: { chunk: number; results: string }[] = await this.database.query(
      'SELECT chunk, results FROM batch_results WHERE batch_id = $1 AND chunk = ANY ($2) ORDER BY chunk, round',
      [batchId, chunks],
    );
    return sent.map(({ number, emails }) => ({
      chunk: number,
      emails: JSON.parse(emails) as string[],
      rounds: rounds.filter(({ chunk }) => chunk === number).map(({ results }) => results),
    }));
  }
}
