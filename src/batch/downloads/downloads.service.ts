import { Injectable, StreamableFile } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { readAhead } from '../../async/streams/read-ahead.js';
import type { Presenter } from '../../presenting/presenter.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';
import type { Batch } from '../model/batch.js';
import { kindOf } from '../model/batch-kind.js';
import { ResultsService, type ResultRow } from '../results/results.service.js';
import { type PresentResult, presentRow, resultPresenter, toStream, writeCsv, writeNdjson } from './result-writers.js';
import { acceptsGzip, resultsCursor, type ResultsQuery, wantedResults } from './results-query.dto.js';

/** The parts of a request that its route passes on, and the reply that gets the headers. */
export interface ResultsExchange {
  readonly query: ResultsQuery;
  /** The format when the query names none; `json` by default. */
  readonly defaultFormat?: 'csv';
  readonly request: { readonly id: string; readonly headers: IncomingHttpHeaders };
  readonly reply: { header(name: string, value: string): unknown };
}

/** Members of a page; `total_emails` or `total_people`, the number of all rows, is beside them. */
export interface ResultsPage {
  readonly id: number;
  readonly status: string;
  readonly results: readonly object[];
  readonly next_cursor: string | null;
}

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

/** The results of a finished batch in the caller's format. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly results: ResultsService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** Answers a request for results: with a page of them, or with a file and its headers. */
  async send(
    batch: Batch,
    presenter: Presenter,
    { query, defaultFormat, request, reply }: ResultsExchange,
  ): Promise<ResultsPage | StreamableFile> {
    const format = query.format ?? defaultFormat ?? 'json';
    const present = resultPresenter(presenter, request.id);
    if (format === 'json') return this.page(batch, query, present);
    const gzip = acceptsGzip(request.headers['accept-encoding']);
    const file = this.file(batch, format, query, present, gzip);
    void reply.header('Vary', 'Accept-Encoding');
    if (gzip) void reply.header('Content-Encoding', 'gzip');
    return file;
  }

  /** @throws AppError `invalid_input` for a cursor of another listing */
  async page(batch: Batch, query: ResultsQuery, present: PresentResult): Promise<ResultsPage> {
    const { from, limit, verdicts } = wantedResults(batch, query);
    const { rows, columns, next } = await this.results.page(batch, from, limit, verdicts);
    const marked = (await this.reportsSuppressed(batch)) ? await this.marked(batch, rows) : rows;
    return {
      id: batch.id,
      status: batch.state,
      [`total_${kindOf(batch).items}`]: batch.totalRows,
      results: marked.map((row) => presentRow(row, present, columns)),
      next_cursor: resultsCursor(batch, next),
    };
  }

  /** All results, or those that follow a cursor. */
  private file(
    batch: Batch,
    format: 'csv' | 'ndjson',
    query: ResultsQuery,
    present: PresentResult,
    gzip: boolean,
  ): StreamableFile {
    const { from, verdicts } = wantedResults(batch, query);
    const reports = this.reportsSuppressed(batch);
    // The writer awaits it and throws the error; this only silences the warning about an unhandled rejection until then.
    reports.catch(() => undefined);
    const { columns, blocks } = this.results.read(batch, from, verdicts);
    const rows = readAhead(this.markedBlocks(batch, blocks, reports));
    const sample = async () => ({ ...kindOf(batch).sample, ...((await reports) && { suppressed: false }) });
    const write = format === 'csv' ? writeCsv : writeNdjson;
    const stream = toStream(write({ rows, present, columns, sample }), gzip);
    const disposition = `attachment; filename="batch-${batch.id}.${format}"`;
    return new StreamableFile(stream, { type: TYPES[format], disposition });
  }

  /**
   * Whether rows say if an address is suppressed. The answer holds for a whole file, so that all its rows have the same members.
   */
  private async reportsSuppressed(batch: Batch): Promise<boolean> {
    return kindOf(batch).reportsSuppressed && (await this.suppressions.reportsInVerify(batch));
  }

  private async *markedBlocks(batch: Batch, blocks: AsyncIterable<Iterable<ResultRow>>, reports: Promise<boolean>) {
    for await (const rows of blocks) yield (await reports) ? await this.marked(batch, [...rows]) : rows;
  }

  private async marked(batch: Batch, rows: readonly ResultRow[]): Promise<readonly ResultRow[]> {
    const emails = rows.map(({ result }) => result.verification.email);
    const found = await this.suppressions.among(batch, emails);
    // Not by spread, as in `FullPresenter`.
    return rows.map(({ position, result, extraColumns }, i) => {
      const { offset, verification, creditsCharged, latencyMs } = result;
      const suppressed = found.has(emails[i]!);
      return { position, result: { offset, verification, creditsCharged, latencyMs, suppressed }, extraColumns };
    });
  }
}
