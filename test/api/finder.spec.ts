import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { DomainPatternsService } from '../../src/finder/domain-patterns.service.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { recipientOf } from '../support/mail-scripts.js';
import { type ScriptedSmtpServer, startScriptedSmtpServer } from '../support/scripted-smtp-server.js';
import type { TestService } from '../support/service.js';

const MAILBOXES = [
  'jane.doe@example.com',
  'jsmith@corp.example.com',
  'anna.berg@shape.example.com',
  'wei.wang@shape.example.com',
];

let service: TestService & { readonly smtp: ScriptedSmtpServer };
let account: FullAccount;

beforeAll(async () => {
  const MX = [[10, 'mx.example.com']] as const;
  service = await startMailService({
    host: startScriptedSmtpServer({
      onLine: (line) => {
        const recipient = recipientOf(line);
        if (recipient === null || recipient.endsWith('@any.example.com')) return undefined;
        if (recipient.endsWith('@grey.example.com')) return '451 4.7.1 Greylisted, come back later';
        return MAILBOXES.includes(recipient) ? undefined : '550 5.1.1 User unknown';
      },
    }),
    dns: {
      zones: {
        'example.com': { MX },
        '*.example.com': { MX },
        'mx.example.com': { A: ['127.0.0.1'] },
        'nomail.example.com': { MX: [[0, '']] },
      },
    },
    env: {
      registrationsPerHour: 100,
    },
  });
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { credits: 10 });
});

afterAll(() => service.close());

const find = (body: unknown, { key = account.liveKey, idempotencyKey = '' } = {}) => {
  const headers: Record<string, string> = idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey };
  return call(service, '/api/v1/finder/email', { key, body, headers });
};
const remaining = async () =>
  (await call(service, '/api/v1/credits', { key: account.liveKey })).body.remaining as number;
const jane = { full_name: 'Jane Doe', domain: 'example.com' };

