import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser, Visitor } from './visitor.js';

let service: TestService;
let browser: Browser;
let account: FullAccount;
let evil: Server;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
  evil = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(evilPage(service.url)));
  await once(evil.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  await browser.close();
  evil.close();
  await service.close();
});

/** Everything that a page can do to another one without a script. */
const evilPage = (url: string): string => `
  <h1>A page of somebody else</h1>
  <form method="post" action="${url}/api/v1/keys" enctype="text/plain">
    <input name='{"kind":"test","name":"' value='"}'>
    <button>Win</button>
  </form>
  <a href="${url}/console/keys">Your keys</a>
  <iframe src="${url}/console/you"></iframe>`;

/** A page of another site, and one of our own host at another port: cookies know no ports. */
const evilPages = () => {
  const { port } = evil.address() as AddressInfo;
  return [`http://localhost:${port}/`, `http://127.0.0.1:${port}/`];
};

const keys = async () => (await call(service, '/api/v1/keys', { key: account.testKey })).body.keys.length as number;

it('a page of another origin changes nothing and reads nothing with the session of its visitor', async () => {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(account.testKey);
  const before = await keys();
  for (const page of evilPages()) {
    await visitor.page.goto(page);
    for (const [path, init] of [
      ['/api/v1/keys', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"kind":"test"}' }],
      ['/api/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"kind":"test"}' }],
      ['/api/v1/keys', { method: 'POST', mode: 'no-cors', body: '{"kind":"test"}' }],
      ['/api/v1/verify/batch', { method: 'POST', mode: 'no-cors', body: 'jane@example.com' }],
      ['/console/session', { method: 'DELETE' }],
      ['/api/v1/credits', {}],
      ['/console/session', {}],
    ] as const) {
      const seen = await visitor.page.evaluate(
        ([url, asked]) =>
          fetch(url, { ...(asked as RequestInit), credentials: 'include' }).then(
            (reply) => reply.text(),
            () => 'refused by the browser',
          ),
        [service.url + path, init] as const,
      );
      expect([page, path, seen]).toEqual([page, path, expect.stringMatching(/^$|refused by the browser/)]);
    }
    await visitor.button('Win').click();
    await visitor.page.waitForURL(/\/api\/v1\/keys/);
    expect(await visitor.page.textContent('body')).toContain('key_missing');
  }
  expect(await keys()).toBe(before);
  await visitor.goTo('/console/you');
  await visitor.heading('This session');
});

it('a page of another origin signs nobody in', async () => {
  const visitor = await Visitor.enter(browser, service.url);
  const count = 'SELECT count(*)::int AS count FROM console_sessions';
  const [before] = await onDatabase(service.env.databaseUrl, count);
  for (const page of evilPages()) {
    await visitor.page.goto(page);
    await visitor.page.evaluate(
      ([url, key]) =>
        fetch(`${url}/console/session`, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          body: JSON.stringify({ api_key: key }),
        }).catch(() => undefined),
      [service.url, account.testKey] as const,
    );
  }
  expect(await onDatabase(service.env.databaseUrl, count)).toEqual([before]);
  expect(await visitor.page.context().cookies()).toEqual([]);
});

it('a link from a mail leads into the console, not to its sign-in', async () => {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(account.testKey);
  await visitor.page.goto(evilPages()[0]!);
  await visitor.page.getByRole('link', { name: 'Your keys' }).click();
  await visitor.heading('Keys');
});

it('no page may put the console into a frame', async () => {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(account.testKey);
  await visitor.page.goto(evilPages()[1]!);
  const [, frame] = visitor.page.frames();
  expect(await frame!.getByRole('heading').count()).toBe(0);
});
