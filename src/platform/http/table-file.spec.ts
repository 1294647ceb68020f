import type { ExecutionContext, StreamableFile } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import { expect, it } from 'vitest';
import { HeadOfFileInterceptor, tableFile } from './table-file.js';

it.each([
  ['HEAD', 0, ''],
  ['GET', 2, '{"n":0}\n{"n":1}\n'],
])('%s of a file makes %i of its rows', async (method, made, text) => {
  let rows = 0;
  async function* count(): AsyncGenerator<object> {
    while (rows < 2) yield await Promise.resolve({ n: rows++ });
  }
  const file = tableFile({ name: 'numbers', format: 'ndjson', columns: [], rows: count() });
  const context = { getArgByIndex: (): unknown => ({ method }) } as unknown as ExecutionContext;
  const sent = new HeadOfFileInterceptor().intercept(context, { handle: () => of(file) });
  const answer = (await lastValueFrom(sent)) as StreamableFile;
  let body = '';
  for await (const piece of answer.getStream()) body += String(piece);
  expect([rows, body, answer.getHeaders().disposition]).toEqual([made, text, file.getHeaders().disposition]);
});
