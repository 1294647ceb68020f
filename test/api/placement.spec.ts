import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { PlacementLoop } from '../../src/deliverability/placement/placement-loop.js';
import { TestMail } from '../../src/deliverability/placement/test-mail.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { MovedClock } from '../support/manual-clock.js';
import { startService, type TestService } from '../support/service.js';
import { DKIM_RECORD, signedMail } from '../support/sign-mail.js';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let aheadMs = 0;
const time = new MovedClock();
/** Whoever waits for the end of a look at the tests that are due. */
const waiting = new Set<() => void>();

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'example.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      's1._domainkey.example.com': { TXT: [DKIM_RECORD.match(/.{1,250}/g)!] },
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
    },
  });
  const clock = { now: () => time.now() + aheadMs };
  service = await startService({ env: { dnsServers: [dns.address] }, clock, timer: time });
  const loop = service.app.get(PlacementLoop);
  const run = loop.run.bind(loop);
  loop.run = () =>
    run().finally(() => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  aheadMs = 0;
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const TESTS = '/api/v1/placement/tests';
const create = (body: object = {}, key = account.liveKey, headers = {}) => call(service, TESTS, { key, body, headers });
const get = (id: number | string, key = account.liveKey) => call(service, `${TESTS}/${id}`, { key });
const remove = (id: number, key = account.liveKey) => call(service, `${TESTS}/${id}`, { key, method: 'DELETE' });
const credits = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body;
const rowsOf = <T>(text: string, values: unknown[] = []) =>
  onDatabase(service.env.databaseUrl, text, values) as Promise<T[]>;
// oxlint-disable-next-line typescript/no-explicit-any
const codeOf = ({ body }: { body: any }): string => body.error?.code ?? body.code;

async function send(to: string, raw: Buffer): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.app.get(InboundServer).port!,
    name: 'mx.example.com',
  });
  await transport.sendMail({ envelope: { from: 'news@example.com', to }, raw });
}

async function ended(id: number, key = account.liveKey, status = 'completed') {
  for (;;) {
    const reply = await get(id, key);
    expect(reply.status).toBe(200);
    if (reply.body.status === status) return reply.body;
    await looked();
  }
}

/** Lets the time of the next look at the tests come, as it does each second, and waits until that look has ended. */
async function looked(): Promise<void> {
  const isOver = new Promise<void>((resolve) => waiting.add(resolve));
  time.advance(1_000);
  await isOver;
}

