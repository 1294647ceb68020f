import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptedOut, OptOutsCleanup } from '../../src/sending/opt-outs/opted-out.js';
import type { WallClock } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type LetterBox, startLetterBox } from '../support/letter-box.js';
import { bodyOnce, isCompleted, nextLook } from '../support/next-look.js';
import { scrape } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

const PATH = '/about-these-connections';
const DAY_MS = 86_400_000;
/** How long an opt-out holds. */
const DAYS = 400;

let database: TestDatabase;
let dns: DnsServer;
let smtp: TestSmtpServer;
let box: LetterBox;
let service: TestService;
let account: FullAccount;
let key: string;
let held = Promise.resolve();

beforeAll(async () => {
  smtp = await startSmtpServer({
    recipients: async (to) => {
      if (to.endsWith('@held.example')) await held;
      return to.startsWith('real') ? 'accept' : '550 5.1.1 No such user';
    },
  });
  const zones = Object.fromEntries(
    ['one', 'two', 'three', 'held'].map((name) => [
      `${name}.example`,
      { MX: [[10, `mx.${name}.example`]] as [number, string][] },
    ]),
  );
  const hosts = Object.fromEntries(
    ['one', 'two', 'three', 'held'].map((name) => [`mx.${name}.example`, { A: ['127.0.0.1'] }]),
  );
  dns = await startDnsServer({ zones: { ...zones, ...hosts } });
  box = await startLetterBox();
  database = await createTestDatabase();
  account = await createFullAccount(database);
  service = await start({
    mailSmtpUrl: box.url,
    mailFrom: 'probe@probe.example',
    heloName: 'probe.example',
    metricsPort: 0,
  });
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await Promise.all([smtp.close(), dns.close(), box.close()]);
  await database.drop();
});

const start = (env: object, clock?: Pick<WallClock, 'now'>) =>
  startService({
    database,
    ...(clock && { clock }),
    env: {
      dnsServers: [dns.address],
      smtpPort: smtp.port,
      mxAllowedNetworks: ['127.0.0.0/8'],
      trustedProxies: ['127.0.0.1'],
      ...env,
    },
  });

let networks = 0;
/** From a network that has not asked yet. */
const ask = (body: object, from = `192.0.2.${(networks += 1)}`) =>
  call(service, PATH, { body, headers: { 'X-Forwarded-For': from } });
const verify = async (email: string) =>
  (await call(service, '/api/v1/verify', { key: account.liveKey, body: { email } })).body;
const know = ({ app } = service) => app.get(OptedOut, { strict: false }).read();
const optedOut = async () => (await scrape(service)).valueOf('mailsonde_opt_outs_total')!;
/** An end that a reply of this moment tells, in days from now. */
const daysUntil = (end: string) => Math.round((Date.parse(end) - Date.now()) / DAY_MS);
const linkIn = (text: string) => /https?:\S+token=[\w-]{43}/.exec(text)![0];
const tokenOf = (link: string) => new URL(link).searchParams.get('token');
const page = (url: string, init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {}) =>
  fetch(url, { ...init, headers: { accept: 'text/html', ...init.headers } });

describe('the page for postmasters', () => {
  it('the page for postmasters tells who connects, why, whom to write to and how to opt out, as a page, as text and as JSON', async () => {
    const html = await page(service.url + PATH);
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await html.text()).toMatch(
      /probe\.example[^]*mailto:postmaster@probe\.example[^]*RCPT TO[^]*<form method="post"/,
    );
    const text = await (await fetch(service.url + PATH)).text();
    expect(text).toContain('Contact: postmaster@probe.example');
    expect(text).not.toMatch(/left alone|\bletter\b/);
    const body = await (await fetch(service.url + PATH, { headers: { accept: 'application/json' } })).json();
    expect(body).toMatchObject({
      helo_names: ['probe.example'],
      contact: 'postmaster@probe.example',
      leave_alone: { request: { method: 'POST', body: { email: 'postmaster@example.com' } } },
    });
  });

  it('the page for postmasters names a mailbox to write to where the service has no mail server', async () => {
    const other = await start({ mailFrom: 'probe@probe.example' });
    const { status, body } = await call(other, PATH, { body: { email: 'postmaster@one.example' } });
    expect([status, body.status, body.contact]).toEqual([200, 'contact', 'postmaster@probe.example']);
    expect(await (await page(other.url + PATH)).text()).not.toContain('<form');
    await other.close();
  });
});

