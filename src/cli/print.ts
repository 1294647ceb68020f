import { once } from 'node:events';

/** Waits for a reader that is slower than we. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
