import { Injectable, StreamableFile } from '@nestjs/common';
import type { Batch } from './batch.lifecycle.js';
import { BatchResultsService } from './batch-results.service.js';
import { encodeCursor, type ResultsQuery, wantedResults } from './result-input.js';
import { FOUND_SAMPLE, type PresentRow, presentRow, toStream, writeCsv, writeNdjson } from './result-writers.js';

export interface Asked {
  readonly query: ResultsQuery;
  readonly acceptsGzip: boolean;
  readonly present: PresentRow;
}

export interface ResultsPage {
  readonly id: number;
  readonly status: string;
  readonly total_emails: number;
  readonly results: readonly object[];
  readonly next_cursor: string | null;
}

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

/** The results of a finished batch in the form that was asked for. */
@Injectable()
export class BatchDownloadsService {
  constructor(private readonly results: BatchResultsService) {}

  async page(batch: Batch, { query, present }: Asked): Promise<ResultsPage> {
    const { from, limit, verdicts } = wantedResults(query);
    const { rows, next } = await this.results.page(batch, from, limit, verdicts);
    return {
      id: batch.id,
      status: batch.state,
      total_emails: batch.totalRows,
      results: rows.map((row) => presentRow(row, present, batch.columns)),
      next_cursor: encodeCursor(next),
    };
  }

  /** The whole file, or what follows a cursor. */
  file(batch: Batch, format: 'csv' | 'ndjson', { query, acceptsGzip, present }: Asked): StreamableFile {
    const { from, verdicts } = wantedResults(query);
    const rows = this.results.read(batch, from, verdicts);
    const write = format === 'csv' ? writeCsv : writeNdjson;
    const sample = batch.kind === 'find' ? { sample: FOUND_SAMPLE } : {};
    const stream = toStream(write({ rows, present, columns: batch.columns, ...sample }), acceptsGzip);
    const disposition = `attachment; filename="batch-${batch.id}.${format}"`;
    return new StreamableFile(stream, { type: TYPES[format], disposition });
  }
}
