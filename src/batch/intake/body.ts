import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../keys/access/principal.js';
import { refusal } from '../../keys/limits/account-turns.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { openForm } from '../../platform/http/caller-form.js';
import { gunzipped, type StreamedRequest } from '../../platform/http/caller-stream.js';
import { StreamedMembers, refusesUnknown } from '../../platform/http/known-members.js';
import { fieldsIn, takeField } from '../formats/body-settings.js';
import { refuseBinary } from '../formats/binary.js';
import type { Bytes, IntakeSettings, RowKind, Rows, SentRows } from '../formats/sent-body.js';
import { readerOf } from '../formats/formats.js';
import type { SubmitBatchQuery, SubmitPeopleQuery } from './submit-query.dto.js';
import { nextSlice } from './upload-places.js';

/** A body as it came, with the headers that say how to read it. */
export interface SentBody {
  readonly stream: Bytes;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Whether every member that nobody knows is refused, or slips alone. */
  readonly refusesUnknown: boolean;
  /** Waits until the body's next slice may be parsed. */
  readonly nextSlice: () => Promise<void>;
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
  const { hold, delimiter, has_header, ...namedColumns } = others;
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
    columns: null,
  };
}

/** The rows that a request brings. @param settings filled in while they are read */
export function sentRows(
  { body, headers, sentContentType }: StreamedRequest & { readonly headers: IncomingHttpHeaders },
  caller: Principal,
  kind: RowKind,
  settings: IntakeSettings,
): SentRows {
  const sent: SentBody = {
    stream: body,
    contentType: sentContentType,
    contentEncoding: headers['content-encoding'] ?? '',
    refusesUnknown: refusesUnknown(caller),
    nextSlice: () => nextSlice(caller),
  };
  const gone = new AbortController();
  body.once('error', () => gone.abort(refusal()));
  return Object.assign(readBody(sent, kind, settings), { gone: gone.signal });
}

/** The rows of a body in whatever form it has, or of the one file of a form. */
export async function* readBody(body: SentBody, kind: RowKind, settings: IntakeSettings): Rows {
  const { refusesUnknown } = body;
  const { type, charset } = mediaType(body.contentType);
  if (type !== 'multipart/form-data') {
    const bytes = refuseBinary(unpacked(body, MAX_BYTES[kind]));
    return yield* readerOf(kind, type, '')({ bytes, charset, refusesUnknown }, settings);
  }
  const fields = new StreamedMembers(fieldsIn(kind), refusesUnknown);
  const file = await openForm(unpacked(body, MAX_FORM_BYTES), body.contentType, (name, value) => {
    fields.take(name);
    takeField(settings, kind, name, value);
  });
  const sent = mediaType(file.contentType);
  const read = readerOf(kind, sent.type, file.name.toLowerCase());
  const bytes = refuseBinary(limited(file.pieces, body.nextSlice, MAX_BYTES[kind]));
  yield* read({ bytes, charset: sent.charset, refusesUnknown }, settings);
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