const analyze = async (raw: Buffer, query = '', key = account.liveKey, type = 'message/rfc822') => {
  const response = await fetch(`${service.url}/api/v1/placement/analyze${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body: new Uint8Array(raw),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
};

describe('a placement test', () => {
  it('a placement test waits at an address of its own, and judges the mail that comes there, for one credit', async () => {
    const { status, body, headers } = await create({ name: 'March campaign' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${TESTS}/${body.id}`);
    expect(body).toMatchObject({
      status: 'waiting',
      name: 'March campaign',
      seeds: 'none',
      credits_reserved: 1,
      report: null,
    });
    expect(body.send_to).toEqual([expect.stringMatching(/^test-[a-z2-7]{16}@inbound\.localhost$/)]);
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 1 });
    await send(body.send_to[0], await signedMail());
    const test = await ended(body.id);
    expect(test).toMatchObject({ messages: 1, placement: null, credits_charged: 1, credits_reserved: 0 });
    expect(test.report.transport).toMatchObject({ client_address: '127.0.0.1', helo: 'mx.example.com', tls: 'none' });
    expect(test.report.authentication).toMatchObject({
      spf: { result: 'pass', aligned: true },
      dkim: [{ result: 'pass', aligned: true }],
      dmarc: { result: 'pass', policy: 'reject', aligned_by: ['spf', 'dkim'] },
    });
    expect(test.report.findings.map(({ code }: { code: string }) => code)).toContain('tls_missing');
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 0 });
  });

  it('a placement test keeps the mail as it came, for 7 days, for its account alone', async () => {
    const { body } = await create();
    const raw = await signedMail();
    await send(body.send_to[0], raw);
    await ended(body.id);
    const message = (key: string) =>
      fetch(`${service.url}${TESTS}/${body.id}/message`, { headers: { authorization: `Bearer ${key}` } });
    const response = await message(account.liveKey);
    expect(response.headers.get('content-type')).toBe('message/rfc822');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(raw);
    expect((await message(account.testKey)).status).toBe(404);
    aheadMs = 7 * 86_400_000 + 60_000;
    expect((await message(account.liveKey)).status).toBe(404);
  });

  it('the mail of a placement test is refused as not received until it comes, and as not there when none did', async () => {
    const { body } = await create({ expires_minutes: 5 });
    const message = () => call(service, `${TESTS}/${body.id}/message`, { key: account.liveKey });
    expect(await message()).toMatchObject({ status: 409, body: { code: 'message_not_received' } });
    aheadMs = 5 * 60_000 + 1_000;
    await ended(body.id, account.liveKey, 'expired');
    expect(await message()).toMatchObject({ status: 404, body: { code: 'placement_test_not_found' } });
  });

  it('a placement test counts other copies of the mail until it settles, although it has ended, and charges once', async () => {
    const { body } = await create({ settle_minutes: 10 });
    const raw = await signedMail();
    await send(body.send_to[0], raw);
    const first = await ended(body.id);
    expect(first).toMatchObject({ messages: 1, credits_charged: 1 });
    await send(body.send_to[0], await signedMail({ subject: 'A copy' }));
    expect(await ended(body.id)).toEqual({ ...first, messages: 2 });
    const message = await fetch(`${service.url}${TESTS}/${body.id}/message`, {
      headers: { authorization: `Bearer ${account.liveKey}` },
    });
    expect(Buffer.from(await message.arrayBuffer())).toEqual(raw);
    aheadMs = 10 * 60_000 + 1_000;
    await expect(send(body.send_to[0], await signedMail())).rejects.toThrow('550 5.1.1');
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 0 });
  });

  it('a placement test expires when nothing comes, and gives all credits back', async () => {
    const { body } = await create({ expires_minutes: 5 });
    aheadMs = 5 * 60_000 + 1_000;
    const test = await ended(body.id, account.liveKey, 'expired');
    expect(test).toMatchObject({ credits_charged: 0, credits_reserved: 0, report: null });
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
    await expect(send(body.send_to[0], await signedMail())).rejects.toThrow('550 5.1.1');
  });

  it('a placement test is cancelled by DELETE, and deleted by the second one', async () => {
    const { body } = await create();
    expect((await remove(body.id)).status).toBe(204);
    expect((await get(body.id)).body).toMatchObject({ status: 'cancelled', credits_charged: 0 });
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
    await expect(send(body.send_to[0], await signedMail())).rejects.toThrow('550 5.1.1');
    expect((await remove(body.id)).status).toBe(204);
    expect((await get(body.id)).status).toBe(404);
  });

  it('a placement test is no object of another account, of the other mode, or of nobody', async () => {
    const { body } = await create();
    const other = await createFullAccount({ url: service.env.databaseUrl });
    for (const key of [other.liveKey, account.testKey]) {
      expect(codeOf(await get(body.id, key))).toBe('placement_test_not_found');
      expect((await remove(body.id, key)).status).toBe(404);
      expect((await call(service, `${TESTS}/${body.id}/diff?to=${body.id}`, { key })).status).toBe(404);
    }
    for (const id of ['0', 'x', '99999999999999999999', '1%00']) expect((await get(id)).status).toBe(404);
  });

  it.each([
    { name: 'a\0b' },
    { name: 'x'.repeat(201) },
    { seeds: 'some' },
    { seeds: [] },
    { seeds: ['gm\0ail'] },
    { seeds: Array.from({ length: 51 }, () => 'gmail') },
    { settle_minutes: 0 },
    { settle_minutes: 1441 },
    { expires_minutes: 1.5 },
    { expires_minutes: '5' },
  ])('a placement test refuses %j', async (body) => {
    expect((await create(body)).status).toBe(422);
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
  });

  it('a placement test is for full accounts alone', async () => {
    const refused = await create({}, await register(service));
    expect([refused.status, codeOf(refused)]).toEqual([403, 'full_account_required']);
  });

  it('a placement test keeps to the plan, the ceiling and the balance', async () => {
    const free = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'free', credits: 10 });
    const [one, other] = await Promise.all([create({}, free.liveKey), create({}, free.liveKey)]);
    expect([one.status, other.status].toSorted((a, b) => a - b)).toEqual([201, 403]);
    const refused = [one, other].find(({ status }) => status === 403)!;
    expect(codeOf(refused)).toBe('plan_limit_reached');
    expect(JSON.stringify(refused.body)).toContain(
      "The account's plan allows 1 placement test that waits at once: wait until one has ended, cancel one, or ask for another plan.",
    );
    expect(codeOf(await create({ max_credits: 0 }))).toBe('ceiling_reached');
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { credits: 0 });
    expect(codeOf(await create({}, poor.liveKey))).toBe('credits_insufficient');
  });

  it('a placement test is made once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'march' };
    const [one, other] = [await create({}, account.liveKey, headers), await create({}, account.liveKey, headers)];
    expect(other.body).toEqual(one.body);
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 1 });
  });

  it('a placement test is listed, newest first, by state, without a placement before it has one', async () => {
    const first = (await create({ name: 'first' })).body;
    const second = (await create({ name: 'second' })).body;
    await remove(first.id);
    const list = async (query: string) =>
      (await call(service, `${TESTS}${query}`, { key: account.liveKey })).body.tests.map(
        ({ id, placement }: { id: number; placement: unknown }) => [id, placement],
      );
    expect(await list('')).toEqual([
      [second.id, null],
      [first.id, null],
    ]);
    expect(await list('?status=cancelled')).toEqual([[first.id, null]]);
    expect((await call(service, `${TESTS}?status=gone`, { key: account.liveKey })).status).toBe(422);
  });

  it('a placement test leaves with its account, its message too', async () => {
    const { body } = await create();
    await send(body.send_to[0], await signedMail());
    await ended(body.id);
    // What stands of its money is no part of this.
    await rowsOf('DELETE FROM credit_balances WHERE account_id = $1', [account.accountId]);
    await rowsOf('DELETE FROM accounts WHERE id = $1', [account.accountId]);
    expect(await rowsOf('SELECT 1 FROM placement_messages WHERE test_id = $1', [body.id])).toEqual([]);
  });

  it('a placement test takes no mail that it could not keep: the sender is told to come again', async () => {
    const { body } = await create();
    const token = /^test-([^@]+)@/.exec(body.send_to[0])![1]!;
    await rowsOf('ALTER TABLE placement_messages RENAME TO away');
    await expect(send(body.send_to[0], await signedMail())).rejects.toThrow('451 4.3.0');
    await rowsOf('ALTER TABLE away RENAME TO placement_messages');
    expect((await get(body.id)).body).toMatchObject({ status: 'waiting', messages: 0 });
    expect(await service.app.get(TestMail).accepts(token)).toBe(true);
    await send(body.send_to[0], await signedMail());
    await ended(body.id);
  });
});

