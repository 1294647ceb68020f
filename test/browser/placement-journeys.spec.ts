import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { NARROW, openBrowser, Visitor } from './visitor.js';

let service: TestService;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

async function enter(path: string): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.signIn(account.testKey, path);
  return visitor;
}

async function madeAndEnded(name: string): Promise<number> {
  const { id } = (await call(service, '/api/v1/placement/tests', { key: account.testKey, body: { name } })).body;
  const read = async () => (await call(service, `/api/v1/placement/tests/${id}`, { key: account.testKey })).body;
  await expect.poll(async () => (await read()).status).toBe('completed');
  return id;
}

describe('a customer', () => {
  it('a customer makes a placement test, sees by itself where the mail arrived, and deletes the test', async () => {
    const visitor = await enter('/console/placement');
    const { page } = visitor;
    await visitor.button('gmail-spam').click();
    await visitor.button('Make the test').click();
    await visitor.heading('gmail-spam');
    await page.getByRole('region', { name: 'State' }).getByText('2 of 6 mailboxes put it in spam.').waitFor();
    const gmail = page.getByRole('region', { name: 'Providers' }).getByRole('row', { name: /^Gmail/ });
    await gmail.waitFor();
    const next = page.getByRole('region', { name: 'What to do next' });
    await next.getByText('What is left is reputation and content').waitFor();
    await page.getByText('Who it says it is from', { exact: true }).first().waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await visitor.heading('Placement tests');
    await page.getByText('No test yet').waitFor();
    await visitor.leave();
  });

  it('a customer whose mail lies in spam sees it in the list, reads the likeliest cause first, and copies the record that mends it', async () => {
    const id = await madeAndEnded('unauthenticated');
    const visitor = await enter('/console/placement');
    const { page } = visitor;
    const badge = page.getByRole('region', { name: 'Tests' }).locator('.badge.invalid');
    expect(await badge.textContent()).toBe('6 of 6 in spam');
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole('link', { name: 'unauthenticated' }).click();
    await page.getByRole('region', { name: 'State' }).getByText('6 of 6 mailboxes put it in spam.').waitFor();
    const next = page.getByRole('region', { name: 'What to do next' });
    await next.getByText('Gmail: SPF fail, DKIM none, DMARC fail').waitFor();
    const first = next.getByRole('article').first();
    expect(await first.getByRole('heading').textContent()).toBe(
      'The SPF record of sender.example does not name the sending address.',
    );
    await first.getByRole('button', { name: /^Copy the txt record/ }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('ip4:8.8.8.25');
    expect(await page.getByText('Nothing is wrong').count()).toBe(0);
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
    await call(service, `/api/v1/placement/tests/${id}`, { key: account.testKey, method: 'DELETE' });
  });

  it('a customer whose mail is in every inbox reads that, and is given nothing to do', async () => {
    const id = await madeAndEnded('all-inbox');
    const visitor = await enter('/console/placement');
    const { page } = visitor;
    const badge = page.getByRole('region', { name: 'Tests' }).locator('.badge.valid');
    expect(await badge.textContent()).toBe('6 of 6 in the inbox');
    await page.getByRole('link', { name: 'all-inbox' }).click();
    await page.getByRole('region', { name: 'State' }).getByText('6 of 6 mailboxes put it in the inbox.').waitFor();
    await page.getByRole('heading', { name: 'No check failed' }).waitFor();
    expect(await page.getByText('What to do next').count()).toBe(0);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
    await call(service, `/api/v1/placement/tests/${id}`, { key: account.testKey, method: 'DELETE' });
  });

  it('a customer sees two tests side by side: where their mails arrived, what passed, and what is wrong with one of them', async () => {
    const [first, second] = [await madeAndEnded('unauthenticated'), await madeAndEnded('promotions')];
    const visitor = await enter(`/console/placement/${second}`);
    const { page } = visitor;
    await page.getByRole('link', { name: 'Compare' }).click();
    await visitor.heading('promotions beside another test');
    const cells = async (table: string, row: RegExp) => {
      const found = page.getByRole('region', { name: table }).last().getByRole('row', { name: row });
      return (await found.getByRole('cell').allTextContents()).slice(1);
    };
    await page.getByRole('region', { name: 'Where they arrived' }).last().waitFor();
    expect(await cells('Where they arrived', /^Gmail/)).toEqual(['2 spam', '2 tab', 'more']);
    expect(await cells('Who they say they are from', /^SPF/)).toEqual(['fail', 'pass', 'changed']);
    expect(await cells('Who they say they are from', /^ARC/)).toEqual(['none', 'none', 'the same']);
    await page.getByRole('heading', { name: 'Nothing new is wrong' }).waitFor();
    const gone = page.getByRole('list', { name: 'What was wrong before, and is not now' });
    await gone.getByText('The message has no DKIM signature.').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);

    // The other way round the same findings have come.
    await visitor.goTo(`/console/placement/${first}/compare?from=${second}`);
    await visitor.heading('unauthenticated beside another test');
    const came = page.getByRole('region', { name: 'What is wrong now, and was not before' });
    await came.getByRole('article', { name: 'The message has no DKIM signature.' }).waitFor();
    expect(await cells('Where they arrived', /^Gmail/)).toEqual(['2 tab', '2 spam', 'less']);
    await page.getByLabel('Before', { exact: true }).selectOption(String(first));
    await page.getByText('Nothing new is wrong').waitFor();
    await visitor.goTo(`/console/placement/${first}/compare?from=4711`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'All tests' }).click();
    await visitor.heading('Placement tests');
    await visitor.leave();
    for (const id of [first, second])
      await call(service, `/api/v1/placement/tests/${id}`, { key: account.testKey, method: 'DELETE' });
  });

  it('a customer has a message judged without sending it, and sees its words as text', async () => {
    const visitor = await enter('/console/placement');
    const { page } = visitor;
    const lines = ['From: Shop <news@example.com>', 'Subject: <img src=x onerror=alert(1)>', '', '<b>Hello</b>'];
    await page.getByLabel('Source of the message, with all headers').fill(lines.join('\n'));
    await visitor.button('Read it').click();
    await page.getByRole('article').filter({ hasText: 'dkim_missing' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a customer reads who sends in the name of a domain, and which record proves that it is theirs', async () => {
    const body = { kind: 'domain', target: 'shop.example.com' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey, body })).body;
    const visitor = await enter(`/console/monitors/${id}`);
    const { page } = visitor;
    await page.getByRole('link', { name: 'DMARC reports' }).click();
    await visitor.heading('DMARC reports about shop.example.com');
    await visitor.button('Show the record, and look for it').click();
    await page.getByRole('region', { name: 'The TXT record' }).getByText('mailsonde-verification=').waitFor();
    await page.getByText('It is proven.').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });
});
