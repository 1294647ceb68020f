import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openForm } from './caller-form.js';

it('a file that is read slowly leaves no listener behind for each of its pieces', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n');
    for (let i = 0; i < 40; i++) yield Buffer.alloc(65_536, 'a');
    yield Buffer.from('\r\n--x--\r\n');
  }
  const file = await openForm(pieces(), 'multipart/form-data; boundary=x', () => undefined);
  let bytes = 0;
  for await (const piece of file.pieces) {
    bytes += piece.length;
    await turn();
  }
  process.off('warning', note);
  expect([bytes, warnings]).toEqual([40 * 65_536, []]);
});
