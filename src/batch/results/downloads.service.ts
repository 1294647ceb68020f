import { Injectable, StreamableFile } from '@nestjs/common';
import { create } from 'content-disposition';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { readAhead } from '../../lib/streams.js';
import { invalidField } from '../../platform/errors/app-error.js';
import type { Presenter } from '../../presenting/presenter.js';
import { SuppressionsService } from '../../suppressions/suppressions.service.js';
import { type Batch, isFinished } from '../model/batch.js';
import { kindOf } from '../model/batch-kind.js';
import { cameAsCsv, type CsvLayout } from '../model/row-ref.js';
import { ALL_ROWS, VERDICTS } from '../model/chunk-result.js';
import { summaryPdf } from './summary-pdf.js';
import { ResultsService, type ResultRow, type RowSelection } from './results.service.js';
import { BatchSummaryService } from './batch-summary.service.js';
import { SheetBytes, toArchive, toWorkbook } from './result-archives.js';
import { readFields } from './table-columns.js';
import {
  cellPresenter,
  LineBytes,
  type PresentResult,
  presentRow,
  RESULT_TYPES,
  resultPresenter,
  type TableBytes,
  toStream,
  writeNdjson,
  writeTable,
} from './result-writers.js';
import {
  acceptsGzip,
  type BatchResultsQuery,
  type DownloadQuery,
  resultsCursor,
  type ResultsQuery,
  type ResultsRequest,
  resultsRequest,
} from './results-query.dto.js';

/** What a file of results is made of. */
interface Source {
  readonly batch: Batch;
  readonly presenter: Presenter;
  readonly requestId: string;
  readonly query: DownloadQuery & PartialQuery;
  readonly wanted: ResultsRequest;
}

/** The parts of a request that its route passes on, and the reply that gets the headers. */
interface ResultsExchange {
  readonly query: DownloadQuery & PartialQuery;
  /** The format when the query names none; `json` by default. */
  readonly defaultFormat?: 'csv';
  readonly request: { readonly id: string; readonly headers: IncomingHttpHeaders };
  readonly reply: ReplyHeaders;
}

/** Members of a page; `total_emails` or `total_people`, the number of all rows, is beside them, and `complete` when it was asked for in parts. */
interface ResultsPage {
  readonly id: number;
  readonly status: string;
  readonly results: readonly object[];
  readonly next_cursor: string | null;
}

type PartialQuery = Pick<BatchResultsQuery, 'partial'>;
type PageQuery = ResultsQuery & PartialQuery;