describe('the worlds of test mode', () => {
  it.each([
    ['all-inbox', { inbox: 6, spam: 0, tab: 0, missing: 0 }],
    ['gmail-spam', { inbox: 4, spam: 2, tab: 0, missing: 0 }],
    ['promotions', { inbox: 4, spam: 0, tab: 2, missing: 0 }],
    ['missing', { inbox: 4, spam: 0, tab: 0, missing: 2 }],
    ['unauthenticated', { inbox: 0, spam: 6, tab: 0, missing: 0 }],
  ])('%s is played in seconds, and charges nothing', async (name, placement) => {
    const { body } = await create({ name }, account.testKey);
    expect(body).toMatchObject({ status: 'waiting', credits_reserved: 0 });
    expect(body.send_to).toHaveLength(7);
    const test = await ended(body.id, account.testKey);
    expect(test.placement).toMatchObject({ measured: 6, ...placement, note: expect.stringContaining('trend') });
    const isAuthentic = name !== 'unauthenticated';
    expect(test.report.authentication.dmarc.result).toBe(isAuthentic ? 'pass' : 'fail');
    expect(
      test.report.findings.filter(({ severity }: { severity: string }) => severity === 'critical').length > 0,
    ).toBe(!isAuthentic);
    const { body: list } = await call(service, TESTS, { key: account.testKey });
    expect(list.tests[0]).toMatchObject({ id: body.id, placement: { measured: 6, ...placement } });
    expect(list.tests[0].placement).not.toHaveProperty('providers');
    expect(await credits()).toMatchObject({ remaining: 1000 });
  });

  it('the worlds of test mode expired is played, too', async () => {
    const { body } = await create({ name: 'expired' }, account.testKey);
    expect(await ended(body.id, account.testKey, 'expired')).toMatchObject({ report: null, placement: null });
  });

  it('the worlds of test mode are for test keys alone, and play those seeds that were asked for', async () => {
    expect((await create({ name: 'all-inbox' })).body.send_to).toHaveLength(1);
    const { body } = await create({ name: 'all-inbox', seeds: ['gmail'] }, account.testKey);
    expect((await ended(body.id, account.testKey)).placement).toMatchObject({ measured: 2, inbox: 2 });
  });

  it('the worlds of test mode judge for real what is really sent to the address of a test without a world', async () => {
    const { body } = await create({ name: 'mine' }, account.testKey);
    await send(body.send_to[0], await signedMail());
    const test = await ended(body.id, account.testKey);
    expect(test.report.authentication.dmarc.result).toBe('pass');
  });

  it('the worlds of test mode differ as their diff says', async () => {
    const [good, bad] = [
      (await create({ name: 'all-inbox' }, account.testKey)).body,
      (await create({ name: 'unauthenticated' }, account.testKey)).body,
    ];
    await ended(good.id, account.testKey);
    await ended(bad.id, account.testKey);
    const diff = await call(service, `${TESTS}/${good.id}/diff?to=${bad.id}`, { key: account.testKey });
    expect(diff.body.placement.map(({ provider }: { provider: string }) => provider)).toEqual([
      'gmail',
      'icloud',
      'outlook',
      'yahoo',
    ]);
    expect(diff.body.authentication).toEqual(
      expect.arrayContaining([{ what: 'dmarc', before: 'pass', after: 'fail' }]),
    );
    expect(diff.body.findings.opened.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['spf_fail', 'dkim_missing', 'dmarc_fail']),
    );
    expect((await call(service, `${TESTS}/${good.id}/diff?to=x`, { key: account.testKey })).status).toBe(404);
    expect((await call(service, `${TESTS}/${good.id}/diff`, { key: account.testKey })).status).toBe(422);
  });
});

