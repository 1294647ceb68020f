import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../src/engine/verification/engine.js';
import { ENGINE } from '../../src/verify/engine.provider.js';
import { call, register } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import type { TestService } from '../support/service.js';
import { startSmtpServer } from '../support/smtp-server.js';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startMailService({
    host: startSmtpServer({
      recipients: (address) => (/^(real|postmaster)@/.test(address) ? 'accept' : '550 5.1.1 User unknown'),
    }),
    dns: {
      zones: {
        'example.com': { MX: [[10, 'mx.example.com']] },
        'mx.example.com': { A: ['127.0.0.1'] },
        'silent.example.com': 'silent',
      },
    },
    env: {
      registrationsPerHour: 1000,
      registrationsPerDay: 1000,
    },
  });
});

beforeEach(async () => {
  key = await register(service);
});

afterAll(() => service.close());

const verify = (body: unknown) => call(service, '/api/v1/verify', { key, body });
const used = async () => (await call(service, '/api/v1/credits', { key })).body.data.used_today as number;

describe('an agent', () => {
  it('an agent reads in headers what to do, and when to ask again, and in a replay too', async () => {
    const headers = { 'idempotency-key': 'advice' };
    const ask = async (email: string) => {
      const reply = await call(service, '/api/v1/verify', { key, headers, body: { email, timeout_ms: 1000 } });
      return [reply.status, reply.headers.get('mailsonde-action'), reply.headers.get('retry-after')];
    };
    const first = await ask('someone@silent.example.com');
    expect(first).toEqual([200, 'retry_later', expect.stringMatching(/^[1-9]\d*$/)]);
    expect(await ask('someone@silent.example.com')).toEqual(first);
    headers['idempotency-key'] = 'more-advice';
    expect(await ask('real@example.com')).toEqual([200, 'send', null]);
  });

  it('an agent gets exactly the nine fields in the envelope, in their order', async () => {
    const { status, body } = await verify({ email: 'real@example.com' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        email: 'real@example.com',
        result: 'valid',
        reason: 'mailbox_exists',
        score: expect.any(Number),
        disposable: false,
        role: false,
        free: false,
        accept_all: false,
        did_you_mean: null,
      },
    });
    expect(Object.keys(body.data)).toEqual([
      'email',
      'result',
      'reason',
      'score',
      'disposable',
      'role',
      'free',
      'accept_all',
      'did_you_mean',
    ]);
    expect(await used()).toBe(1);
  });

  it('an agent gets the verdict on a mailbox that does not exist, and is charged', async () => {
    const { body } = await verify({ email: 'missing@example.com' });
    expect(body.data).toMatchObject({ result: 'invalid', reason: 'mailbox_not_found' });
    expect(await used()).toBe(1);
  });

  it('an agent is charged for an unknown too, which comes within its time', async () => {
    const startedAt = performance.now();
    const { status, body } = await verify({ email: 'someone@silent.example.com', timeout_ms: 1000 });
    expect(status).toBe(200);
    expect(body.data.result).toBe('unknown');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await used()).toBe(1);
  });

  it.each([
    ['nothing', ''],
    ['no address', 'no address'],
    ['two at signs', 'a@b@c'],
    ['a control character', 'a\u0000b@example.com'],
    ['a thousand characters', 'x'.repeat(1000)],
  ])('an agent gets a verdict on %s, not an error', async (_, email) => {
    const { status, body } = await verify({ email });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ result: 'invalid', reason: 'invalid_syntax' });
    expect(await used()).toBe(1);
  });

  it.each([
    ['email', {}],
    ['email', { email: null }],
    ['email', { email: 7 }],
    ['email', { email: ['real@example.com'] }],
    ['email', { email: 'x'.repeat(1001), timeout_ms: 1000 }],
    ['timeout_ms', { email: 'real@example.com', timeout_ms: 999 }],
    ['timeout_ms', { email: 'real@example.com', timeout_ms: 60_001 }],
    ['timeout_ms', { email: 'real@example.com', timeout_ms: '5000' }],
    ['timeout_ms', { email: 'real@example.com', timeout_ms: 1500.5 }],
  ])('an agent gets the error that %s is wrong and pays nothing (%#)', async (field, body) => {
    const reply = await verify(body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ success: false, code: 'invalid_input', fields: [{ field }] });
    expect(await used()).toBe(0);
  });

  it('an agent gets first the error that a number is no address, before how long one may be', async () => {
    const { body } = await verify({ email: 7 });
    expect(body.fields).toEqual([{ field: 'email', error: 'email must be a string' }]);
  });

  it.each([[[]], ['text'], [7], [null]])('an agent gets the error that a body of %j is wrong', async (body) => {
    const reply = await verify(body);
    expect([reply.status, reply.body.code]).toEqual([422, 'invalid_input']);
    expect(await used()).toBe(0);
  });

  it('an agent pays nothing for a fault of ours', async () => {
    const fault = vi.spyOn(service.app.get<Engine>(ENGINE), 'verify').mockRejectedValueOnce(new Error('broken'));
    const { status, body } = await verify({ email: 'real@example.com' });
    fault.mockRestore();
    expect([status, body.code]).toEqual([500, 'internal_error']);
    expect(await used()).toBe(0);
    const [{ open }] = await service.app
      .get(DataSource)
      .query('SELECT count(*)::integer AS open FROM credit_reservations');
    expect(open).toBe(0);
  });
});

it('the agents’ OpenAPI document names every reply field, in their order', async () => {
  const { paths, components } = (await call(service, '/agent-gateway/openapi.json')).body;
  const reply = paths['/api/v1/verify'].post.responses['200'].content['application/json'].schema;
  expect(reply.properties.data.$ref).toBe('#/components/schemas/VerificationData');
  const { body } = await verify({ email: 'real@example.com' });
  expect(Object.keys(components.schemas.VerificationData.properties)).toEqual(Object.keys(body.data));
});
