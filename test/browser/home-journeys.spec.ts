import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/durations.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { SCENARIOS } from '../../src/simulator/scenarios.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { NARROW, openBrowser, Visitor, WIDE } from './visitor.js';

const HELO_NAME = 'probe.example';

let dns: DnsServer;
let service: TestService;
let sink: WebhookSink;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { 'busy.example': 'servfail' } });
  const env = { ...TO_LOOPBACK, dnsServers: [dns.address], heloName: HELO_NAME };
  [service, sink, browser] = await Promise.all([
    startService({ env, timer: SYSTEM_TIMER }),
    startWebhookSink(),
    openBrowser(),
  ]);
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro', credits: 20_000 });
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await Promise.all([sink.close(), dns.close()]);
});

async function enter(key = account.testKey, path = '/console'): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(key, path);
  return visitor;
}

const part = (visitor: Visitor, name: string) => visitor.page.getByRole('region', { name, exact: true });

async function expectNoFaults(visitor: Visitor): Promise<void> {
  for (const viewport of [NARROW, WIDE]) {
    await visitor.page.setViewportSize(viewport);
    expect(await visitor.faults()).toEqual([]);
  }
}

async function sendList(lines: readonly string[], query: string, key: string): Promise<void> {
  const headers = { 'content-type': 'text/plain', authorization: `Bearer ${key}` };
  const reply = await fetch(`${service.url}/api/v1/verify/batch?${query}`, {
    method: 'POST',
    headers,
    body: lines.join('\n'),
  });
  expect(reply.status).toBe(201);
}

