import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CreditsService } from '../../src/credits/credits.service.js';
import { NOTHING_VERIFIED } from '../../src/engine/types.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { readBatch } from '../support/batches.js';
import { call } from '../support/call.js';
import { callTool, post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';
import { nextLook } from '../support/next-look.js';

let service: TestService;
let account: FullAccount;
let stranger: FullAccount;

beforeAll(async () => {
  service = await startService({ env: { registrationsPerHour: 2 } });
  const database = { url: service.env.databaseUrl };
  [account, stranger] = [await createFullAccount(database, { credits: 40 }), await createFullAccount(database)];
});

afterAll(() => service.close());

const use = async (name: string, given: object = {}, key = account.testKey) =>
  (await callTool(service, name, given, { key })).result;
const useKeyless = async (name: string, given: object = {}) => (await callTool(service, name, given)).result;

async function finishedBatch(emails: readonly string[], name?: string): Promise<number> {
  const { batch_id } = await use('verify_batch', { emails, ...(name !== undefined && { name }) });
  while ((await readBatch(service.env.databaseUrl, batch_id)).state !== 'completed') await nextLook();
  return batch_id;
}

describe('verify_email', () => {
  it.each([
    ['jane@example.com', 'valid', 'mailbox_exists', 'send', null],
    ['jane+catch-all@example.com', 'risky', 'catch_all', 'send_with_care', null],
    ['no address', 'invalid', 'invalid_syntax', 'do_not_send', null],
    ['jane+greylisted@example.com', 'unknown', 'greylisted', 'retry_later', expect.any(Number)],
  ])(
    'verify_email says of %s that it is %s, why, and what to do',
    async (email, result, reason, action, retryAfter) => {
      const told = await use('verify_email', { email });
      expect(told).toMatchObject({ email, result, reason, action, retry_after: retryAfter, credits_charged: 0 });
      expect(told.explanation.length).toBeGreaterThan(20);
    },
  );

  it('verify_email says of an unknown without a time after which it may be settled what has to happen first', async () => {
    const verified = { ...NOTHING_VERIFIED, verdict: 'unknown' as const, reason: 'sender_rejected' as const };
    const verify = vi
      .spyOn(service.app.get(VerifyService), 'verify')
      .mockResolvedValueOnce({ verification: verified, creditsCharged: 0, latencyMs: 1 });
    const told = await use('verify_email', { email: 'jane@example.com' });
    verify.mockRestore();
    expect(told).toMatchObject({ action: 'retry_later', retry_after: null });
    expect(told.next_step).toContain('tomorrow');
    expect((await use('explain_result', { reason: 'sender_rejected' })).next_step).toContain('retry_after');
  });

  it('verify_email charges a live key as the REST interface does, and shows the rest', async () => {
    const told = await use('verify_email', { email: 'jane@nowhere.invalid' }, account.liveKey);
    const { body } = await call(service, '/api/v1/credits', { key: account.liveKey });
    expect(told).toMatchObject({ credits_charged: 1, credits_remaining: body.remaining });
    expect(body).toMatchObject({ remaining: 39, used_total: 1, reserved: 0 });
  });

  it.each([
    ['insufficient-credits@example.com', 'credits_insufficient', 'add_credits'],
    ['rate-limited@example.com', 'rate_limited', 'retry_later'],
  ])('verify_email lets a test key try how %s is refused', async (email, code, action) => {
    expect(await use('verify_email', { email })).toMatchObject({ success: false, code, action });
  });

  it('verify_email says that a fault is ours, and nothing else of it', async () => {
    const fault = vi.spyOn(service.app.get(CreditsService), 'reserve').mockRejectedValueOnce(new Error('secret'));
    const told = await use('verify_email', { email: 'jane@example.com' });
    fault.mockRestore();
    expect(told).toMatchObject({ code: 'internal_error', action: 'none' });
    expect(JSON.stringify(told)).not.toContain('secret');
  });
});

describe('a batch', () => {
  it('a batch is taken, reported on, and read in the order that it was sent, repeated addresses too', async () => {
    const emails = ['jane@example.com', 'invalid@example.com', 'JANE@example.com', ' jane@EXAMPLE.com', 'no address'];
    const taken = await use('verify_batch', { emails, name: 'Guests' });
    expect(taken).toMatchObject({
      status: 'queued',
      total_emails: 5,
      unique_emails: 4,
      action: 'poll',
      retry_after: 3,
    });
    const { batch_id } = taken;
    const early = await use('get_batch_status', { batch_id });
    expect(['queued', 'processing', 'completed']).toContain(early.status);
    await expect.poll(async () => (await readBatch(service.env.databaseUrl, batch_id)).state).toBe('completed');
    expect(await use('get_batch_status', { batch_id })).toMatchObject({
      name: 'Guests',
      status: 'completed',
      processed: 5,
      counts: { valid: 3, invalid: 2, risky: 0, unknown: 0 },
      list_id: batch_id,
      action: 'get_list',
    });
    const list = await use('get_list', { list_id: batch_id });
    expect(list.results.map(({ result }: { result: string }) => result)).toEqual([
      'valid',
      'invalid',
      'valid',
      'valid',
      'invalid',
    ]);
    expect(list).toMatchObject({ name: 'Guests', next_cursor: null, action: 'none' });
  });

  it('a batch is read page by page and by verdict', async () => {
    const list_id = await finishedBatch(['a@example.com', 'invalid@example.com', 'b@example.com', 'c@example.com']);
    const first = await use('get_list', { list_id, verdict: 'valid', limit: 2 });
    expect(first.results.map(({ email }: { email: string }) => email)).toEqual(['a@example.com', 'b@example.com']);
    expect(first.action).toBe('get_list');
    const second = await use('get_list', { list_id, verdict: 'valid', limit: 2, cursor: first.next_cursor });
    expect(second.results.map(({ email }: { email: string }) => email)).toEqual(['c@example.com']);
    expect(second.next_cursor).toBeNull();
    expect(await use('get_list', { list_id, cursor: 'mine' })).toMatchObject({ code: 'invalid_input' });
  });

  it('a batch is refused when it is empty or too long, whatever the plan, and nothing of it is stored', async () => {
    const before = await use('list_lists', { limit: 100 });
    expect(await use('verify_batch', { emails: [] })).toMatchObject({ code: 'invalid_input' });
    const emails = Array.from({ length: 26 }, (_, i) => `p${i}@example.com`);
    expect(await use('verify_batch', { emails })).toMatchObject({ code: 'too_many_emails', limit: 25 });
    expect(await use('verify_batch', { emails }, account.liveKey)).toMatchObject({ code: 'too_many_emails' });
    expect((await use('list_lists', { limit: 100 })).lists).toEqual(before.lists);
  });

  it('a batch is refused when the credits do not suffice for all of it', async () => {
    const { liveKey } = await createFullAccount({ url: service.env.databaseUrl }, { credits: 2 });
    const told = await use(
      'verify_batch',
      { emails: ['a@nowhere.invalid', 'b@nowhere.invalid', 'c@nowhere.invalid'] },
      liveKey,
    );
    expect(told).toMatchObject({ code: 'credits_insufficient', required: 3, remaining: 2, action: 'add_credits' });
    expect(await use('get_credit_balance', {}, liveKey)).toMatchObject({ credits_remaining: 2, daily: null });
  });

  it('a batch of another account is one that does not exist', async () => {
    const id = await finishedBatch(['a@example.com']);
    for (const key of [stranger.testKey, stranger.liveKey]) {
      expect(await use('get_batch_status', { batch_id: id }, key)).toMatchObject({ code: 'batch_not_found' });
      expect(await use('get_list', { list_id: id }, key)).toMatchObject({ code: 'list_not_found' });
      expect((await use('list_lists', {}, key)).lists).toEqual([]);
    }
    for (const id of [0, -1, 1.5, 2 ** 60, '7.0', null])
      expect(await use('get_batch_status', { batch_id: id })).toMatchObject({ code: 'invalid_input' });
  });
});

it('list_lists goes on where a page ended', async () => {
  for (const name of ['one', 'two', 'three']) await finishedBatch(['a@example.com'], name);
  const first = await use('list_lists', { limit: 2 });
  expect(first.lists.map(({ name }: { name: string }) => name)).toEqual(['three', 'two']);
  const second = await use('list_lists', { limit: 1, cursor: first.next_cursor });
  expect(second.lists[0].name).toBe('one');
});

describe('estimate_cost', () => {
  it('estimate_cost of a count needs no key', async () => {
    expect(await useKeyless('estimate_cost', { count: 60 })).toMatchObject({
      unique_addresses: 60,
      credits_required: 60,
      batches: 3,
      unknown_is_charged: true,
      sufficient: null,
      credits_remaining: null,
      next_step: expect.stringContaining('get_api_key'),
    });
  });

  it('estimate_cost of addresses counts repeated ones once, and says whether the credits suffice', async () => {
    const emails = ['a@example.com', 'a@EXAMPLE.com ', 'A@example.com', 'b@ü.example', 'b@Ü.example'];
    const told = await use('estimate_cost', { emails }, stranger.liveKey);
    expect(told).toMatchObject({
      addresses: 5,
      unique_addresses: 3,
      credits_required: 3,
      unknown_is_charged: false,
      sufficient: true,
      credits_remaining: 1000,
    });
    expect(await use('estimate_cost', { count: 1001 }, stranger.liveKey)).toMatchObject({ sufficient: false });
  });

  it('estimate_cost of addresses needs a key', async () => {
    expect(await useKeyless('estimate_cost', { emails: ['a@example.com'] })).toMatchObject({ code: 'key_missing' });
  });

  it('estimate_cost goes by the addresses where a count comes too', async () => {
    const told = await use('estimate_cost', { count: 60, emails: ['a@example.com', 'no address'] }, stranger.liveKey);
    expect(told).toMatchObject({ addresses: 2, credits_required: 1, malformed: 1 });
  });

  it.each([[{}], [{ count: 0 }], [{ count: 1_000_001 }], [{ emails: [] }]])(
    'estimate_cost refuses %j',
    async (given) => {
      expect(await use('estimate_cost', given)).toMatchObject({ code: 'invalid_input', action: 'correct_input' });
    },
  );
});

describe('explain_result', () => {
  it('explain_result says what a reason means, without a key', async () => {
    const told = await useKeyless('explain_result', { reason: 'catch_all' });
    expect(told).toMatchObject({ reason: 'catch_all', result: 'risky', action: 'send_with_care', reasons: [] });
  });

  it('explain_result says what a verdict means, with all its reasons', async () => {
    const told = await useKeyless('explain_result', { result: 'risky' });
    expect(told.reasons.map(({ reason }: { reason: string }) => reason)).toEqual(
      expect.arrayContaining(['catch_all', 'disposable', 'role_account', 'spam_trap']),
    );
  });

  it.each([[{}], [{ reason: 'because' }], [{ reason: 'constructor' }], [{ result: 'good' }]])(
    'explain_result refuses %j',
    async (given) => {
      expect(await useKeyless('explain_result', given)).toMatchObject({ code: 'invalid_input' });
    },
  );
});

describe('get_api_key', () => {
  it('get_api_key registers within the limits of the REST interface, and tells how to reconnect', async () => {
    const told = await useKeyless('get_api_key', { name: 'Scout', purpose: 'Testing', contact: null });
    expect(told).toMatchObject({ daily_free_credits: 25, action: 'reconnect', quota: { batch_size: 25 } });
    expect(JSON.parse(told.connect.configuration)).toEqual({
      mcpServers: {
        mailsonde: {
          type: 'http',
          url: `${service.url}/mcp`,
          headers: { Authorization: `Bearer ${told.api_key}` },
        },
      },
    });
    const balance = await use('get_credit_balance', {}, told.api_key);
    expect(balance).toMatchObject({ credits_remaining: 25, balance: null, daily: { daily_free_credits: 25 } });
    expect((await call(service, '/api/v1/credits', { key: told.api_key })).status).toBe(200);
  });

  it('get_api_key refuses what is too long or is no contact, and counts nothing', async () => {
    const given = { name: 'n'.repeat(81), purpose: 'a\0b', contact: 'Jane of Example Ltd' };
    const { fields } = await useKeyless('get_api_key', given);
    expect(fields.map(({ field }: { field: string }) => field)).toEqual(['name', 'purpose', 'contact']);
  });

  it('get_api_key is refused when the address has registered too often, with the time to wait', async () => {
    expect((await call(service, '/agent-gateway/register', { method: 'POST' })).status).toBe(201);
    const { headers, result } = await callTool(service, 'get_api_key', {});
    expect(result).toMatchObject({
      code: 'registration_limited',
      action: 'retry_later',
      retry_after: expect.any(Number),
    });
    expect(headers.get('retry-after')).toBe(String(result.retry_after));
  });
});

describe('the arguments', () => {
  it('the arguments may be written as models write them: numbers and lists as text, and nothing as an empty text or null', async () => {
    const nothing = { max_credits: '', idempotency_key: null, name: '' };
    const list_id = await finishedBatch(['a@example.com', 'invalid@example.com']);
    expect(await use('get_list', { list_id: String(list_id), limit: '1', verdict: '' })).toMatchObject({ list_id });
    expect(await use('verify_email', { email: 'jane@example.com', ...nothing })).toMatchObject({ result: 'valid' });
    expect(await use('estimate_cost', { count: ' 7 ', emails: '' })).toMatchObject({ addresses: 7 });
    expect(await useKeyless('estimate_cost', { count: '3', emails: [] })).toMatchObject({ addresses: 3 });
    const text = JSON.stringify(['a@example.com', 'b@example.com']);
    expect(await use('verify_batch', { emails: text, ...nothing })).toMatchObject({ total_emails: 2 });
    expect(await use('verify_batch', { emails: 'a@example.com' })).toMatchObject({ total_emails: 1 });
  });

  it.each([
    ['get_list', { list_id: '-1' }],
    ['get_list', { list_id: '1e3' }],
    ['get_list', { list_id: '9'.repeat(17) }],
    ['verify_batch', { emails: '[{"a": 1}]' }],
    ['verify_batch', { emails: '' }],
    ['verify_email', { email: '' }],
    ['verify_email', {}],
  ])('the arguments of %s are refused as %j', async (name, given) => {
    expect(await use(name, given)).toMatchObject({ code: 'invalid_input', action: 'correct_input' });
  });

  it('the arguments of a strict client are all there: each that may be left out may be null', async () => {
    const { body } = await post(service, request('tools/list'));
    for (const { name, inputSchema } of body.result.tools)
      for (const [member, schema] of Object.entries<{ type?: string[]; anyOf?: { type: string }[] }>(
        inputSchema.properties,
      )) {
        if (inputSchema.required?.includes(member)) continue;
        const types = schema.type ?? schema.anyOf!.map(({ type }) => type);
        expect(types, `${name}.${member}`).toContain('null');
      }
  });
});

it('more than 25 addresses are refused with what to do instead', async () => {
  const emails = Array.from({ length: 26 }, (_, i) => `p${i}@example.com`);
  const { next_step } = await use('verify_batch', { emails });
  expect(next_step).toContain(`${service.url}/api/v1/verify/batch`);
});

it('all tools together are listed in 16,000 bytes, each result as one flat object', async () => {
  const { body } = await post(service, request('tools/list'));
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(16_000);
  for (const { outputSchema } of body.result.tools)
    expect([outputSchema.type, outputSchema.oneOf, outputSchema.anyOf]).toEqual(['object', undefined, undefined]);
});

it('every tool says when to use it, what it costs and what comes back', async () => {
  const { body } = await post(service, request('tools/list'));
  for (const { name, title, description, inputSchema } of body.result.tools) {
    expect(description, name).toMatch(/[Uu]se /);
    expect(description, name).toMatch(/[Cc]osts? |Free/);
    expect(description, name).toMatch(/Returns? /);
    expect(description.length, name).toBeLessThan(1000);
    expect([title.length > 5, inputSchema.type]).toEqual([true, 'object']);
    for (const [member, { description: said }] of Object.entries<{ description?: string }>(inputSchema.properties))
      expect(said, `${name}.${member}`).toBeTruthy();
  }
});
