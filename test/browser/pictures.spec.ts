import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser, Visitor } from './visitor.js';

/** Where `npm run pictures` wants them; without it nothing is written over. */
const FOLDER = process.env['PICTURES'];
const SIZE = { width: 1200, height: 900 };

/* What `docs/` shows of deliverability, taken anew of the simulated world when a screen has changed. */
describe.runIf(FOLDER !== undefined)('the pictures of the guides', () => {
  let service: TestService;
  let browser: Browser;
  let account: FullAccount;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
    account = await createFullAccount({ url: service.env.databaseUrl });
    await onDatabase(service.env.databaseUrl, `UPDATE accounts SET name = 'Northwind Ltd'`);
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const made = async (path: string, body: object): Promise<number> =>
    (await call(service, `/api/v1/${path}`, { key: account.testKey, body })).body.id;

  const take = async (name: string, path: string, shown: string, colorScheme: 'light' | 'dark' = 'light') => {
    const visitor = await Visitor.enter(browser, service.url, { viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
    await visitor.signIn(account.testKey, path);
    await visitor.page.getByText(shown).first().waitFor();
    await visitor.settle();
    await visitor.page.screenshot({ path: join(FOLDER!, `${name}.png`) });
    await visitor.leave();
  };

  it('the pictures of the guides show a domain, what is wrong with it and which record to publish', async () => {
    const id = await made('domains/check', { domain: 'spf-broken.example.com' });
    await take('domain', `/console/domains/${id}`, 'Publish instead');
  });

  it('the pictures of the guides show block lists: what each listing means, and what to do about it', async () => {
    const targets = ['192.0.2.2', '192.0.2.10', '198.51.100.7', '203.0.113.9', 'listed.example.com', 'example.com'];
    const id = await made('blacklists/check', { targets });
    await take('blacklists', `/console/blacklists/${id}`, 'At least one list has it.', 'dark');
  });

  it('the pictures of the guides show how many mailboxes put the mail of a placement test in spam, and what to do next', async () => {
    const id = await made('placement/tests', { name: 'gmail-spam' });
    const state = async () =>
      (await call(service, `/api/v1/placement/tests/${id}`, { key: account.testKey })).body.status;
    await expect.poll(state).toBe('completed');
    await take('placement', `/console/placement/${id}`, 'What to do next');
  });
});
