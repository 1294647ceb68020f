/** A configured server did not answer in time. The message is one line; another try may succeed. */
export class ServerAwayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerAwayError';
  }
}
