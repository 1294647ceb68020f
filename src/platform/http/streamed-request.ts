import type { Readable } from 'node:stream';

/** A request whose route reads the body itself. */
export interface StreamedRequest {
  /** As it was sent; empty when it was not. */
  sentContentType: string;
  readonly body: Readable;
}
