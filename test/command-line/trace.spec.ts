import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { runProgram } from '../../src/cli/admin/run-program.js';
import { ServiceLogger } from '../../src/platform/logging/service-logger.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

let directory: string;
let log: string;
let database: TestDatabase;
let account: FullAccount;
let service: TestService;
let written = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mailsonde-trace-'));
  log = join(directory, 'service.log');
  database = await createTestDatabase();
  account = await createFullAccount(database);
  service = await startService({ database });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  Logger.overrideLogger(new ServiceLogger({ logLevel: 'info' }, false));
});
afterAll(async () => {
  Logger.overrideLogger(false);
  vi.restoreAllMocks();
  await service.close();
  await database.drop();
  await rm(directory, { recursive: true });
});

async function trace(...argv: string[]): Promise<{ exit: number; out: string; error: string }> {
  let [out, error] = ['', ''];
  const open = () => Promise.reject(new Error('it needs no database'));
  const terminal = { out: (text: string) => (out += text), error: (text: string) => (error += text) };
  const exit = await runProgram(['trace', ...argv], open, terminal);
  return { exit, out, error };
}

/** Everything that was logged, once this has been. */
async function logged(text: string): Promise<string> {
  await expect.poll(() => written).toContain(text);
  await writeFile(log, `not ours\n{"half":\n${written}`);
  return readFile(log, 'utf8');
}

describe('a request is followed by one id', () => {
  it('a request is followed by one id from its head to what decided about its address', async () => {
    const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, 'x-request-id': 'order-17' };
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'jane@no-such.invalid' }, headers });
    await logged('POST /api/v1/verify 200');
    const found = await trace(TRACE_ID, log);
    expect(found).toMatchObject({ exit: 0, error: '' });
    const [edge, verified] = found.out.split('\n');
    expect(edge).toMatch(/\+0 ms {2}Access +POST \/api\/v1\/verify 200 {2}.*request_id=order-17/);
    expect(verified).toMatch(/Trace +verified: \w+, \w+, decided at dns/);
    expect((await trace('order-17', log)).out).toBe(found.out);
    expect(found.out).not.toContain('no-such');
  });

  it('a request is followed by one id from an upload to the chunks of its batch, on whatever machine they are worked', async () => {
    const body = { emails: ['none', 'nobody@no-such.invalid'] };
    const { body: batch } = await call(service, '/api/v1/verify/batch', { key: account.liveKey, body });
    await logged('chunks stored');
    const { out } = await trace(String(batch.id), log);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toContain('POST /api/v1/verify/batch 201');
    expect(lines[1]).toContain('batch taken in: 2 rows, 1 chunks');
    expect(lines.at(-1)).toMatch(/chunks stored: 0 \(pass 0\) .*answers=\{"invalid invalid_syntax":1/);
    const [first] = (await trace(String(batch.id), log, '--json')).out.split('\n');
    expect(JSON.parse(first!)).toMatchObject({ context: 'Access', trace_id: expect.stringMatching(/^[\da-f]{32}$/) });
  });

  it.each([
    ['00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    [`00-${TRACE_ID}-0000000000000000-01`],
    [`ff-${TRACE_ID}-00f067aa0ba902b7-01`],
    [`00-${TRACE_ID}-00f067aa0ba902b7-01-more`],
    [`00-${TRACE_ID.toUpperCase()}-00f067aa0ba902b7-01`],
    [`01-${TRACE_ID}-00f067aa0ba902b7-01-${'x'.repeat(300)}`],
  ])('a request is followed by one id and gets an id of our own where its header is none: %s', async (traceparent) => {
    written = '';
    await call(service, '/api/v1/credits', { key: account.liveKey, headers: { traceparent } });
    const text = await logged('GET /api/v1/credits 200');
    expect(text).toMatch(/"trace_id":"[\da-f]{32}"/);
    expect(text).not.toContain(TRACE_ID);
  });

  it('a request is followed by one id and says so where no line belongs to it', async () => {
    expect(await trace('nobody', log)).toEqual({
      exit: 1,
      out: '',
      error: 'No line of these logs belongs to it. (not_found)\n',
    });
  });
});