describe('an opt-out by link', () => {
  it('an opt-out by link is mailed to the domain, changes nothing until it is confirmed, works once, and then nobody connects', async () => {
    expect((await verify('real@one.example')).verdict).toBe('valid');
    const { status, body } = await ask({ email: 'Hostmaster@One.Example' });
    expect([status, body.status]).toEqual([202, 'mailed']);
    const { from, to, text } = box.letters.at(-1)!;
    expect([from, to]).toEqual(['probe@probe.example', ['hostmaster@one.example']]);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const link = linkIn(text);
    const shown = await page(link);
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await shown.text()).toMatch(
      /Opt one\.example out\?[^]*no longer checks addresses of this domain[^]*400 days[^]*<button/,
    );
    await know();
    expect((await verify('real@one.example')).verdict).toBe('valid');

    const form = new URLSearchParams({ token: tokenOf(link)! });
    const done = await page(`${service.url}${PATH}/opt-out`, { method: 'POST', body: form });
    const end = new Date(Date.now() + DAYS * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
    expect([done.status, (await done.text()).match(/stops checking[^]*until ([\d-]+)/)?.[1]]).toEqual([200, end]);
    await know();
    const connections = smtp.connections.length;
    const left = await verify('real2@one.example');
    expect(left).toMatchObject({
      verdict: 'unknown',
      reason: 'sender_rejected',
      credits_charged: 0,
    });
    expect(left.checks).toMatchObject({ mx: 'pass', smtp: 'skipped' });
    expect(left.evidence.text).toContain('leave it alone');
    expect((await verify('real@sub.one.example')).verdict).not.toBe('valid');
    expect(smtp.connections.length).toBe(connections);

    const again = await page(`${service.url}${PATH}/opt-out`, { method: 'POST', body: form });
    expect([again.status, (await page(link)).status]).toEqual([404, 404]);
    const { entries } = (await call(service, '/admin/v1/audit?limit=1', { key })).body;
    expect(entries[0]).toMatchObject({ act: 'opt_out.add', details: { kind: 'domain', name: 'one.example' } });
  });

  it('an opt-out by link of a mail host goes to the postmaster of its domain, and holds for addresses of a batch that wait already', async () => {
    let release = () => {};
    held = new Promise((resolve) => (release = resolve));
    const emails = Array.from({ length: 300 }, (_, i) => `real${i}@held.example`);
    const sent = await call(service, '/api/v1/verify/batch', {
      key: account.liveKey,
      body: { emails, retry_window_seconds: 0 },
    });
    while (smtp.recipients.filter((to) => to.endsWith('@held.example')).length === 0) await nextLook();
    await ask({ mail_host: 'MX.held.example' });
    const { to, text } = box.letters.at(-1)!;
    expect(to).toEqual(['postmaster@held.example']);
    const { body } = await call(service, `${PATH}/opt-out`, { body: { token: tokenOf(linkIn(text)) } });
    expect(body).toEqual({
      status: 'left_alone',
      kind: 'mail_host',
      name: 'mx.held.example',
      until: expect.any(String),
    });
    expect(daysUntil(body.until)).toBe(DAYS);
    await know();
    const asked = smtp.recipients.length;
    const connections = smtp.connections.length;
    release();
    const batch = `/api/v1/verify/batch/${sent.body.id}`;
    await bodyOnce(() => call(service, batch, { key: account.liveKey }), isCompleted);
    // What was on its way on open connections is answered.
    expect(smtp.recipients.length - asked).toBeLessThan(100);
    // A connection that was being opened is given up before anybody is named, and no question about the answers opens one.
    const later = smtp.connections.slice(connections).flatMap(({ commands }) => commands);
    expect(later.filter((command) => /^(MAIL|RCPT)/i.test(command))).toEqual([]);
    const { body: csv } = await call(service, `${batch}/results?format=json&limit=1000`, { key: account.liveKey });
    const reasons = (csv.results as { reason: string }[]).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'sender_rejected').length).toBeGreaterThan(150);
  });

  it.each(['admin', 'administrator', 'webmaster', 'hostmaster', 'postmaster'])(
    'an opt-out by link goes to %s, at which certificate authorities ask too',
    async (name) => {
      await ask({ email: `${name}@${name}.example` });
      expect(box.letters.at(-1)!.to).toEqual([`${name}@${name}.example`]);
    },
  );

  it.each(['abuse', 'noc', 'security', 'jane.doe'])(
    'an opt-out by link goes to postmaster instead of %s, whose mail others may read',
    async (name) => {
      await ask({ email: `${name}@${name}.example` });
      expect(box.letters.at(-1)!.to).toEqual([`postmaster@${name}.example`]);
    },
  );

  it.each([
    ['a mailbox domain of a provider', { email: 'postmaster@gmail.com' }],
    ['a domain of the free-mail list', { email: 'admin@12move.nl' }],
    ['a domain above the mail hosts of a provider', { email: 'postmaster@secureserver.net' }],
    ['a mail host of a provider', { mail_host: 'aspmx.l.google.com' }],
    ['a mail host below a domain of the free-mail list', { mail_host: 'mx.12move.nl' }],
  ])('an opt-out by link of %s is refused with the way to an administrator, and mails nobody', async (_, body) => {
    const letters = box.letters.length;
    const { status, body: reply } = await ask(body);
    expect([status, reply.code]).toEqual([422, 'invalid_input']);
    expect(reply.fields[0].error).toContain('only an administrator');
    expect(box.letters.length).toBe(letters);
  });

  it('an opt-out by link of a domain below one of the free-mail list is its own affair', async () => {
    await ask({ email: 'postmaster@club.12move.nl' });
    expect(box.letters.at(-1)!.to).toEqual(['postmaster@club.12move.nl']);
  });

  it('an opt-out by link is counted for the alert once it is confirmed, and not before', async () => {
    const before = await optedOut();
    await ask({ email: 'postmaster@counted.example' });
    expect(await optedOut()).toBe(before);
    const body = { token: tokenOf(linkIn(box.letters.at(-1)!.text)) };
    expect((await call(service, `${PATH}/opt-out`, { body })).status).toBe(200);
    expect((await call(service, `${PATH}/opt-out`, { body })).status).toBe(404);
    expect(await optedOut()).toBe(before + 1);
  });

  it('an opt-out by link has a link that ends after a day', async () => {
    await ask({ email: 'postmaster@three.example' });
    const link = linkIn(box.letters.at(-1)!.text);
    await onDatabase(database.url, `UPDATE opt_out_links SET ends_at = ends_at - interval '1 day'`);
    expect((await page(link)).status).toBe(404);
  });

  it('an opt-out by link is answered alike for every domain, for one that has got its letters and one that refuses them', async () => {
    const replies = [];
    for (const email of [
      'a@four.example',
      'b@four.example',
      'c@four.example',
      'd@four.example',
      'postmaster@nobody.example',
    ])
      replies.push((await ask({ email })).body);
    expect(new Set(replies.map(({ message }) => message)).size).toBe(1);
    expect(box.letters.filter(({ to }) => to.includes('postmaster@four.example'))).toHaveLength(3);
    expect(box.letters.filter(({ to }) => to.includes('postmaster@nobody.example'))).toHaveLength(0);
  });

  it('an opt-out by link is asked for by one network a few times an hour', async () => {
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await ask({ email: `a@many${i}.example` }, '198.51.100.1')).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    const form = new URLSearchParams({ email: 'a@more.example', mail_host: '' });
    const headers = { 'X-Forwarded-For': '198.51.100.1' };
    const refused = await page(service.url + PATH, { method: 'POST', body: form, headers });
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    expect(await refused.text()).toContain('Too many requests');
  });

  it.each([
    {},
    { email: '', mail_host: '' },
    { email: 'a@one.example', mail_host: 'mx.one.example' },
    { email: 'no address' },
    { email: '@one.example' },
    { email: 'a@co.uk' },
    { email: 'a@[192.0.2.1]' },
    { email: 'a@localhost' },
    { email: 'a@one.example\r\nBcc: b@two.example' },
    { mail_host: 'com' },
    { mail_host: '192.0.2.1' },
    { mail_host: 'mx one.example' },
  ])('an opt-out by link is refused for %j', async (body) => {
    const { status, body: reply } = await ask(body);
    expect([status, reply.code]).toEqual([422, 'invalid_input']);
  });

  it('an opt-out by link is no reason to take forms elsewhere', async () => {
    const form = new URLSearchParams({ email: 'a@one.example' });
    expect((await fetch(`${service.url}/try`, { method: 'POST', body: form })).status).toBe(415);
    const long = new URLSearchParams({ email: 'x'.repeat(5_000) });
    expect((await fetch(service.url + PATH, { method: 'POST', body: long })).status).toBe(413);
  });
});