describe('POST /api/v1/finder/email', () => {
  it('POST /api/v1/finder/email finds, explains and charges', async () => {
    const { status, body } = await find({
      first_name: 'Jane',
      last_name: 'Doe',
      domain: 'https://www.example.com/team',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: 'jane.doe@example.com',
      verdict: 'valid',
      pattern: '{first}.{last}',
      candidates_tried: 1,
      alternatives: [],
      checks: { syntax: 'pass', mx: 'pass', smtp: 'pass', catch_all: false },
      credits_charged: 1,
      reason: 'mailbox_exists',
      domain: 'example.com',
      evidence: { tried: [{ email: 'jane.doe@example.com', verdict: 'valid', reply_code: 250, stage: 'rcpt' }] },
    });
    expect(Object.keys(body).slice(0, 9)).toEqual([
      'email',
      'verdict',
      'confidence',
      'pattern',
      'candidates_tried',
      'alternatives',
      'checks',
      'credits_charged',
      'latency_ms',
    ]);
    expect(body.confidence).toBeGreaterThan(0.9);
    expect(await remaining()).toBe(9);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'POST /api/v1/finder/email takes %s for a name in every script, and not for a part of ours',
    async (last_name) => {
      for (const [first_name, domain] of [
        ['王', 'example.cn'],
        ['Иван', 'example.ru'],
        ['محمد', 'example.sa'],
        ['Γιώργος', 'example.gr'],
        ['太郎', 'example.jp'],
      ])
        expect((await find({ first_name, last_name, domain }, { key: account.testKey })).status).toBe(200);
    },
  );

  it('POST /api/v1/finder/email names the tried addresses before the found one', async () => {
    const { body } = await find({ full_name: 'Dr. John Smith', domain: 'someone@corp.example.com' });
    expect(body).toMatchObject({ email: 'jsmith@corp.example.com', verdict: 'valid', pattern: '{f}{last}' });
    expect(body.evidence.tried.map(({ email, reason }: { email: string; reason: string }) => [email, reason])).toEqual([
      ['john.smith@corp.example.com', 'mailbox_not_found'],
      ['jsmith@corp.example.com', 'mailbox_exists'],
    ]);
    expect(body.candidates_tried).toBe(2);
  });

  it('POST /api/v1/finder/email charges for the best guess on a catch-all, which is risky and has alternatives', async () => {
    const { body } = await find({ ...jane, domain: 'any.example.com' });
    expect(body).toMatchObject({
      verdict: 'risky',
      reason: 'catch_all',
      credits_charged: 1,
      checks: { catch_all: true },
    });
    expect(body.alternatives).toHaveLength(3);
    expect(body.alternatives[0]).toEqual({
      email: expect.stringMatching(/@any\.example\.com$/),
      pattern: expect.any(String),
      confidence: expect.any(Number),
    });
  });

  it.each([
    ['nobody is found', { full_name: 'Nobody Here', domain: 'example.com' }, [null, 'invalid', 'no_candidate_exists']],
    ['the domain takes no mail', { ...jane, domain: 'nomail.example.com' }, [null, 'invalid', 'null_mx']],
    [
      'the server does not tell',
      { ...jane, domain: 'grey.example.com' },
      ['jane.doe@grey.example.com', 'unknown', 'greylisted'],
    ],
  ])('POST /api/v1/finder/email charges nothing when %s', async (_, request, expected) => {
    const { status, body } = await find(request);
    expect(status).toBe(200);
    expect([body.email, body.verdict, body.reason]).toEqual(expected);
    expect(body.credits_charged).toBe(0);
    expect(await remaining()).toBe(10);
  });

  it('POST /api/v1/finder/email says when to come back where a later try may settle it', async () => {
    expect((await find({ ...jane, domain: 'grey.example.com' })).body.retry_after).toBeGreaterThan(0);
  });

  it.each([
    ['domain', { full_name: 'Jane Doe' }],
    ['domain', { full_name: 'Jane Doe', domain: 'no domain' }],
    ['domain', { full_name: 'Jane Doe', domain: '192.0.2.1' }],
    ['domain', { full_name: 'Jane Doe', domain: 7 }],
    ['full_name', { domain: 'example.com' }],
    ['full_name', { full_name: '  ', domain: 'example.com' }],
    ['full_name', { full_name: '123', domain: 'example.com' }],
    ['full_name', { full_name: 'x'.repeat(201), domain: 'example.com' }],
    ['last_name', { first_name: 'Jane', domain: 'example.com' }],
    ['first_name', { last_name: 'Doe', domain: 'example.com' }],
    ['first_name', { first_name: ['Jane'], last_name: 'Doe', domain: 'example.com' }],
    ['timeout_ms', { ...jane, timeout_ms: 999 }],
  ])('POST /api/v1/finder/email answers that %s is wrong and charges nothing (%#)', async (field, request) => {
    const { status, body } = await find(request);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'invalid_input', fields: [{ field }] });
    expect(await remaining()).toBe(10);
  });

  it.each(['gmail.com', 'someone@outlook.com', 'https://web.de/', 'mailinator.com'])(
    'POST /api/v1/finder/email refuses %s, where it would be guessing at strangers',
    async (domain) => {
      const { status, body } = await find({ ...jane, domain });
      expect([status, body.code]).toEqual([422, 'public_mail_domain']);
      expect(await remaining()).toBe(10);
    },
  );

  it('POST /api/v1/finder/email is 402 without credits, before anybody is asked', async () => {
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    const before = service.smtp.recipients.length;
    const { status, body } = await find(jane, { key: poor.liveKey });
    expect([status, body.code, body.required]).toEqual([402, 'credits_insufficient', 1]);
    expect(service.smtp.recipients.length).toBe(before);
  });

  it('POST /api/v1/finder/email is for full accounts', async () => {
    const { status, body } = await find(jane, { key: await register(service) });
    expect([status, body.code]).toEqual([403, 'full_account_required']);
  });

  it('POST /api/v1/finder/email with an idempotency key is answered and charged once', async () => {
    const [first, second] = [await find(jane, { idempotencyKey: 'f' }), await find(jane, { idempotencyKey: 'f' })];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await remaining()).toBe(9);
    const other = await find({ ...jane, domain: 'any.example.com' }, { idempotencyKey: 'f' });
    expect(other.body.code).toBe('idempotency_key_reused');
  });
});

describe('the pattern of a domain', () => {
  const counts = () =>
    service.app
      .get(DataSource)
      .query("SELECT pattern, addresses::integer FROM domain_patterns WHERE domain = 'shape.example.com'");

  it('the pattern of a domain comes from verified addresses that show their pattern, as counts and never as addresses', async () => {
    const verify = (email: string) => call(service, '/api/v1/verify', { key: account.liveKey, body: { email } });
    await verify('anna.berg@shape.example.com');
    await verify('anna.berg@shape.example.com');
    await verify('nobody.berg@shape.example.com');
    await service.app.get(DomainPatternsService).write();
    expect(await counts()).toEqual([{ pattern: '{first}.{last}', addresses: 1 }]);
    const { body } = await find({ full_name: '王伟', domain: 'shape.example.com' });
    expect(body).toMatchObject({
      email: 'wei.wang@shape.example.com',
      evidence: { known_addresses: 1, known_of_pattern: 1 },
    });
    await service.app.get(DomainPatternsService).write();
    expect(await counts()).toEqual([{ pattern: '{first}.{last}', addresses: 2 }]);
  });

  it('the pattern of a domain is not taught by catch-alls or by test keys', async () => {
    await find({ ...jane, domain: 'any.example.com' });
    await find({ ...jane, domain: 'tested.example.com' }, { key: account.testKey });
    await service.app.get(DomainPatternsService).write();
    const rows = await service.app
      .get(DataSource)
      .query("SELECT * FROM domain_patterns WHERE domain IN ('any.example.com', 'tested.example.com')");
    expect(rows).toEqual([]);
  });
});

