import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { ServiceLogger } from '../../src/platform/logging/service-logger.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startService, type TestService } from '../support/service.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

let database: TestDatabase;
let account: FullAccount;
let service: TestService;
let written = '';

beforeAll(async () => {
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
});

type Line = Readonly<Record<string, unknown>>;

/** The lines of the log with a trace id. */
const linesOf = (text: string, traceId: unknown): Line[] =>
  text.split('\n').flatMap((line) => {
    const parsed = line.startsWith('{') && line.endsWith('}') ? (JSON.parse(line) as Line) : {};
    return parsed['trace_id'] === traceId ? [parsed] : [];
  });

/** Everything that was logged, once this has been. */
async function logged(text: string): Promise<string> {
  await expect.poll(() => written).toContain(text);
  return written;
}

describe('a request is followed by one id', () => {
  it('a request is followed by one id from its head to what decided about its address', async () => {
    const headers = { traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`, 'x-request-id': 'order-17' };
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'jane@no-such.invalid' }, headers });
    const [edge, verified] = linesOf(await logged('POST /api/v1/verify 200'), TRACE_ID).toReversed();
    expect(edge).toMatchObject({ context: 'Access', request_id: 'order-17' });
    expect(edge!['message']).toMatch(/^POST \/api\/v1\/verify 200/);
    expect(verified!['message']).toMatch(/^verified: \w+, \w+, decided at dns/);
    expect(JSON.stringify([edge, verified])).not.toContain('no-such');
  });

  it('a request is followed by one id from an upload to the chunks of its batch, on whatever machine they are worked', async () => {
    const body = { emails: ['none', 'nobody@no-such.invalid'] };
    const { body: batch } = await call(service, '/api/v1/verify/batch', { key: account.liveKey, body });
    const text = await logged('chunks stored');
    const taken = text.split('\n').find((line) => line.includes('batch taken in') && line.includes(String(batch.id)));
    const lines = linesOf(text, (JSON.parse(taken!) as Line)['trace_id']);
    const messages = lines.map(({ message }) => String(message));
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringContaining('POST /api/v1/verify/batch 201'),
        expect.stringContaining('batch taken in: 2 rows, 1 chunks'),
        expect.stringContaining('chunks stored: 0 (pass 0)'),
      ]),
    );
    expect(lines.at(-1)).toMatchObject({ answers: { 'invalid invalid_syntax': 1 } });
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
});
