import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openForm } from './caller-form.js';

it('a file that is read slowly leaves no listener behind for each of its pieces', async () => {
  // Warnings of other specs of this process are not counted.
  const ours = new AsyncLocalStorage<true>();
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void (ours.getStore() && warnings.push(name));
  process.on('warning', note);
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n');
    for (let i = 0; i < 40; i++) yield Buffer.alloc(65_536, 'a');
    yield Buffer.from('\r\n--x--\r\n');
  }
  let bytes = 0;
  await ours.run(true, async () => {
    const file = await openForm(pieces(), 'multipart/form-data; boundary=x', () => undefined);
    for await (const piece of file.pieces) {
      bytes += piece.length;
      await turn();
    }
  });
  process.off('warning', note);
  expect([bytes, warnings]).toEqual([40 * 65_536, []]);
});
