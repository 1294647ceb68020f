import { type MailsondeError, refusalOf, unreachable } from '../../../client/mailsonde-error.js';
import type { Account } from '../session/api.js';

export type Taken = Account['schemas']['BatchTakenReply'];

/** Below it packing saves nothing that a person would notice. */
const MIN_PACKED_BYTES = 65_536;
const CREATED = 201;

export interface Upload {
  readonly content: Blob;
  readonly type: string;
  readonly query: URLSearchParams;
  /** The same for every try of one list, so that a try that was answered unheard makes no second list. */
  readonly idempotencyKey: string;
}

/** Sends a list, packed; only this old way of sending tells how much is on its way. */
export async function sendList(
  upload: Upload,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Taken> {
  const isPacked = upload.content.size >= MIN_PACKED_BYTES && 'CompressionStream' in globalThis;
  const body = isPacked ? await packed(upload.content) : upload.content;
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1/verify/batch?${upload.query}`);
  request.setRequestHeader('Content-Type', upload.type);
  request.setRequestHeader('Idempotency-Key', upload.idempotencyKey);
  if (isPacked) request.setRequestHeader('Content-Encoding', 'gzip');
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      if (request.status === CREATED) resolve(JSON.parse(request.responseText) as Taken);
      else reject(refusalIn(request));
    });
    request.addEventListener('error', () => reject(unreachable(null)));
    request.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function refusalIn(request: XMLHttpRequest): MailsondeError {
  const headers = new Headers();
  for (const name of ['x-request-id', 'retry-after']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return refusalOf({ status: request.status, headers }, request.responseText);
}

function packed(content: Blob): Promise<Blob> {
  return new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
