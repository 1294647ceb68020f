import { chunksOf } from './streams.js';

/** What can be sent: what is here already, or comes by and by. A stream can be read once, so it is sent once. */
export type UploadSource =
  | Blob
  | string
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | (() => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>);

export interface UploadProgress {
  readonly sentBytes: number;
  /** Null when it is not known. */
  readonly totalBytes: number | null;
}

/** Something that can be sent again from its beginning, or only once. */
export interface Upload {
  readonly isRepeatable: boolean;
  readonly totalBytes: number | null;
  /** The body of one attempt. Where streams cannot be sent, as in most browsers over HTTP/1.1, it is the source itself. */
  body(onProgress: (progress: UploadProgress) => void): RequestInit['body'];
}

/** @param totalBytes of a source that does not tell it */
export function uploadOf(source: UploadSource, totalBytes: number | null = null): Upload {
  const known = blobOf(source);
  const bytes = known?.size ?? totalBytes;
  const isRepeatable = known !== null || typeof source === 'function';
  return {
    isRepeatable,
    totalBytes: bytes,
    body(onProgress) {
      if (known !== null && !sendsStreams()) return known;
      const stream = known?.stream() ?? (typeof source === 'function' ? source() : source);
      return counted(stream as ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>, (sentBytes) =>
        onProgress({ sentBytes, totalBytes: bytes }),
      );
    },
  };
}

function blobOf(source: UploadSource): Blob | null {
  if (source instanceof Blob) return source;
  if (typeof source === 'string' || source instanceof Uint8Array)
    return new Blob([source as string | Uint8Array<ArrayBuffer>]);
  return null;
}

/** A browser that knows no streams as bodies takes one for the text "[object ReadableStream]", and asks for no `duplex`. */
function sendsStreams(): boolean {
  let asksForDuplex = false;
  const init = {
    body: new ReadableStream(),
    method: 'POST',
    get duplex() {
      asksForDuplex = true;
      return 'half' as const;
    },
  };
  const request = new Request('http://localhost/', init);
  return asksForDuplex && !request.headers.has('content-type');
}

function counted(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  onSent: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const pieces = source instanceof ReadableStream ? chunksOf(source) : source;
  const iterator = pieces[Symbol.asyncIterator]();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      controller.enqueue(value);
      sent += value.byteLength;
      onSent(sent);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
