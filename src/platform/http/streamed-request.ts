import type { CallerStream } from './caller-stream.js';

/** A request whose route reads the body itself. */
export interface StreamedRequest {
  /** As it was sent; empty when it was not. */
  sentContentType: string;
  readonly body: CallerStream;
}