describe('the home page', () => {
  it('the home page is the first screen, and shows a running list with its progress and leads to it', async () => {
    const emails = Array.from({ length: 30 }, (_, i) => `jane${i}@${i < 21 ? 'nowhere.invalid' : 'busy.example'}`);
    await sendList(emails, 'name=Spring&retry_window_seconds=3600', account.liveKey);
    const visitor = await enter(account.liveKey);
    await visitor.heading('Home');
    const row = visitor.page.getByRole('row').filter({ hasText: 'Spring' });
    await row.getByText('Running, 70%').waitFor();
    expect(await row.getByRole('progressbar', { name: 'Progress of Spring' }).getAttribute('value')).toBe('0.7');
    await expectNoFaults(visitor);
    await row.getByRole('link', { name: 'Spring' }).click();
    await visitor.heading('Spring');
    await visitor.leave();
  });

  it('the home page says for how long the balance lasts only once a week of use shows a pace', async () => {
    const balance = async (text: string) => {
      const visitor = await enter(account.liveKey);
      await part(visitor, 'Balance').getByText(text).waitFor();
      await visitor.leave();
    };
    await balance('20,000 credits left. No credits were used in the last 30 days.');
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'one@nowhere.invalid' } });
    await balance('19,999 credits left. 1 credit used today: not enough days yet');
    await onDatabase(
      service.env.databaseUrl,
      `UPDATE usage_days SET utc_date = utc_date - 9 WHERE account_id = '${account.accountId}'`,
    );
    await balance('1 credit used in the last 10 days. At that pace the balance lasts more than a year.');
  });

  it('the home page lists a failing endpoint, an expiring key and an open finding, and none that is mended', async () => {
    const key = account.testKey;
    sink.answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 500).end();
    const { body: endpoint } = await call(service, '/api/v1/webhooks', { key, body: { url: sink.url('/home') } });
    const path = `/api/v1/webhooks/${endpoint.id}`;
    const failingSince = async () => (await call(service, path, { key })).body.failing_since;
    await expect.poll(failingSince).not.toBe(null);
    const { body: gone } = await call(service, '/api/v1/webhooks', { key, body: { url: sink.url('/gone') } });
    const isOn = async () => (await call(service, `/api/v1/webhooks/${gone.id}`, { key })).body.enabled;
    await expect.poll(isOn).toBe(false);
    const { body: off } = await call(service, '/api/v1/webhooks', { key, body: { url: sink.url('/off') } });
    await call(service, `/api/v1/webhooks/${off.id}`, { key, method: 'PATCH', body: { enabled: false } });
    const expiring = { kind: 'test', name: 'Shop', expires_at: new Date(Date.now() + 13 * DAY_MS).toISOString() };
    const later = { kind: 'test', name: 'Later', expires_at: new Date(Date.now() + 15 * DAY_MS).toISOString() };
    const { body: shop } = await call(service, '/api/v1/keys', { key, body: expiring });
    await call(service, '/api/v1/keys', { key, body: later });
    const { body: monitor } = await call(service, '/api/v1/monitors', {
      key,
      body: { kind: 'domain', target: 'no-dmarc.example.com' },
    });
    const stateOf = async () => (await call(service, `/api/v1/monitors/${monitor.id}`, { key })).body.state;
    await expect.poll(stateOf).toMatch(/^(critical|warning)$/);

    const visitor = await enter();
    const attention = part(visitor, 'Needs attention');
    await attention.getByRole('link', { name: sink.url('/home') }).waitFor();
    await attention.getByText('Deliveries have failed since').waitFor();
    await attention.getByText('This endpoint is off because it answered 410 Gone').waitFor();
    await attention.getByRole('link', { name: 'Key Shop' }).waitFor();
    await attention.getByText('Open: ').waitFor();
    expect(await attention.getByRole('listitem').count()).toBe(4);
    expect(await attention.getByText('No problems found').count()).toBe(0);
    await expectNoFaults(visitor);
    await attention.getByRole('link', { name: 'no-dmarc.example.com' }).click();
    await visitor.heading('no-dmarc.example.com');

    sink.answer = (_, response) => response.writeHead(204).end();
    const [delivery] = (await call(service, `${path}/deliveries`, { key })).body.deliveries;
    await call(service, `/api/v1/webhooks/deliveries/${delivery.id}/redeliver`, { key, method: 'POST' });
    await expect.poll(failingSince).toBe(null);
    await call(service, `/api/v1/webhooks/${gone.id}`, { key, method: 'DELETE' });
    await call(service, `/api/v1/keys/${shop.id}`, { key, method: 'DELETE' });
    await call(service, `/api/v1/monitors/${monitor.id}`, { key, method: 'DELETE' });
    await visitor.page.getByRole('link', { name: 'Home', exact: true }).click();
    await attention.getByText('No problems found in your webhook endpoints, monitors, keys, and credits.').waitFor();
    expect(await attention.getByRole('listitem').count()).toBe(0);
    await visitor.leave();
  });

  it('the home page lists a balance that is low, with what is left', async () => {
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'pro', credits: 999 });
    const visitor = await enter(poor.liveKey);
    const attention = part(visitor, 'Needs attention');
    await attention.getByRole('link', { name: 'The balance is low' }).waitFor();
    await attention.getByText('999 credits left.').waitFor();
    await visitor.leave();
  });

  it('the home page names what it could not check, and does not call that well', async () => {
    const visitor = await enter();
    await part(visitor, 'Needs attention').getByText('No problems found').waitFor();
    await visitor.page.route('**/api/v1/monitors**', (route) => route.abort());
    await visitor.page.reload();
    const attention = part(visitor, 'Needs attention');
    await attention.getByRole('alert').getByText('could not check your monitors, so their status is unknown').waitFor();
    await attention.getByText('No problems found in your webhook endpoints, keys, and credits.').waitFor();
    await visitor.page.unroute('**/api/v1/monitors**');
    await attention.getByRole('button', { name: 'Check again' }).click();
    await attention.getByText('No problems found in your webhook endpoints, monitors, keys, and credits.').waitFor();
    visitor.complaints.splice(0);
    await visitor.leave();
  });

  it('the home page asks nothing of what a key may not see, and says so', async () => {
    const body = { kind: 'test', permissions: ['verify'] };
    const { api_key: key } = (await call(service, '/api/v1/keys', { key: account.testKey, body })).body;
    const visitor = await Visitor.enter(browser, service.url);
    const refused: number[] = [];
    visitor.page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.status());
    });
    await visitor.signIn(key);
    await visitor.page.getByText('Your key may not read webhooks, monitors, keys or credits').waitFor();
    await visitor.settle();
    expect(await visitor.page.getByRole('region').count()).toBe(0);
    expect(refused).toEqual([]);
    await visitor.leave();
  });

  it('the home page shows a newcomer the first steps, ticks those that are done, and drops them when all are', async () => {
    const key = account.testKey;
    const visitor = await enter();
    const steps = part(visitor, 'First steps');
    await steps.getByRole('listitem').first().waitFor();
    expect(await steps.getByText('to do').count()).toBe(4);
    await expectNoFaults(visitor);
    await call(service, '/api/v1/verify', { key, body: { email: 'jane+full@example.com' } });
    await steps.getByRole('listitem').filter({ hasText: 'Check an address' }).getByText('done').waitFor();
    expect(await steps.getByText('to do').count()).toBe(3);
    await call(service, '/api/v1/keys', { key, body: { kind: 'test', name: 'Program' } });
    await call(service, '/api/v1/webhooks', { key, body: { url: sink.url('/first') } });
    await sendList(['jane+valid@example.com'], 'name=First', key);
    await steps.waitFor({ state: 'detached' });
    await visitor.page.reload();
    await part(visitor, 'Balance').waitFor();
    await visitor.settle();
    expect(await steps.count()).toBe(0);
    await visitor.leave();
  });

  it('the home page drops the first steps of a person who hides them, for good', async () => {
    const visitor = await enter();
    await visitor.button('Hide these steps').click();
    await part(visitor, 'First steps').waitFor({ state: 'detached' });
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    await visitor.page.reload();
    await part(visitor, 'Needs attention').getByText('No problems found').waitFor();
    await visitor.settle();
    expect(await part(visitor, 'First steps').count()).toBe(0);
    expect(asked.filter((url) => url.includes('by=endpoint'))).toEqual([]);
    await visitor.leave();
  });

  it('the home page of an administrator lists a HELO name that fails, until it passes', async () => {
    const key = await createAdminKey(service);
    const test = () => call(service, '/admin/v1/egress/default/test', { key, method: 'POST' });
    await test();
    const visitor = await enter(key);
    await visitor.heading('Home');
    const attention = part(visitor, 'Needs attention');
    await attention.getByRole('link', { name: 'default: HELO', exact: true }).waitFor();
    await attention.getByText(`${HELO_NAME} has no address in the DNS`).waitFor();
    await attention.getByRole('link', { name: 'Port 25', exact: true }).waitFor();
    await expectNoFaults(visitor);
    dns.set(HELO_NAME, { A: ['8.8.4.25'], TXT: ['v=spf1 a -all'] });
    dns.set('25.4.8.8.in-addr.arpa', { PTR: [HELO_NAME] });
    await test();
    await visitor.page.reload();
    await attention.getByRole('link', { name: 'Port 25', exact: true }).waitFor();
    expect(await attention.getByRole('link', { name: 'default: HELO', exact: true }).count()).toBe(0);
    await visitor.leave();
  });
});

