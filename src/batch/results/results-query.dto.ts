import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length, Matches } from 'class-validator';
import { decodeCursor, encodeCursor } from '../../platform/http/listing.js';
import { type Batch, isFinished } from '../model/batch.js';
import { type Verdict, NO_PROVIDER, toFilteredDomain } from '../model/chunk-result.js';
import type { RowSelection } from './results.service.js';
import { IntegerInQuery, OptionalOneOf, OptionalBoolean, OptionalString } from '../../platform/http/fields.js';

const RESULT_FORMATS = ['json', 'csv', 'ndjson', 'xlsx', 'zip'] as const;
const VERDICT_LIST = /^(valid|invalid|risky|unknown)(,(valid|invalid|risky|unknown))*$/;
/** Words of `config/reasons.json`; one that is unknown matches no row, as reasons are added. */
const REASON_LIST = /^[a-z0-9_]{1,40}(,[a-z0-9_]{1,40}){0,39}$/;
const MAX_PROVIDER = 255;
/** Of at most 20 domains; what is none matches no row. */
const DOMAIN_LIST = /^[^,\s]{1,255}(,[^,\s]{1,255}){0,19}$/;
const DEFAULT_LIMIT = 1_000;
const MAX_ROWS = 10_000;
const MAX_FIELDS = 1_000;
const TRUE_OR_FALSE = ['true', 'false'] as const;
type TrueOrFalse = (typeof TRUE_OR_FALSE)[number];

/** A comma list, which may be left out. */
const OptionalList = (list: RegExp, of: string, example: string, description: string): PropertyDecorator =>
  applyDecorators(
    Matches(list, { message: `$property must be a comma list of ${of}` }),
    IsString(),
    IsOptional(),
    ApiPropertyOptional({ pattern: list.source, example, description }),
  );

/** The query of results: which rows. */
export class ResultsQuery {
  @OptionalList(VERDICT_LIST, 'valid, invalid, risky, unknown', 'valid,risky', 'Comma list; all when left out.')
  readonly verdict?: string;

  @OptionalList(
    REASON_LIST,
    'reasons',
    'mailbox_full,greylisted',
    'Comma list of reasons, of which rows have one; all when left out.',
  )
  readonly reason?: string;

  @OptionalList(
    DOMAIN_LIST,
    'at most 20 domains',
    'example.com,example.org',
    'Comma list of at most 20 domains, of which rows have one; all when left out.',
  )
  readonly domain?: string;

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_PROVIDER,
    example: 'Outlook.com',
    description: `The name of one mail operator; \`${NO_PROVIDER}\` for the rows of all that have no name here.`,
  })
  @IsOptional()
  @IsString()
  @Length(1, MAX_PROVIDER)
  readonly provider?: string;

  @IntegerInQuery({ minimum: 1, maximum: MAX_ROWS, default: DEFAULT_LIMIT })
  readonly limit?: number;

  @OptionalString(100, { description: '`next_cursor` of the page before.' })
  readonly cursor?: string;
}

/** The query of results as a file. */
export class DownloadQuery extends ResultsQuery {
  @OptionalOneOf(RESULT_FORMATS, {
    default: 'json',
    description:
      '`zip`: a CSV for each verdict that rows have, and a page of figures (`summary.pdf`), once the batch has ended.',
  })
  readonly format?: (typeof RESULT_FORMATS)[number];

  @OptionalString(MAX_FIELDS, {
    type: String,
    minLength: 1,
    maxLength: MAX_FIELDS,
    example: 'verdict,score',
    description:
      'The result columns of a table (CSV, `xlsx`, `zip`), as a comma list; `all` for every one. A table that comes back in the layout in which it was sent has `verdict,reason,action,score,did_you_mean` when this is left out, any other has all.',
  })
  readonly fields?: string;

  @OptionalBoolean('Whether a CSV begins with the byte order mark by which spreadsheets know UTF-8.')
  readonly bom?: TrueOrFalse;

  @OptionalBoolean(
    'Whether every cell that a spreadsheet would run as a formula has an apostrophe before it. Without it those have one that the service writes; the columns of a CSV come back as they were sent.',
  )
  readonly formula_guard?: TrueOrFalse;
}

/** The query of a batch's results. */
export class BatchResultsQuery extends DownloadQuery {
  @OptionalBoolean('Whether to give what is answered so far when the batch still runs.')
  readonly partial?: TrueOrFalse;
}

export interface ResultsRequest extends RowSelection {
  readonly limit: number;
}

/** @throws AppError `invalid_input` for a cursor of another listing */
export function resultsRequest(batch: Batch, query: ResultsQuery & Pick<BatchResultsQuery, 'partial'>): ResultsRequest {
  const { verdict, reason, domain, provider, limit = DEFAULT_LIMIT, cursor, partial } = query;
  return {
    from: cursor === undefined ? 0 : Number(decodeCursor(resultsOf(batch), cursor, /^(\d{1,7})$/)[0]),
    limit,
    verdicts: verdict === undefined ? null : new Set(verdict.split(',') as Verdict[]),
    reasons: reason === undefined ? null : new Set(reason.split(',')),
    domains: domain === undefined ? null : new Set(domain.split(',').map(toFilteredDomain)),
    provider: provider?.toLowerCase() ?? null,
    isPartial: partial === 'true' && !isFinished(batch.state),
  };
}

export function resultsCursor(batch: Batch, position: number | null): string | null {
  return position === null ? null : encodeCursor(resultsOf(batch), String(position));
}

/** A cursor counts rows, so one of another batch would silently skip rows. */
function resultsOf({ id }: Batch): string {
  return `results-of-${id}`;
}

/** Whether the header names the type, with a weight above 0 (RFC 9110 section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(String(header ?? ''));
}
