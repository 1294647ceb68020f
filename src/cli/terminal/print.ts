import { once } from 'node:events';
import { EXIT_CANNOT_CREATE, EXIT_PIPE_CLOSED } from './exit-codes.js';

/** Waits for a reader that is slower than we. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

let cleanUp: () => Promise<unknown> = async () => {};

/** Says what is still to be done when nobody reads the output any more. */
export function beforeOutputEnds(work: typeof cleanUp): void {
  cleanUp = work;
}

/** Ends the process when its output cannot be written: quietly where the reader of a pipe has gone (`| head`). */
export function endWithOutput(): void {
  process.stderr.on('error', () => {});
  process.stdout.once('error', (error) => void endBy(error));
}

async function endBy({ code, message }: NodeJS.ErrnoException): Promise<void> {
  process.stdout.on('error', () => {});
  if (code !== 'EPIPE') process.stderr.write(`The output cannot be written: ${message}\n`);
  await cleanUp();
  process.exit(code === 'EPIPE' ? EXIT_PIPE_CLOSED : EXIT_CANNOT_CREATE);
}

/** For commands that change something, which they do to the end whether or not somebody reads what they print. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** A text from outside, without bytes that a terminal would obey and characters that turn the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