describe('the events of placement tests', () => {
  it('the events of placement tests are written once, with the end of their test', async () => {
    await rowsOf(
      `INSERT INTO webhook_endpoints (account_id, simulated, url, events, created_via, created_at, secret)
       VALUES ($1, true, 'https://example.com/', '{placement.completed,placement.expired}', 'api', now(), '')`,
      [account.accountId],
    );
    const [one, other] = [
      await create({ name: 'all-inbox' }, account.testKey),
      await create({ name: 'expired' }, account.testKey),
    ];
    await ended(one.body.id, account.testKey);
    await ended(other.body.id, account.testKey, 'expired');
    const events = await rowsOf<{ type: string; data: string }>(
      'SELECT type, data FROM webhook_events WHERE account_id = $1 ORDER BY type',
      [account.accountId],
    );
    expect(events.map(({ type }) => type)).toEqual(['placement.completed', 'placement.expired']);
    const data = typeof events[0]!.data === 'string' ? JSON.parse(events[0]!.data) : events[0]!.data;
    expect(data).toMatchObject({ id: one.body.id, status: 'completed', placement: { measured: 6, inbox: 6 } });
    expect(JSON.stringify(events)).not.toContain('@');
  });
});

describe('the report of a message that nobody has sent', () => {
  it('the report of a message that nobody has sent is made for one credit, with the envelope of the query', async () => {
    const { status, body } = await analyze(
      await signedMail(),
      '?client_address=127.0.0.1&helo=mx.example.com&mail_from=news@example.com',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'completed',
      transport: { client_address: '127.0.0.1', tls: null },
      authentication: { spf: { result: 'pass' }, dmarc: { result: 'pass' } },
      credits_charged: 1,
    });
    expect(await credits()).toMatchObject({ remaining: 999, reserved: 0 });
  });

  it('the report of a message that nobody has sent does not call empty what could not be read', async () => {
    let body = 'Content-Type: text/plain\r\n\r\nHello\r\n';
    for (let depth = 0; depth < 100; depth += 1)
      body = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${body}\r\n--b${depth}--\r\n`;
    const { body: report } = await analyze(Buffer.from(`From: jane@example.com\r\nSubject: Hello\r\n${body}`));
    const codes = report.findings.map(({ code }: { code: string }) => code);
    expect(codes).toContain('message_unreadable');
    expect(codes).not.toContain('body_empty');
  });

  it('the report of a message that nobody has sent has no transport and no SPF without an address', async () => {
    const { body } = await analyze(await signedMail());
    expect(body).toMatchObject({ transport: null, authentication: { spf: null, dmarc: { aligned_by: ['dkim'] } } });
  });

  it('the report of a message that nobody has sent is played in test mode by the first label of the domain, and charges nothing', async () => {
    const raw = await signedMail({ from: 'news@no-dmarc.example.com', signer: null });
    const { body } = await analyze(raw, '', account.testKey);
    expect(body.credits_charged).toBe(0);
    expect(body.findings.map(({ code }: { code: string }) => code)).toContain('dmarc_missing');
  });

  it.each([
    ['nothing', Buffer.alloc(0), 422],
    ['ten megabytes and more', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'), 413],
  ])('the report of a message that nobody has sent is not made of %s', async (_what, raw, status) => {
    expect((await analyze(raw)).status).toBe(status);
    expect(await credits()).toMatchObject({ remaining: 1000, reserved: 0 });
  });

  it('the report of a message that nobody has sent is not made of a body of another type', async () => {
    expect((await analyze(Buffer.from('{}'), '', account.liveKey, 'application/json')).status).toBe(415);
  });

  it.each(['client_address=x', 'client_address=1.2.3.4.5', 'helo=a%00b', 'mail_from=a%00b', 'unknown=1'])(
    'the report of a message that nobody has sent is not made with %s',
    async (query) => {
      expect((await analyze(Buffer.from('Subject: x\r\n\r\nx'), `?${query}`)).status).toBe(422);
    },
  );

  it.each([
    ['nothing but NUL', Buffer.alloc(1000)],
    [
      'NUL and half characters in its header',
      Buffer.from('From: "a\0b" <x@y\ud800.z>\r\nSubject: \0\r\nDate: \0\r\n\r\n\0'),
    ],
    ['a header without an end', Buffer.from(`Subject: ${'x'.repeat(300_000)}`)],
    [
      'many parts',
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(20_000)}`),
    ],
    [
      'a signature of nonsense',
      Buffer.from('DKIM-Signature: v=1; a=rsa-sha256; d=\0; s==;; b=%%%; bh=\r\nFrom: a@b\r\n\r\n'),
    ],
    ['addresses within addresses', Buffer.from(`From: ${'<'.repeat(9_000)}a@b${'>'.repeat(9_000)}\r\n\r\nx`)],
    ['a deep comment in its From', Buffer.from(`From: ${'('.repeat(9_000)}a@example.com\r\n\r\nx`)],
  ])('the report of a message that nobody has sent is made of a message of %s', async (_what, raw) => {
    const { status, body } = await analyze(raw);
    expect(status).toBe(200);
    expect(body.findings.length).toBeGreaterThan(0);
  });
});