describe('with a test key', () => {
  it.each<[request: object, expected: unknown[]]>([
    [{ full_name: 'Jane Doe', domain: 'acme.com' }, ['jane.doe@acme.com', 'valid', 'mailbox_exists']],
    [{ first_name: 'Jane', last_name: 'Invalid', domain: 'acme.com' }, [null, 'invalid', 'no_candidate_exists']],
    [{ full_name: 'Jane Doe', domain: 'invalid.acme.com' }, [null, 'invalid', 'no_candidate_exists']],
    [{ full_name: 'Catch All', domain: 'acme.com' }, [expect.any(String), 'risky', 'catch_all']],
    [
      { full_name: 'Jane Doe', domain: 'full.acme.com' },
      ['jane.doe@acme.com'.replace('acme', 'full.acme'), 'risky', 'mailbox_full'],
    ],
    [
      { full_name: 'Jane Doe', domain: 'greylisted.acme.com' },
      ['jane.doe@greylisted.acme.com', 'unknown', 'greylisted'],
    ],
    [{ full_name: 'Jane Doe', domain: 'disabled.acme.com' }, [null, 'invalid', 'no_candidate_exists']],
    [{ full_name: 'Jane Doe', domain: 'spam-trap.acme.com' }, [null, 'invalid', 'no_candidate_exists']],
    [{ full_name: 'Jane Doe', domain: 'role.acme.com' }, [null, 'unknown', 'no_candidate_exists']],
    [{ full_name: 'Jane Doe', domain: 'timeout.acme.com' }, ['jane.doe@timeout.acme.com', 'unknown', 'smtp_timeout']],
    [{ full_name: 'Jane Doe', domain: 'no-mx.acme.com' }, [null, 'invalid', 'no_mail_server']],
  ])('%j is answered by the simulated engine, and nothing is charged', async (request, expected) => {
    const { status, body } = await find(request, { key: account.testKey });
    expect(status).toBe(200);
    expect([body.email, body.verdict, body.reason]).toEqual(expected);
    expect(body.credits_charged).toBe(0);
    expect(await remaining()).toBe(10);
  });

  it.each([
    ['insufficient-credits', 402, 'credits_insufficient'],
    ['rate-limited', 429, 'rate_limited'],
    ['disposable', 422, 'public_mail_domain'],
  ])('the domain %s.acme.com is %i %s', async (word, status, code) => {
    const reply = await find({ ...jane, domain: `${word}.acme.com` }, { key: account.testKey });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });
});

describe('a person who asked not to be found', () => {
  const suppress = (body: object, key = account.liveKey) => call(service, '/api/v1/suppressions', { key, body });

  it('a person who asked not to be found is not found, not asked about and not charged for', async () => {
    await suppress({ email: 'Jane.Doe+news@EXAMPLE.com', reason: 'asked by letter' });
    const before = service.smtp.recipients.length;
    const { body } = await find(jane);
    expect([body.email, body.verdict, body.reason, body.credits_charged]).toEqual([null, 'unknown', 'suppressed', 0]);
    expect(body.evidence.tried).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('jane');
    expect(service.smtp.recipients.length).toBe(before);
  });

  it('a person who asked not to be found is found again when taken off the list, and by other accounts all the while', async () => {
    await suppress({ email: 'jane.doe@example.com' });
    const other = await createFullAccount({ url: service.env.databaseUrl });
    expect((await find(jane, { key: other.liveKey })).body.email).toBe('jane.doe@example.com');
    const gone = await call(service, '/api/v1/suppressions/jane.doe@example.com', {
      key: account.liveKey,
      method: 'DELETE',
    });
    expect(gone.status).toBe(204);
    expect((await find(jane)).body.email).toBe('jane.doe@example.com');
  });
});