describe('an administrator', () => {
  it('an administrator leaves a domain alone and lets it be asked again, by HTTP and by commands, with a reason and an end', async () => {
    const admin = (path: string, body?: object) =>
      call(service, `/admin/v1/opt-outs${path}`, { key, ...(body && { body }) });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const made = await admin('', { kind: 'domain', name: 'Two.example', reason: 'asked by letter', until });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ kind: 'domain', name: 'two.example', reason: 'asked by letter', until });
    await know();
    expect((await verify('real@two.example')).reason).toBe('sender_rejected');
    expect((await admin('')).body.opt_outs[0].id).toBe(made.body.id);
    const removed = await command('opt-outs', 'remove', made.body.id, '--reason', 'asked back');
    expect(removed.exit).toBe(0);
    await know();
    expect((await verify('real@two.example')).verdict).toBe('valid');
    expect((await admin(`/${made.body.id}/remove`, { reason: 'again' })).body.code).toBe('opt_out_not_found');
    expect(
      (await command('opt-outs', 'add', 'mx.three.example', '--kind', 'mail_host', '--reason', 'a test')).exit,
    ).toBe(0);
    expect((await command('opt-outs', 'list')).out).toContain('mx.three.example');
    await know();
    expect((await verify('real@three.example')).reason).toBe('sender_rejected');
    const past = { kind: 'domain', name: 'x.example', reason: 'r', until: '2020-01-01T00:00:00Z' };
    const tooFar = { ...past, until: new Date(Date.now() + (DAYS + 1) * DAY_MS).toISOString() };
    for (const body of [past, tooFar, { ...past, until: null, name: 'com' }, { ...past, until: null, kind: 'planet' }])
      expect((await admin('', body)).status).toBe(422);
  });
});