/** The results of a batch in the caller's format. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly results: ResultsService,
    private readonly suppressions: SuppressionsService,
    private readonly summaries: BatchSummaryService,
  ) {}

  /** Answers a request for results: with a page of them, or with a file and its headers. */
  async send(
    batch: Batch,
    presenter: Presenter,
    { query, defaultFormat, request, reply }: ResultsExchange,
  ): Promise<ResultsPage | StreamableFile> {
    const format = query.format ?? defaultFormat ?? 'json';
    refuseColumns(query, format);
    if (format === 'json') return this.page(batch, query, resultPresenter(presenter, request.id));
    const wanted = resultsRequest(batch, query);
    const from = { batch, presenter, requestId: request.id, query, wanted };
    const name = fileNameOf(batch, query.verdict);
    if (query.partial === 'true') void reply.header('Batch-Complete', String(!wanted.isPartial));
    const options = { type: RESULT_TYPES[format], disposition: create(`${name}.${format}`) };
    if (format === 'zip') return new StreamableFile(await this.archive(from), options);
    if (format === 'xlsx')
      return new StreamableFile(
        toWorkbook(() => this.table(from, new SheetBytes()), modifiedOf(batch)),
        options,
      );
    const rows = format === 'csv' ? this.csv(from) : this.ndjson(from);
    const gzip = acceptsGzip(request.headers['accept-encoding']);
    addVary(reply, 'Accept-Encoding');
    if (gzip) void reply.header('Content-Encoding', 'gzip');
    return new StreamableFile(toStream(rows, gzip), options);
  }

  /** @throws AppError `invalid_input` for a cursor of another listing */
  async page(batch: Batch, query: PageQuery, present: PresentResult): Promise<ResultsPage> {
    const wanted = resultsRequest(batch, query);
    const { rows, names, next } = await this.results.page(batch, wanted, wanted.limit);
    const marked = (await this.reportsSuppressed(batch)) ? await this.marked(batch, rows) : rows;
    return {
      id: batch.id,
      status: batch.state,
      [`total_${kindOf(batch).items}`]: batch.totalRows,
      ...(query.partial === 'true' && { complete: !wanted.isPartial }),
      results: marked.map((row) => presentRow(row, present, names.columns)),
      next_cursor: resultsCursor(batch, next),
    };
  }

  /** The bodies of the rows, also of those that wait for their answers, with their numbers from 1. */
  async *bodies(batch: Batch, presenter: Presenter, requestId: string): AsyncGenerator<object, void> {
    const present = resultPresenter(presenter, requestId);
    const wanted = { ...ALL_ROWS, from: 0, isPartial: !isFinished(batch.state) };
    const { names, rows } = this.markedRows(batch, wanted, this.reports(batch));
    for await (const block of rows)
      for (const row of block) yield { number: row.position + 1, ...presentRow(row, present, names.columns) };
  }

  private ndjson({ batch, wanted, presenter, requestId }: Source): AsyncGenerator<Buffer> {
    const { names, rows } = this.markedRows(batch, wanted, this.reports(batch));
    return writeNdjson({ rows, present: resultPresenter(presenter, requestId), columns: names.columns });
  }

  private csv(from: Source): AsyncGenerator<Buffer> {
    const bytes = new LineBytes(this.layoutOf(from)?.delimiter);
    if (from.query.bom === 'true') bytes.byteOrderMark();
    return this.table(from, bytes);
  }

  /**
   * A CSV for each verdict that rows have, in the customer's own layout, and a page of figures.
   * @throws AppError `invalid_input` while the batch runs: whoever asks again would find files that were not there before
   */
  private async archive(from: Source): Promise<Readable> {
    const { batch, wanted } = from;
    if (wanted.isPartial)
      throw invalidField('partial', 'needs format=json, csv, ndjson or xlsx: a zip has all results');
    const verdicts = VERDICTS.filter((one) => batch.counts[one] > 0 && (wanted.verdicts?.has(one) ?? true));
    const pdf = summaryPdf({
      title: nameOf(batch),
      finishedAt: modifiedOf(batch),
      counts: batch.counts,
      summary: await this.summaries.of(batch),
    });
    const files = verdicts.map((verdict) => ({
      name: `${fileNameOf(batch, verdict)}.csv`,
      bytes: () => this.csv({ ...from, wanted: { ...wanted, verdicts: new Set([verdict]) } }),
    }));
    return toArchive([...files, { name: 'summary.pdf', bytes: () => Readable.from([pdf]) }], modifiedOf(batch));
  }

  private layoutOf({ batch, presenter }: Source): CsvLayout | null {
    return presenter.ownLayoutColumns && (batch.columns?.layout ?? null);
  }

  private table(from: Source, bytes: TableBytes): AsyncGenerator<Buffer> {
    const { batch, presenter, requestId, wanted } = from;
    const { fields, formula_guard, partial } = from.query;
    const { sample, reportsSuppressed } = kindOf(batch);
    const present = cellPresenter(presenter, requestId);
    const { ownLayoutColumns } = presenter;
    const layout = this.layoutOf(from);
    // Before and after its end a file that was asked for in parts has the same columns.
    const tellsPending = ownLayoutColumns !== null && partial === 'true';
    const usual = layout && [...ownLayoutColumns!, ...(tellsPending ? ['pending'] : [])];
    const whole = present({ ...sample, ...(reportsSuppressed && { suppressed: false }) });
    const chosen = fields === undefined ? usual : readFields(fields, whole, tellsPending);
    const reports = this.reports(batch);
    const { names, rows } = this.markedRows(batch, wanted, reports);
    const keepsOwn = formula_guard !== 'true' && cameAsCsv(batch.columns);
    return writeTable({
      bytes,
      rows,
      present,
      request: { names, layout, fields: chosen, isPartial: partial === 'true', tellsPending, keepsOwn },
      sample: async () => ({ ...sample, ...((await reports) && { suppressed: false }) }),
    });
  }

  private markedRows(batch: Batch, wanted: RowSelection, reports: Promise<boolean>) {
    const { names, blocks } = this.results.read(batch, wanted);
    return { names, rows: readAhead(this.markedBlocks(batch, blocks, reports)) };
  }

  private reports(batch: Batch): Promise<boolean> {
    const reports = this.reportsSuppressed(batch);
    // The writer awaits it and throws the error; this only silences the warning about an unhandled rejection until then.
    reports.catch(() => undefined);
    return reports;
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
      if (result.isPending) return { position, result, extraColumns };
      const { offset, verification, creditsCharged, latencyMs } = result;
      const suppressed = found.has(emails[i]!);
      return { position, result: { offset, verification, creditsCharged, latencyMs, suppressed }, extraColumns };
    });
  }
}

/** The ending of the file that was sent, which a list may be named after. */
const ENDING = /\.(csv|tsv|txt|xls[xm]|ndjson|jsonl?)(\.gz)?$/i;

/** The name of a list without the ending of the file that was sent, as far as a file may be called that. */
function nameOf({ id, name }: Batch): string {
  const own = (name ?? '')
    .replace(ENDING, '')
    .replaceAll(/[\p{C}/\\:*?"<>|]+/gu, ' ')
    .trim();
  return own || `batch-${id}`;
}

/** Such as `Customers-valid`: after the list, which says more to a person than its number. */
function fileNameOf(batch: Batch, verdicts: string | undefined): string {
  return nameOf(batch) + (verdicts === undefined ? '' : `-${verdicts.replaceAll(',', '-')}`);
}

/** When the results became what they are. */
const modifiedOf = ({ finishedAt, createdAt }: Batch): Date => finishedAt ?? createdAt;

/** The formats that each member of a query is for. */
const FORMATS_OF = { fields: 'csv, xlsx or zip', bom: 'csv or zip', formula_guard: 'csv or zip' } as const;

/** @throws AppError `invalid_input` when the query asks for columns of a format that has none */
function refuseColumns(query: DownloadQuery, format: string): void {
  for (const member of Object.keys(FORMATS_OF) as (keyof typeof FORMATS_OF)[]) {
    const isAsked = query[member] !== undefined && query[member] !== 'false';
    if (isAsked && !FORMATS_OF[member].includes(format))
      throw invalidField(member, `needs format=${FORMATS_OF[member]}`);
  }
}

/** A reply as far as its headers go. */
export interface ReplyHeaders {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** Says that a reply depends on these headers of the request too; what a guard has said before stays, as for a session. */
export function addVary(reply: ReplyHeaders, names: string): void {
  const before = reply.getHeader('Vary');
  reply.header('Vary', before === undefined ? names : `${String(before)}, ${names}`);
}
