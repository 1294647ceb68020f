import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../keys/access/principal.js';
import { refusal } from '../../keys/limits/account-turns.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { openForm } from '../../platform/http/caller-form.js';
import { gunzipped, type StreamedRequest } from '../../platform/http/caller-stream.js';
import { StreamedMembers, refusesUnknown } from '../../platform/http/known-members.js';
import { fieldsIn, takeField } from '../formats/body-settings.js';
import type { Bytes, IntakeSettings, RowKind, Rows, SentRows } from '../formats/sent-body.js';
import { readerOf } from '../formats/formats.js';
import { previewOf, type TablePreview } from '../formats/table-preview.js';
import type { Pace } from '../workbook/unpacking.js';
import { XLSX } from '../formats/workbook-reader.js';
import type { SubmitBatchQuery, SubmitPeopleQuery } from './submit-query.dto.js';
import { nextSlice, previewInTurn, workbookPlace } from './upload-places.js';

/** A body as it came, with the headers that say how to read it. */
export interface SentBody extends Pace {
  readonly stream: Bytes;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Whether every member that nobody knows is refused, or slips alone. */
  readonly refusesUnknown: boolean;
}

/** What a query may say of a batch. */
export type QuerySettings = Partial<SubmitBatchQuery & SubmitPeopleQuery>;

/** Limit of a form with its file, after gunzip. */
const MAX_FORM_BYTES = 268_435_456;
/** Unpacked: a million addresses with 230 bytes of other columns each, 10,000 people with 800. More is no list. */
const MAX_BYTES: Readonly<Record<RowKind, number>> = { addresses: 268_435_456, people: 8_388_608 };
/** Lists of addresses are packed 3 to 20 times; what grows more than this, past the first megabytes, was made to. */
const MAX_RATIO = 100;
const MIN_BOMB_BYTES = 8_388_608;
/** Eight thousand rows of one letter: 10 ms of work. */
const BYTES_OF_A_SLICE = 16_384;

/** The settings that stand in a query. */
export function settingsOf(query: QuerySettings): IntakeSettings {
  const { name, webhook_url, max_credits, reuse_days, retry_window_seconds, retention_days, ...others } = query;
  const { hold, delimiter, sheet, has_header, ...namedColumns } = others;
  return {
    name: name ?? null,
    webhookUrl: webhook_url ?? null,
    maxCredits: max_credits ?? null,
    isHeld: hold ?? false,
    reuseDays: reuse_days ?? 0,
    retryWindowSeconds: retry_window_seconds ?? null,
    retentionDays: retention_days ?? null,
    namedColumns,
    hasHeader: has_header ?? null,
    delimiter: delimiter ?? null,
    sheet: sheet ?? null,
    columns: null,
  };
}

type SentRequest = StreamedRequest & { readonly headers: IncomingHttpHeaders };

/** The rows that a request brings. @param settings filled in while they are read */
export function sentRows(request: SentRequest, caller: Principal, kind: RowKind, settings: IntakeSettings): SentRows {
  const { body, gone } = sentBody(request, caller);
  return Object.assign(readBody(body, kind, settings), { gone });
}

/** The media types of what is looked at; its bytes tell what it is. */
export const PREVIEWED = ['text/csv', XLSX, 'text/plain'] as const;

/** How the table that a request brings would be read. @throws AppError also `unsupported_media_type` */
export async function sentPreview(
  request: SentRequest,
  caller: Principal,
  settings: IntakeSettings,
): Promise<TablePreview> {
  const { body, gone } = sentBody(request, caller);
  const { type, charset } = mediaType(body.contentType);
  if (!PREVIEWED.some((one) => one === type)) throw new AppError('unsupported_media_type');
  const sent = { ...body, bytes: unpacked(body, MAX_BYTES.addresses), charset };
  return previewInTurn(caller, gone, () => previewOf(sent, settings));
}

function sentBody({ body, headers, sentContentType }: SentRequest, caller: Principal) {
  const gone = new AbortController();
  body.once('error', () => gone.abort(refusal()));
  const sent: SentBody = {
    stream: body,
    contentType: sentContentType,
    contentEncoding: headers['content-encoding'] ?? '',
    refusesUnknown: refusesUnknown(caller),
    nextSlice: () => nextSlice(caller),
    workbookPlace: () => workbookPlace(caller, gone.signal),
  };
  return { body: sent, gone: gone.signal };
}

/** The rows of a body in whatever form it has, or of the one file of a form. */
export async function* readBody(body: SentBody, kind: RowKind, settings: IntakeSettings): Rows {
  const { type, charset } = mediaType(body.contentType);
  if (type !== 'multipart/form-data') {
    const bytes = unpacked(body, MAX_BYTES[kind]);
    return yield* readerOf(kind, type, '')({ ...body, bytes, charset }, settings);
  }
  const fields = new StreamedMembers(fieldsIn(kind), body.refusesUnknown);
  const file = await openForm(unpacked(body, MAX_FORM_BYTES), body.contentType, (name, value) => {
    fields.take(name);
    takeField(settings, kind, name, value);
  });
  const sent = mediaType(file.contentType);
  const read = readerOf(kind, sent.type, file.name.toLowerCase());
  const bytes = limited(file.pieces, body.nextSlice, MAX_BYTES[kind]);
  yield* read({ ...body, bytes, charset: sent.charset }, settings);
  fields.end();
}

/** @param maxBytes unpacked */
export function unpacked({ stream, contentEncoding, nextSlice }: SentBody, maxBytes: number): Bytes {
  if (contentEncoding === '' || contentEncoding === 'identity') return limited(stream, nextSlice, maxBytes);
  if (contentEncoding !== 'gzip') throw new AppError('unsupported_media_type');
  const gunzip = gunzipped(stream);
  return limited(gunzip, nextSlice, maxBytes, () => Math.max(MIN_BOMB_BYTES, gunzip.bytesWritten * MAX_RATIO));
}

/**
 * In slices: a body that comes as fast as it is read would let nobody else have the event loop. The first one waits for nothing, since most
 * bodies have no other.
 * @param most bytes that may have come by now
 */
async function* limited(
  pieces: Bytes,
  nextSlice: () => Promise<void>,
  maxBytes: number,
  most: () => number = () => maxBytes,
): AsyncGenerator<Buffer> {
  let length = 0;
  let isFirst = true;
  try {
    for await (const piece of pieces) {
      length += piece.length;
      if (length > maxBytes || length > most()) throw new AppError('body_too_large');
      for (let at = 0; at < piece.length; at += BYTES_OF_A_SLICE) {
        if (!isFirst) await nextSlice();
        isFirst = false;
        yield piece.subarray(at, at + BYTES_OF_A_SLICE);
      }
    }
  } catch (error) {
    throw isZlibError(error) ? invalidField('body', 'is not whole gzip') : error;
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && ((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');
}

function mediaType(contentType: string): { type: string; charset: string | null } {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(contentType)?.[1] ?? null;
  return { type: contentType.split(';', 1)[0]!.trim().toLowerCase(), charset };
}