describe('an opt-out', () => {
  it('an opt-out ends after 400 days, is renewed by opting out again, and is deleted when nobody has', async () => {
    const body = { kind: 'domain', name: 'four-hundred.example', reason: 'asked to' };
    const optOut = (at: TestService) => call(at, '/admin/v1/opt-outs', { key, body });
    const listed = async (at: TestService) =>
      ((await call(at, '/admin/v1/opt-outs?limit=100', { key })).body.opt_outs as { name: string }[]).some(
        ({ name }) => name === body.name,
      );
    const covers = async (at: TestService) => {
      await know(at);
      return at.app.get(OptedOut, { strict: false }).covers('sub.four-hundred.example', []);
    };
    const before = await optedOut();
    expect(daysUntil((await optOut(service)).body.until)).toBe(DAYS);
    expect([await optedOut(), await covers(service), await listed(service)]).toEqual([before + 1, true, true]);

    let time = Date.now() + (DAYS - 1) * DAY_MS;
    const later = await start({}, { now: () => time });
    expect([await covers(later), await listed(later)]).toEqual([true, true]);
    time += 2 * DAY_MS;
    expect([await covers(later), await listed(later)]).toEqual([false, false]);
    expect(daysUntil((await optOut(later)).body.until)).toBe(2 * DAYS + 1);
    expect([await covers(later), await listed(later)]).toEqual([true, true]);

    const rows = () => onDatabase(database.url, `SELECT id FROM opt_outs WHERE name = 'four-hundred.example'`);
    await later.app.get(OptOutsCleanup).run();
    expect(await rows()).toHaveLength(1);
    time += (DAYS + 1) * DAY_MS;
    await later.app.get(OptOutsCleanup).run();
    expect(await rows()).toHaveLength(0);
    await later.close();
  });

  it('an opt-out of a mail provider is an administrator’s to make', async () => {
    const body = { kind: 'domain', name: 'gmail.com', reason: 'asked by its postmaster' };
    const made = await call(service, '/admin/v1/opt-outs', { key, body });
    expect(made.status).toBe(201);
    await call(service, `/admin/v1/opt-outs/${made.body.id}/remove`, { key, body: { reason: 'a test' } });
  });
});

const command = (...words: string[]) => runAdmin(service, ...words);
