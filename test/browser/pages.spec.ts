import { gzipSync } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { NARROW, openBrowser, Visitor, WIDE } from './visitor.js';

const MAX_FIRST_BYTES = 40_000;
const MAX_ALL_BYTES = 100_000;
const ASSETS = join(import.meta.dirname, '../../dist/console/assets');

let service: TestService;
let browser: Browser;
const keys = new Map<string, string>();

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  const account = await createFullAccount({ url: service.env.databaseUrl });
  keys.set('customer', account.testKey);
  keys.set('agent', await register(service));
  keys.set('administrator', await createAdminKey(service));
  for (const hold of ['true', 'false']) {
    const emails = ['jane+valid@example.com', 'jane+full@example.com', 'jane+invalid@example.com'];
    const path = `/api/v1/verify/batch?hold=${hold}&name=Guests`;
    const headers = { 'content-type': 'text/plain', authorization: `Bearer ${account.testKey}` };
    await fetch(service.url + path, { method: 'POST', headers, body: emails.join('\n') });
  }
  const key = account.testKey;
  await call(service, '/api/v1/domains/check', { key, body: { domain: 'spf-too-many.example.com' } });
  await call(service, '/api/v1/blacklists/check', { key, body: { targets: ['192.0.2.2', 'listed.example.com'] } });
  await call(service, '/api/v1/monitors', { key, body: { kind: 'domain', target: 'flapping.example.com' } });
  await call(service, '/api/v1/placement/tests', { key, body: { name: 'gmail-spam' } });
  // Nobody connects to it: a private address is refused before.
  const seed = { provider: 'other', address: 'seed@example.com', host: '127.0.0.1', password: 'secret' };
  await call(service, '/admin/v1/placement/seeds', { key: keys.get('administrator')!, body: seed });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('the front door and the sign-in are for everybody', async () => {
    const visitor = await Visitor.enter(browser, service.url, { colorScheme });
    for (const viewport of [WIDE, NARROW]) {
      await visitor.page.setViewportSize(viewport);
      for (const path of ['/', '/console']) {
        await visitor.goTo(path);
        await visitor.settle();
        expect([path, await visitor.faults()]).toEqual([path, []]);
      }
    }
    await visitor.leave();
  });

  it.each(['customer', 'agent', 'administrator'])('every screen of a %s is for everybody', async (who) => {
    const visitor = await Visitor.enter(browser, service.url, { colorScheme });
    await visitor.signIn(keys.get(who)!);
    const screens = await visitor.screens();
    expect(screens.length).toBeGreaterThan(0);
    for (const path of [...screens, ...(who === 'customer' ? await screensOfOne() : []), '/console/nowhere']) {
      await visitor.page.setViewportSize(WIDE);
      await visitor.goTo(path);
      await visitor.settle();
      expect([path, await visitor.faults()]).toEqual([path, []]);
      await visitor.page.setViewportSize(NARROW);
      expect([path, 'narrow', await visitor.faults()]).toEqual([path, 'narrow', []]);
    }
    await visitor.leave();
  });
});

/** The screens of single things, to which others lead. */
async function screensOfOne(): Promise<string[]> {
  const idsOf = async (path: string, member: string): Promise<number[]> => {
    const { body } = await call(service, `/api/v1${path}`, { key: keys.get('customer')! });
    return body[member].map(({ id }: { id: number }) => id);
  };
  return [
    ...(await idsOf('/verify/batch', 'batches')).map((id) => `/console/batches/${id}`),
    ...(await idsOf('/domains/checks', 'checks')).map((id) => `/console/domains/${id}`),
    ...(await idsOf('/blacklists/checks', 'checks')).map((id) => `/console/blacklists/${id}`),
    ...(await idsOf('/monitors', 'monitors')).flatMap((id) => [
      `/console/monitors/${id}`,
      `/console/monitors/${id}/reports`,
      `/console/monitors/${id}/tls-reports`,
    ]),
    ...(await idsOf('/placement/tests', 'tests')).flatMap((id) => [
      `/console/placement/${id}`,
      `/console/placement/${id}/compare`,
    ]),
  ];
}

describe('the scripts', () => {
  it('the scripts are small: what a first visit loads, and everything together', async () => {
    const page = await (await fetch(`${service.url}/console`)).text();
    const first = [...page.matchAll(/"\/console\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
    const all = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
    const sizeOf = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0);
    expect(first.length).toBeGreaterThan(1);
    expect(sizeOf(first)).toBeLessThan(MAX_FIRST_BYTES);
    expect(sizeOf(all)).toBeLessThan(MAX_ALL_BYTES);
  });
});
