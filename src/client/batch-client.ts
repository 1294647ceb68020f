import type { Client } from 'openapi-fetch';
import { MailsondeError } from './mailsonde-error.js';
import type { components, operations, paths } from './documents/account.js';
import { backoffMs, createApi, newIdempotencyKey, Requests, type ClientOptions } from './requests.js';
import { serverSentEvents } from './streams.js';
import { uploadOf, type UploadProgress, type UploadSource } from './upload.js';

export type BatchStatus = components['schemas']['BatchReply'];
type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** What of a result may be asked for; pages follow one another by themselves. */
export type ResultsQuery = Pick<Query<'getBatchResults'>, 'verdict' | 'reason' | 'limit' | 'cursor' | 'partial'>;
export type DownloadQuery = Omit<Query<'getBatchResults'>, 'limit' | 'cursor'>;

/** What a key of its kind sends and is answered; everything else is alike. */
export interface Shapes {
  readonly verification: object;
  readonly batchRequest: object;
  readonly batchTaken: { readonly id: number };
  readonly row: object;
  readonly credits: object;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The same key and body again get the first reply again, charged once. Default: a new one for each call. */
  readonly idempotencyKey?: string;
}

/** A CSV, a workbook of Excel, lines, lines of JSON, or JSON. */
export type UploadType =
  | 'text/csv'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'text/plain'
  | 'application/x-ndjson'
  | 'application/json';

export interface UploadOptions extends CallOptions, Query<'submitBatch'> {
  /** Default `text/csv`. `application/json` and forms name their settings in the body. */
  readonly contentType?: UploadType;
  /** The source is packed with gzip already. */
  readonly isGzip?: boolean;
  /** Of a stream whose length is known. */
  readonly totalBytes?: number;
  /** Begins anew with each attempt. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Gets the status at once, and then at most once a second when something is new. */
  readonly onProgress?: (status: BatchStatus) => void;
}

const PAGE_SIZE = 1_000;
/* The service takes 300 s for a list to come, and answers then. */
const UPLOAD_TIMEOUT_MS = 330_000;
const MAX_LOST_STREAMS = 10;
const POLL_MS = 5_000;

/** What every key that verifies may do. */
export abstract class BatchClient<Shape extends Shapes> {
  /** @internal */
  protected readonly requests: Requests;
  private readonly calls: Client<paths>;

  constructor(options: ClientOptions) {
    this.requests = new Requests(options);
    this.calls = createApi<paths>(this.requests);
  }

  /** @param asked an address, or a whole body */
  async verify(asked: string | Schemas['VerifyRequest'], call: CallOptions = {}): Promise<Shape['verification']> {
    const body = typeof asked === 'string' ? { email: asked } : asked;
    return contentOf(await this.calls.POST('/api/v1/verify', { body, ...initOf(call) }));
  }

  /** Sends a list that is here as a whole. @param settings of the query, such as `{ hold: true }` */
  async submitBatch(
    body: Shape['batchRequest'],
    { signal, idempotencyKey, ...query }: CallOptions & { readonly hold?: boolean } = {},
  ): Promise<Shape['batchTaken']> {
    const init = { body: body as Schemas['BatchRequest'], ...initOf({ signal, idempotencyKey }) };
    return contentOf(await this.calls.POST('/api/v1/verify/batch', { ...init, params: { query } }));
  }

  /** Sends a file as a stream. One that can be read only once is sent once; all others are sent again when they got lost. */
  async uploadBatch(source: UploadSource, options: UploadOptions = {}): Promise<Shape['batchTaken']> {
    const { signal, idempotencyKey, contentType = 'text/csv', isGzip, totalBytes, onProgress, ...query } = options;
    const upload = uploadOf(source, totalBytes ?? null);
    const headers = {
      'content-type': contentType,
      ...(isGzip && { 'content-encoding': 'gzip' }),
      // The same for every attempt, so that a list whose reply got lost is taken in once.
      'idempotency-key': idempotencyKey ?? newIdempotencyKey(),
    };
    const path = `/api/v1/verify/batch${searchOf(query)}`;
    const make = () => {
      const body = upload.body((progress) => onProgress?.(progress));
      return this.requests.request(path, { method: 'POST', headers, body, duplex: 'half', signal } as RequestInit);
    };
    const how = { signal, timeoutMs: UPLOAD_TIMEOUT_MS, ...(!upload.isRepeatable && { maxAttempts: 1 }) };
    const response = await this.requests.send(make, how);
    return unwrapped((await response.json()) as Shape['batchTaken']);
  }

  async getBatch(id: number, call: Pick<CallOptions, 'signal'> = {}): Promise<BatchStatus> {
    return contentOf(await this.calls.GET('/api/v1/verify/batch/{id}', { params: { path: { id } }, ...call }));
  }

  /** Begins a batch that was sent with `hold`. */
  async startBatch(id: number, body: Schemas['StartBatchRequest'] = {}, call: CallOptions = {}): Promise<BatchStatus> {
    const init = { body, params: { path: { id } }, ...initOf(call) };
    return contentOf(await this.calls.POST('/api/v1/verify/batch/{id}/start', init));
  }

