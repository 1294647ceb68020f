/** A configured server that does not come. The message is one line; another try may succeed. */
export class ServerAwayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ServerAwayError';
  }
}