describe('a test key', () => {
  it('a test key is offered every word of test mode where an address is checked, and a live key none', async () => {
    const visitor = await enter(account.testKey, '/console/check');
    const words = visitor.page.getByRole('group', { name: 'Test words' });
    expect(await words.getByRole('button').allTextContents()).toEqual(Object.keys(SCENARIOS));
    await words.getByRole('button', { name: 'full' }).click();
    expect(await visitor.page.getByLabel('Email address').inputValue()).toBe('jane+full@example.com');
    await visitor.button('Check').click();
    await part(visitor, 'Verdict').getByText('552 5.2.2').waitFor();
    await expectNoFaults(visitor);
    await visitor.leave();
    const live = await enter(account.liveKey, '/console/check');
    await live.heading('Check an address');
    expect(await live.page.getByRole('group', { name: 'Test words' }).count()).toBe(0);
    await live.leave();
  });

  it('a test key is offered a sample list with an address of each kind, which is read and priced as any other', async () => {
    const visitor = await enter(account.testKey, '/console/upload');
    await visitor.button('Sample list').click();
    await visitor.page.getByRole('cell', { name: 'jane+spam-trap@example.com' }).waitFor();
    await expectNoFaults(visitor);
    await visitor.button('Send, and see what it costs').click();
    await visitor.page.getByRole('heading', { name: `At most ${Object.keys(SCENARIOS).length} credits` }).waitFor();
    await visitor.leave();
  });

  it.each([
    ['/console/finder', 'Domain or website', 'no-mx', 'no-mx.example.com'],
    ['/console/monitors?domain=', 'Domain', 'flapping', 'flapping.example.com'],
  ])('a test key is offered test words at %s, which fill %s', async (path, label, word, filled) => {
    const visitor = await enter(account.testKey, path);
    await visitor.page.getByRole('group', { name: 'Test words' }).getByRole('button', { name: word }).click();
    expect(await visitor.page.getByLabel(label, { exact: true }).inputValue()).toBe(filled);
    await visitor.leave();
  });
});
