import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResolverDoubts } from '../../src/resolver/resolver-doubts.service.js';
import { Port25States } from '../../src/sending/operators/port25-states.service.js';
import { SourceRefusalsService } from '../../src/sending/sources/source-refusals.service.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser, Visitor } from './visitor.js';

let service: TestService;
let browser: Browser;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
  adminKey = await createAdminKey(service);
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

async function enter(path: string): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(adminKey, path);
  return visitor;
}

const statusOf = async (key: string) => (await call(service, '/api/v1/credits', { key })).status;

describe('an administrator', () => {
  it('an administrator finds whose a leaked key is without its standing in any address, and revokes it', async () => {
    const path = '/api/v1/keys';
    const { body } = await call(service, path, { key: account.liveKey, body: { kind: 'test', name: 'leaked' } });
    const leaked: string = body.api_key;
    const visitor = await enter('/console/search');
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    await visitor.heading('Search');
    await visitor.page.getByRole('searchbox').fill(leaked);
    await visitor.page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    const found = visitor.page.getByRole('article', { name: 'Key' });
    await found.getByText('leaked').waitFor();
    await found.getByRole('button', { name: 'Revoke' }).click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Revoke' });
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(leaked.slice(-4));
    await revoke.click();
    await found.getByText('revoked').waitFor();
    await expect.poll(() => statusOf(leaked)).toBe(401);
    expect(asked.join(' ')).not.toContain(leaked.slice(8));
    await visitor.leave();
  });

  it('an administrator grants credits with a reason that stands in the audit, and suspends and resumes an account', async () => {
    const visitor = await enter(`/console/accounts/${account.accountId}`);
    const { page } = visitor;
    await visitor.button('Grant or take credits').click();
    await page.getByLabel('Credits', { exact: true }).fill('250');
    await page.getByLabel('Reason').fill('Order 17');
    await visitor.button('Change the balance').click();
    await page.getByRole('region', { name: 'Audit' }).getByText('Order 17').waitFor();
    await page.getByRole('region', { name: 'Ledger of the account' }).getByText('+250').waitFor();
    await visitor.button('Suspend').click();
    await page.getByLabel('Reason').fill('Unpaid');
    await visitor.button('Suspend the account').click();
    await page.getByText('Suspended since').waitFor();
    await expect.poll(() => statusOf(account.liveKey)).toBe(403);
    await visitor.button('Let it work again').click();
    await page.getByText('Suspended since').waitFor({ state: 'detached' });
    await expect.poll(() => statusOf(account.liveKey)).toBe(200);
    await visitor.leave();
  });

  it('an administrator makes an account and a key for it, which works', async () => {
    const visitor = await enter('/console/accounts');
    const { page } = visitor;
    await visitor.button('New account').click();
    await page.getByLabel('Name').fill('Second Ltd');
    await page.getByLabel('Region').fill('mars');
    await visitor.button('Make it').click();
    await page.getByRole('dialog').getByText('must be null: no source or worker has a region').waitFor();
    await page.getByLabel('Region').fill('');
    await visitor.button('Make it').click();
    await visitor.heading('Second Ltd');
    await visitor.button('New key').click();
    await visitor.button('Make it').click();
    const key = await page.getByRole('region', { name: 'API key' }).textContent();
    expect(await statusOf(key!.trim())).toBe(200);
    await visitor.leave();
  });

  it('an administrator who has closed the dialog of a new key finds the key in it again, until the page is left', async () => {
    const own = await createFullAccount({ url: service.env.databaseUrl });
    const path = `/console/accounts/${own.accountId}`;
    const visitor = await enter(path);
    const dialog = visitor.page.getByRole('dialog', { name: 'New key' });
    const shown = dialog.getByRole('region', { name: 'API key' });
    await visitor.button('New key').click();
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const key = await shown.textContent();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await visitor.button('New key').click();
    expect(await shown.textContent()).toBe(key);
    expect(await statusOf(key!.trim())).toBe(200);
    await visitor.goTo(path);
    await visitor.button('New key').click();
    await dialog.getByRole('button', { name: 'Make it' }).waitFor();
    expect(await shown.count()).toBe(0);
    await visitor.leave();
  });

  it('an administrator revokes every agent of a network once its address is typed again, and reads how many', async () => {
    const agent = await register(service);
    expect(await statusOf(agent)).toBe(200);
    const visitor = await enter('/console/agents');
    const revoke = async (network: string) => {
      await visitor.page.getByLabel('Address or network', { exact: true }).fill(network);
      await visitor.button('Revoke all of it').click();
      const dialog = visitor.page.getByRole('dialog');
      const act = dialog.getByRole('button', { name: 'Revoke all of it' });
      expect(await act.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(network);
      await act.click();
    };
    await revoke('192.0.2.0/24');
    await visitor.page.getByText('None: no agent').waitFor();
    expect(await statusOf(agent)).toBe(200);
    await revoke('127.0.0.1');
    await visitor.page.getByText('1 key of 127.0.0.1 revoked.').waitFor();
    await visitor.page.getByRole('region', { name: 'Agents' }).getByText('revoked').first().waitFor();
    await expect.poll(() => statusOf(agent)).toBe(401);
    await visitor.leave();
  });

  it('an administrator pauses a mail operator for a reason that everybody sees, and resumes it', async () => {
    const visitor = await enter('/console/operators');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Pause' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('They asked us to stop');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText(/They asked us to stop/).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText(/They asked us to stop/).waitFor({ state: 'detached' });
    await visitor.leave();
  });

  it('an administrator sees how mail hosts take our sending addresses, drains one for a reason that everybody sees, and resumes it', async () => {
    const visitor = await enter('/console/egress');
    const { page } = visitor;
    await page.getByText('No mail operator refuses a source').waitFor();
    const source = page.getByRole('region', { name: 'default' });
    // The service looks a while after its start.
    await source.getByText('Not looked at yet').or(source.getByText('What was found')).waitFor();
    const [now, text] = [new Date(), '<img src=x onerror="document.title=1"> <…> javascript:alert(1)'];
    const refusal = { source: 'default', lastReply: '450 4.2.0', lastText: text, lastAt: now };
    await service.app.get(SourceRefusalsService, { strict: false }).add(
      [
        { ...refusal, operator: 'google', kind: 'greylisted', refusals: 1_234 },
        { ...refusal, operator: 'mx.stranger.example', kind: 'ip_blocked', refusals: 3 },
      ],
      now,
    );
    await visitor.button('Look again').click();
    const grid = page.getByRole('region', { name: 'Operators and sources' }).last();
    const stranger = grid.getByRole('row').filter({ hasText: 'mx.stranger.example' });
    await stranger.getByText('3 blocked').waitFor();
    await stranger.getByText(text).waitFor();
    // What passes by itself stands behind what does not.
    const greylisted = page.getByRole('row').filter({ hasText: '1,234 greylisted, the last' });
    expect(await greylisted.isVisible()).toBe(false);
    await page.getByText('1 operator only greylisted or limited').click();
    await greylisted.waitFor();
    const glance = page.getByRole('region', { name: 'Sources at a glance' }).getByRole('row').last();
    await glance.getByText('3 blocked, 1,234 greylisted').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await visitor.button('Drain default').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Drain it' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('The address moves');
    await dialog.getByRole('button', { name: 'Drain it' }).click();
    await source.getByText(/^The address moves \(/).waitFor();
    await source.getByText('drained').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Resume default').click();
    await source.getByText('drained').waitFor({ state: 'detached' });
    await visitor.leave();
  });

  it('an administrator reads who works, what waits and how old the lists of domains are', async () => {
    const visitor = await enter('/console/health');
    const { page } = visitor;
    await page.getByRole('region', { name: 'What waits' }).getByText('Batches at work').waitFor();
    await page.getByRole('region', { name: 'Workers', exact: true }).last().getByRole('cell').first().waitFor();
    const port25 = page.getByRole('region', { name: 'Port 25' }).last();
    await port25.getByText('Not known yet').waitFor();
    const blocked = { machine: 'mail-1', state: 'blocked', since: new Date(), answeredAt: null } as const;
    await service.app.get(Port25States, { strict: false }).report(randomUUID(), blocked);
    const lie = { machine: 'mail-2', finding: 'denies', since: new Date() } as const;
    await service.app.get(ResolverDoubts, { strict: false }).report(randomUUID(), lie);
    await visitor.button('Look again').click();
    await port25.getByRole('row').filter({ hasText: 'mail-1' }).getByText('blocked').waitFor();
    const liars = page.getByRole('region', { name: 'DNS resolvers that lie' }).last();
    await liars.getByRole('row').filter({ hasText: 'mail-2' }).getByText('denies what exists').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole('region', { name: 'Lists of domains' }).getByText('disposable.txt', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'All mail operators' }).click();
    await visitor.heading('Mail operators');
    await visitor.leave();
  });

  it('an administrator reads what an account used and was refused in 30 days, and what its keys may spend', async () => {
    const own = await createFullAccount({ url: service.env.databaseUrl }, { credits: 10 });
    const body = { kind: 'live', name: 'Shop', credits_per_day: 1 };
    const { api_key: key } = (await call(service, '/api/v1/keys', { key: own.liveKey, body })).body;
    for (const status of [200, 402])
      expect((await call(service, '/api/v1/verify', { key, body: { email: 'one@nowhere.invalid' } })).status).toBe(
        status,
      );
    const visitor = await enter(`/console/accounts/${own.accountId}`);
    const { page } = visitor;
    await page.getByRole('region', { name: 'Usage by day' }).getByText('Total').waitFor();
    await page.getByRole('region', { name: 'Keys of the account' }).getByText('1 of 1 today').waitFor();
    await visitor.leave();
  });
});