  /** Cancels a batch that runs; deletes one that has ended, or is held. */
  async removeBatch(
    id: number,
    call: Pick<CallOptions, 'signal'> = {},
  ): Promise<BatchStatus | Schemas['BatchDeletedReply']> {
    return contentOf(await this.calls.DELETE('/api/v1/verify/batch/{id}', { params: { path: { id } }, ...call }));
  }

  /**
   * Follows a batch by its events until it is `completed`, `failed` or `cancelled`; a connection that breaks is opened again.
   * @throws MailsondeError `batch_held` for one that nobody has started, `batch_not_found` for one that was deleted
   */
  async waitForBatch(id: number, { signal, onProgress }: WaitOptions = {}): Promise<BatchStatus> {
    let lastEventId: string | null = null;
    for (let lost = 0; ;) {
      try {
        const response = await this.follow(id, lastEventId, signal);
        // Its end was told before.
        if (response.status === 204 || response.body === null) return await this.getBatch(id, { signal });
        for await (const event of serverSentEvents(response.body)) {
          lost = 0;
          lastEventId = event.id ?? lastEventId;
          if (event.event === 'deleted') break;
          const status = unwrapped(JSON.parse(event.data) as BatchStatus);
          onProgress?.(status);
          if (isAtEnd(status)) return status;
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof MailsondeError && !isPassing(error)) throw error;
        if (lost >= MAX_LOST_STREAMS) throw error;
      }
      lost += 1;
      // Tells what no stream tells: that the batch was deleted, or has ended while nobody listened.
      const status = await this.getBatch(id, { signal });
      onProgress?.(status);
      if (isAtEnd(status)) return status;
      await this.requests.wait(Math.max(backoffMs(lost), lost > 1 ? POLL_MS : 0), signal ?? null);
    }
  }

  /** Every row in the order in which it was sent, page by page. Each page is asked for when the one before was read. */
  async *results(
    id: number,
    query: ResultsQuery = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): AsyncGenerator<Shape['row'], void, void> {
    yield* pagesOf(async (next) => {
      const params = { path: { id }, query: { limit: PAGE_SIZE, ...query, cursor: next ?? query.cursor } };
      const page = contentOf(await this.calls.GET('/api/v1/verify/batch/{id}/results', { params, signal })) as Omit<
        Schemas['ResultsReply'],
        'results'
      > & { readonly results: Shape['row'][] };
      return { rows: page.results, next_cursor: page.next_cursor };
    });
  }

  /** The results as a file: its `body` is the stream. */
  downloadResults(
    id: number,
    query: DownloadQuery = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<Response> {
    const path = `/api/v1/verify/batch/${id}/results${searchOf(query)}`;
    return this.requests.send(this.requests.request(path, { signal }));
  }

  /** The batches, newest first. */
  async *batches({ signal }: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<BatchStatus, void, void> {
    yield* pagesOf(async (cursor) => {
      const params = { query: { limit: 100, cursor } };
      const page: Schemas['BatchPageReply'] = contentOf(
        await this.calls.GET('/api/v1/verify/batch', { params, signal }),
      );
      return { rows: page.batches, next_cursor: page.next_cursor };
    });
  }

  async credits(call: Pick<CallOptions, 'signal'> = {}): Promise<Shape['credits']> {
    return contentOf(await this.calls.GET('/api/v1/credits', call));
  }

  private follow(id: number, lastEventId: string | null, signal: AbortSignal | undefined): Promise<Response> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    };
    return this.requests.send(this.requests.request(`/api/v1/verify/batch/${id}/events`, { headers, signal }));
  }
}

/** What a call brought; every refusal has been thrown. */
export function contentOf<T>({ data }: { readonly data?: T }): T {
  return unwrapped(data as T);
}

/** Walks through a listing. */
export async function* pagesOf<Row>(
  load: (cursor: string | undefined) => Promise<{ readonly rows: readonly Row[]; readonly next_cursor: string | null }>,
): AsyncGenerator<Row, void, void> {
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    yield* page.rows;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** Agents are answered inside an envelope. */
function unwrapped<T>(body: T): T {
  const { success, data } = (body ?? {}) as { success?: boolean; data?: T };
  return success === true && data !== undefined ? data : body;
}

export function initOf({ signal, idempotencyKey }: CallOptions) {
  return { signal, ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }) };
}

function searchOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

/** @throws MailsondeError for a batch that will not end by itself */
function isAtEnd({ id, status }: BatchStatus): boolean {
  if (status === 'held')
    throw new MailsondeError({ code: 'batch_held', message: `Batch ${id} is held: nobody has started it.` });
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** The stream may be had later; until then the status is asked for. */
function isPassing({ status, code }: MailsondeError): boolean {
  return status === 0 ? code === 'unreachable' : status === 429 || status >= 500;
}
