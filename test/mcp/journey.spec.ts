import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBatch } from '../support/batches.js';
import { startMailService } from '../support/mail-service.js';
import { connect } from '../support/mcp.js';
import type { TestService } from '../support/service.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { nextLook } from '../support/next-look.js';

let service: TestService;

beforeAll(async () => {
  service = await startMailService({
    host: startSmtpServer({
      recipients: (address) => (/^(person-\d+|postmaster)@/.test(address) ? 'accept' : '550 5.1.1 User unknown'),
    }),
    dns: {
      zones: { 'example.com': { MX: [[10, 'mx.example.com']] }, 'mx.example.com': { A: ['127.0.0.1'] } },
    },
    env: {
      registrationsPerHour: 100,
    },
  });
});

afterAll(() => service.close());

// oxlint-disable-next-line typescript/no-explicit-any
type Result = any;

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'an agent that speaks %s and has never heard of us gets a key and uses its whole day',
  async (version) => {
    const stranger = await connect(service, version);
    expect(stranger.protocolVersion).toBe(version);
    expect(stranger.client.getServerVersion()).toMatchObject({ name: 'mailsonde', title: 'Mailsonde' });
    expect(stranger.client.getInstructions()).toContain('get_api_key');
    const { tools } = await stranger.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'verify_email',
      'verify_batch',
      'get_credit_balance',
      'estimate_cost',
      'explain_result',
      'list_lists',
      'get_list',
      'get_batch_status',
      'get_api_key',
    ]);
    const refused = await stranger.client.callTool({ name: 'verify_email', arguments: { email: 'a@example.com' } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'key_missing', action: 'get_api_key' } });
    const registered = await stranger.client.callTool({ name: 'get_api_key', arguments: { name: 'Journey' } });
    const { connect: how, api_key, claim_url, next_step } = registered.structuredContent as Result;
    expect(next_step).toContain('claim_token');
    expect(next_step).toContain(claim_url);
    expect(how).toMatchObject({ url: `${service.url}/mcp`, headers: { Authorization: `Bearer ${api_key}` } });
    await stranger.client.close();

    const { client } = await connect(service, version, api_key);
    // The client holds each result against the output schema that `listTools` has told it.
    await client.listTools();
    const call = async (name: string, given: object = {}) =>
      (await client.callTool({ name, arguments: { ...given } })).structuredContent as Result;
    expect(await call('verify_email', { email: 'person-0@example.com' })).toMatchObject({
      success: true,
      result: 'valid',
      action: 'send',
      credits_charged: 1,
      credits_remaining: 24,
    });
    const emails = Array.from({ length: 24 }, (_, i) => `${i % 2 === 0 ? 'person' : 'nobody'}-${i}@example.com`);
    const batch = await call('verify_batch', { emails, name: 'All of them' });
    expect(batch).toMatchObject({ status: 'queued', total_emails: 24, credits_remaining: 0, action: 'poll' });
    await ended(batch.batch_id);
    expect(await call('get_batch_status', { batch_id: batch.batch_id })).toMatchObject({
      status: 'completed',
      progress: 1,
      counts: { valid: 12, invalid: 12, risky: 0, unknown: 0 },
      list_id: batch.batch_id,
      action: 'get_list',
    });
    const { lists } = await call('list_lists');
    expect(lists).toMatchObject([{ list_id: batch.batch_id, name: 'All of them', total_emails: 24 }]);
    const { results } = await call('get_list', { list_id: lists[0].list_id });
    expect(results.map(({ email }: Result) => email)).toEqual(emails);
    expect(results[1]).toMatchObject({ result: 'invalid', reason: 'mailbox_not_found', action: 'do_not_send' });
    expect(await call('get_credit_balance')).toMatchObject({ credits_remaining: 0, daily: { used_today: 25 } });
    expect(await call('verify_email', { email: 'person-26@example.com' })).toMatchObject({
      success: false,
      code: 'credits_insufficient',
      required: 1,
      remaining: 0,
      action: 'retry_later',
      retry_after: expect.any(Number),
    });
    expect(await call('get_credit_balance')).toMatchObject({
      action: 'retry_later',
      retry_after: expect.any(Number),
      daily: { used_today: 25, reserved: 0 },
    });
    await client.close();
  },
);

/** Asked of the database: the tool for it is counted. */
async function ended(batchId: number): Promise<void> {
  while ((await readBatch(service.env.databaseUrl, batchId)).state !== 'completed') await nextLook();
}
