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

  /**
   * Blocks in their order, fewer at the end of the batch, none when it was deleted.
   * @param from number of the first
   */
  async findRows(batchId: number, from: number, blocks: number): Promise<SentRows[]> {
    const rows: { number: number; emails: string; places: Buffer; cells: string | null }[] = await this.database.query(
      `SELECT number, emails, places, cells FROM batch_rows
        WHERE batch_id = $1 AND number >= $2 AND number < $2 + $3::integer ORDER BY number`,
      [batchId, from, blocks],
    );
    return rows.map(({ number, emails, places, cells }) => ({
      number,
      emails: JSON.parse(emails) as Record<number, string>,
      places: readPlaces(places),
      cells: cells === null ? null : (JSON.parse(cells) as string[][]),
    }));
  }

  /** What was settled so far, of each of these chunks. */
  async findRounds(batchId: number, chunks: readonly number[]): Promise<StoredRounds[]> {
    // A row each: the client takes arrays of texts apart letter by letter, 25 µs an address.
    const rows: { number: number; emails: string; results: string | null }[] = await this.database.query(
      `SELECT chunk.number, chunk.emails, round.results
         FROM batch_chunks AS chunk
         LEFT JOIN batch_results AS round ON round.batch_id = chunk.batch_id AND round.chunk = chunk.number
        WHERE chunk.batch_id = $1 AND chunk.number = ANY ($2) ORDER BY chunk.number, round.round`,
      [batchId, chunks],
    );
    const found = new Map<number, { chunk: number; emails: string[]; rounds: string[] }>();
    for (const { number, emails, results } of rows) {
      const known = found.get(number) ?? { chunk: number, emails: JSON.parse(emails) as string[], rounds: [] };
      if (results !== null) known.rounds.push(results);
      found.set(number, known);
    }
    return [...found.values()];
  }
}

function readPlaces(bytes: Buffer): Int32Array {
  const places = new Int32Array(bytes.length / 4);
  for (let i = 0; i < places.length; i++) places[i] = bytes.readInt32LE(i * 4);
  return places;
}
