/** A server that this process started, or joined because another copy of the service had started it. */
export interface EmbeddedServer {
  readonly url: string;
  /** The running server in words. */
  readonly what: string;
  /** Stops the server, unless somebody else uses it. */
  stop(): Promise<void>;
}
