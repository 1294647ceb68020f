import type { CallerStream } from './caller-stream.js';

/** A request whose route reads the body itself. */
export interface StreamedRequest {
  /** The field as it was sent; empty without one. */
  sentContentType: string;
  readonly body: CallerStream;
}
