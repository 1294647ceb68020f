import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { openBrowser, Visitor } from './visitor.js';

let service: TestService;
let sink: WebhookSink;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  [service, sink, browser] = await Promise.all([
    startService({ env: TO_LOOPBACK, timer: SYSTEM_TIMER }),
    startWebhookSink(),
    openBrowser(),
  ]);
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await sink.close();
});

async function enter(path: string): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(account.testKey, path);
  return visitor;
}

describe('a customer', () => {
  it('a customer adds an endpoint, sees why a delivery fails, and sends it again once the receiver is mended', async () => {
    sink.answer = (_, response) => response.writeHead(500).end('the database is away');
    const visitor = await enter('/console/webhooks');
    const { page } = visitor;
    await visitor.button('Add an endpoint').click();
    const adding = page.getByRole('dialog', { name: 'Add an endpoint' });
    await adding.getByLabel('URL').fill(sink.url());
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = page.getByRole('dialog', { name: 'The endpoint' });
    expect(await secret.getByRole('region', { name: 'Secret' }).textContent()).toMatch(/^whsec_/);
    await secret.getByRole('button', { name: 'I have kept it' }).click();
    await visitor.heading(/hook$/);
    await visitor.button('Send a test').click();
    await expect
      .poll(async () => {
        await visitor.button('Look again').click();
        return page.getByRole('region', { name: 'Deliveries' }).last().textContent();
      })
      .toContain('500');
    await page.getByRole('link', { name: 'webhook.test' }).first().click();
    await page.getByRole('article', { name: 'Attempt 1' }).getByText('the database is away').waitFor();
    const attempt = page.getByRole('article', { name: 'Attempt 1' });
    await attempt.getByText('What was sent').click();
    await attempt
      .getByRole('region', { name: 'Headers of the request' })
      .getByText('webhook-signature: v1,…')
      .waitFor();
    const body = await attempt.getByRole('region', { name: 'Body of the request' }).textContent();
    expect(sink.received.map(({ text }) => text)).toContain(body);
    sink.answer = (_, response) => response.writeHead(204).end();
    await visitor.button('Send it again').click();
    // The attempt is there before the delivery is done with it.
    await expect
      .poll(async () => {
        await visitor.button('Look again').click();
        const attempt = await page.getByRole('article').first().textContent();
        return attempt?.includes('204') === true && (await page.getByText('succeeded').isVisible());
      })
      .toBe(true);
    await visitor.leave();
  });

  it('a customer changes a secret, finds it again in its dialog until the page is left, and reads that both sign for a day', async () => {
    const { body } = await call(service, '/api/v1/webhooks', { key: account.testKey, body: { url: sink.url('/two') } });
    const visitor = await enter(`/console/webhooks/${body.id}`);
    await visitor.button('New secret').click();
    await visitor.button('Make a new secret').click();
    const dialog = visitor.page.getByRole('dialog', { name: 'New secret' });
    const shown = await dialog.getByRole('region', { name: 'Secret' }).textContent();
    expect(shown).toMatch(/^whsec_/);
    expect(shown).not.toBe(body.secret);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await visitor.page.getByText(/signs too for 23 h 5\d min/).waitFor();
    await visitor.button('New secret').click();
    expect(await dialog.getByRole('region', { name: 'Secret' }).textContent()).toBe(shown);
    await visitor.goTo(`/console/webhooks/${body.id}`);
    await visitor.button('New secret').click();
    await visitor.button('Make a new secret').waitFor();
    expect(await dialog.getByRole('region', { name: 'Secret' }).count()).toBe(0);
    await visitor.leave();
  });

  it('a customer reads what was used, takes it along as CSV, and finds its entries in the ledger', async () => {
    await call(service, '/api/v1/verify', { key: account.liveKey, body: { email: 'one@nowhere.invalid' } });
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.liveKey, '/console/credits');
    const { page } = visitor;
    await page.getByRole('region', { name: 'Usage by day' }).getByText('Total').waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('reason');
    await page.getByRole('region', { name: 'Usage by reason' }).getByText('domain_not_found').waitFor();
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    const text = readFileSync(await (await waiting).path(), 'utf8');
    expect(text).toContain('domain_not_found');
    const ledger = page.getByRole('region', { name: 'Ledger' }).last();
    await ledger.getByText('charge').first().waitFor();
    await page.getByLabel('Entry', { exact: true }).selectOption('grant');
    await ledger.getByText('charge').first().waitFor({ state: 'detached' });
    const ledgerFile = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download these entries as CSV' }).click();
    const entries = readFileSync(await (await ledgerFile).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(entries.map((entry) => entry.split(',')[1])).toEqual(['kind', 'grant']);
    await page.getByLabel('Entries to (UTC)').fill('2020-01-01');
    await page.getByText('No entry is like what you look for').waitFor();
    await visitor.leave();
  });

  it('a customer finds the address of a person, and starts a search for many after reading its price', async () => {
    const visitor = await enter('/console/finder');
    const { page } = visitor;
    await page.getByLabel('Full name').fill('Jane Doe');
    await page.getByLabel('Domain or website').fill('example.com');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('article', { name: 'What was found' }).waitFor();
    await page.getByLabel(/People, one a line/).fill('Jane Doe, example.com\nno domain here\nJohn Roe; example.org');
    await page.getByText('2 people').waitFor();
    await page.getByText('Line 2: no domain here').waitFor();
    await visitor.button('What does it cost?').click();
    await page.getByText('at most').waitFor();
    await page.getByText('Line 2: no domain here').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('region', { name: 'Searches for many people' }).waitFor();
    await visitor.leave();
  });

  it('a customer finds a held search again, in its row and by its number, and starts one and deletes another', async () => {
    const path = '/api/v1/finder/batch';
    const holdOf = async (name: string): Promise<number> => {
      const body = { people: [{ full_name: 'Jane Doe', domain: 'example.com' }], name };
      return (await call(service, `${path}?hold=true`, { key: account.testKey, body })).body.id;
    };
    const [started, dropped] = [await holdOf('Held one'), await holdOf('Held two')];
    const visitor = await enter('/console/finder');
    const { page } = visitor;
    await visitor.button('Start Held one').click();
    await page.getByRole('dialog').getByText('1 credit').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await visitor.button('Start Held one').waitFor({ state: 'detached' });
    const statusOf = async (id: number) => (await call(service, `${path}/${id}`, { key: account.testKey })).body.status;
    await expect.poll(() => statusOf(started)).toBe('completed');
    await visitor.goTo(`/console/batches/${dropped}`);
    await visitor.heading('Held two');
    expect(new URL(page.url()).pathname).toBe(`/console/searches/${dropped}`);
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Delete Held two').click();
    await visitor.button('Delete for ever').click();
    await visitor.heading('Finder');
    expect(await statusOf(dropped)).toBeUndefined();
    await visitor.leave();
  });

  it('a customer cancels a search that runs, and reads who was found by then', async () => {
    // No name server answers here: who has no domain is answered at once, and the others are tried again for an hour.
    const people = [
      { full_name: 'Jane Doe', domain: 'no domain' },
      { full_name: 'John Roe', domain: 'example.com' },
    ];
    const body = { people, name: 'Too many', retry_window_seconds: 3_600 };
    const { id } = (await call(service, '/api/v1/finder/batch', { key: account.liveKey, body })).body;
    const statusOf = async () => (await call(service, `/api/v1/finder/batch/${id}`, { key: account.liveKey })).body;
    await expect.poll(async () => (await statusOf()).processed).toBe(1);
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.liveKey, `/console/searches/${id}`);
    await visitor.heading('Too many');
    await visitor.button('Cancel Too many').click();
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Cancel, and keep what is done').click();
    const found = visitor.page.getByRole('region', { name: 'People', exact: true }).last();
    await found.getByRole('button', { name: 'Jane Doe' }).click();
    await visitor.page.getByRole('dialog').getByText('domain_unreadable').waitFor();
    expect(await visitor.faults()).toEqual([]);
    expect(await statusOf()).toMatchObject({ status: 'cancelled', processed: 1, credits_charged: 0 });
    const credits = await call(service, '/api/v1/credits', { key: account.liveKey });
    expect(credits.body.reserved).toBe(0);
    await visitor.leave();
  });

  it('a customer cancels a search that waits for its turn, in its row', async () => {
    const idle = await startService({ env: { role: 'api' }, timer: SYSTEM_TIMER });
    const own = await createFullAccount({ url: idle.env.databaseUrl });
    const body = { people: [{ full_name: 'Jane Doe', domain: 'example.com' }], name: 'Early' };
    const { id } = (await call(idle, '/api/v1/finder/batch', { key: own.testKey, body })).body;
    const visitor = await Visitor.enter(browser, idle.url);
    await visitor.signIn(own.testKey, '/console/finder');
    await visitor.page.getByRole('cell', { name: 'Waits for its turn' }).waitFor();
    await visitor.button('Cancel Early').click();
    await visitor.button('Cancel, and keep what is done').click();
    await visitor.page.getByRole('cell', { name: 'Cancelled' }).waitFor();
    await visitor.button('Delete Early').waitFor();
    expect((await call(idle, `/api/v1/finder/batch/${id}`, { key: own.testKey })).body.status).toBe('cancelled');
    await visitor.leave();
    await idle.close();
  });

  it('a customer reads who was found by a search and who was not, and takes exactly those along', async () => {
    const people = [
      { full_name: 'Jane Doe', domain: 'one.com' },
      { full_name: 'John Roe', domain: 'two.com' },
      { full_name: 'Jim Invalid', domain: 'invalid.example' },
      { full_name: 'Joe Public', domain: 'gmail.com' },
    ];
    const { id } = (await call(service, '/api/v1/finder/batch', { key: account.testKey, body: { people } })).body;
    const statusOf = async () => (await call(service, `/api/v1/finder/batch/${id}`, { key: account.testKey })).body;
    await expect.poll(async () => (await statusOf()).status).toBe('completed');
    const visitor = await enter(`/console/searches/${id}`);
    const { page } = visitor;
    const shown = () =>
      page.getByRole('region', { name: 'People', exact: true }).last().getByRole('button').allTextContents();
    await expect.poll(shown).toEqual(people.map(({ full_name: name }) => name));
    await page.getByRole('region', { name: 'Domains' }).last().getByRole('button', { name: 'two.com' }).click();
    await expect.poll(shown).toEqual(['John Roe']);
    await page.getByRole('region', { name: 'Reasons' }).getByRole('button', { name: 'public mail domain' }).click();
    await expect.poll(shown).toEqual(['Joe Public']);
    const link = page.getByRole('link', { name: 'Download these rows' });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(
      readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split(/\r?\n/),
    ).toHaveLength(2);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a customer suppresses an address, is told that it is, and takes it away again', async () => {
    const visitor = await enter('/console/suppressions');
    const { page } = visitor;
    const look = page.getByRole('region', { name: 'Is an address suppressed?' });
    await look.getByLabel('Email address').fill('Someone@example.com');
    await look.getByRole('button', { name: 'Look' }).click();
    await look.getByText('It is not suppressed.').waitFor();
    // The service alone knows that the third is no address.
    await page.getByLabel('Addresses, one a line').fill('name,email\nSome,someone@example.com\nA,a@b<c\nB,none');
    await page.getByText('Line 4: B,none').waitFor();
    await page.getByRole('button', { name: 'Add 2 addresses' }).click();
    await page.getByText('Line 3: a@b<c').waitFor();
    await page.getByRole('region', { name: 'Suppressed addresses' }).waitFor();
    await look.getByRole('button', { name: 'Look' }).click();
    await look.getByText('It is suppressed since').waitFor();
    await page.getByRole('button', { name: 'Take away' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
    await page.getByText('No address is suppressed').waitFor();
    await visitor.leave();
  });

  it('a customer erases an address and gets a receipt that does not name it', async () => {
    const visitor = await enter('/console/privacy');
    const { page } = visitor;
    await page.getByLabel('Email address').fill('forgotten@example.com');
    await visitor.button('Erase').click();
    const question = page.getByRole('dialog', { name: 'Erase this address?' });
    await question.getByText('forgotten@example.com').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await question.getByRole('button', { name: 'Erase for ever' }).click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('done').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('forgotten');
    const number = (await receipt.getByRole('code').textContent())!;
    await page.getByRole('link', { name: 'Connect' }).click();
    await visitor.heading('Connect');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await visitor.button(number).click();
    await receipt.getByText('done').waitFor();
    await page.reload();
    await visitor.button(number).click();
    await receipt.getByText('done').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });
});
