import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/lib/durations.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { startWebhookSink, TO_LOOPBACK, type WebhookSink } from '../support/webhook-sink.js';
import { NARROW, openBrowser, Visitor, WIDE } from './visitor.js';

/** Real time, and whatever the test lets pass at once. */
const clock = {
  aheadMs: 0,
  now() {
    return Date.now() + this.aheadMs;
  },
};

let dns: DnsServer;
let service: TestService;
let sink: WebhookSink;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'shop.example': { MX: [[10, 'mx.shop.example']], TXT: ['v=spf1 mx include:gone.example -all'] },
      '_dmarc.shop.example': { TXT: ['v=DMARC1; p=reject; pct=100; rua=mailto:dmarc@shop.example'] },
      'mx.shop.example': { A: ['8.8.4.25'] },
      '25.4.8.8.in-addr.arpa': { PTR: ['mx.shop.example'] },
    },
  });
  [service, sink, browser] = await Promise.all([
    startService({ env: { ...TO_LOOPBACK, dnsServers: [dns.address] }, clock, timer: SYSTEM_TIMER }),
    startWebhookSink(),
    openBrowser(),
  ]);
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await Promise.all([sink.close(), dns.close()]);
});

async function enter(path: string, key = account.testKey): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.signIn(key, path);
  return visitor;
}

/** What a click on a button copies. */
async function copied(finding: Locator, name: RegExp): Promise<string> {
  await finding.getByRole('button', { name }).click();
  return (await finding.page().evaluate('navigator.clipboard.readText()')) as string;
}

const stateOf = (visitor: Visitor) =>
  visitor.page.getByRole('region', { name: 'State' }).locator('.badge').textContent();

describe('a customer', () => {
  it('a customer enters a domain, sees what is wrong, publishes what is proposed, sees it turn green, and gets the event', async () => {
    await call(service, '/api/v1/webhooks', { key: account.liveKey, body: { url: sink.url() } });
    const visitor = await enter('/console/domains', account.liveKey);
    const { page } = visitor;
    await page.getByLabel('Domain', { exact: true }).fill('shop.example');
    await visitor.button('Check').click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('critical', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Watch this domain' }).click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    expect(await dialog.getByRole('textbox', { name: 'Domain' }).inputValue()).toBe('shop.example');
    await dialog.getByRole('button', { name: 'Watch it' }).click();
    await visitor.heading('shop.example');
    await expect.poll(() => stateOf(visitor)).toBe('critical');

    // Every record that follows from what is published, as it is copied from the page.
    await page.getByText('worth knowing').click();
    const certain = page.getByRole('article').filter({ has: page.getByText('certain', { exact: true }) });
    await expect.poll(() => certain.count()).toBe(2);
    for (const finding of await certain.all()) {
      const name = (await copied(finding, /^Copy the name/)).replace(/\.$/, '');
      const TXT = [await copied(finding, /^Copy the txt record/)];
      dns.set(name, name === 'shop.example' ? { MX: [[10, 'mx.shop.example']], TXT } : { TXT });
    }

    // Gone is what two looks, a while apart, have not seen.
    for (let look = 0; look < 2; look += 1) {
      clock.aheadMs += 2 * MINUTE_MS;
      const before = await page.getByRole('region', { name: 'Looks' }).last().getByRole('row').count();
      await visitor.button('Look now').click();
      await expect
        .poll(() => page.getByRole('region', { name: 'Looks' }).last().getByRole('row').count())
        .toBeGreaterThan(before);
    }
    await expect.poll(() => stateOf(visitor)).toBe('ok');
    const timeline = page.getByRole('region', { name: 'Timeline' }).last();
    await timeline
      .getByRole('row')
      .filter({ hasText: 'Resolved' })
      .filter({ hasText: 'spf_include_missing' })
      .waitFor();
    const changes = page.getByRole('list', { name: 'What is different' });
    await changes.getByText('v=spf1 mx include:gone.example -all').waitFor();
    // What the timeline says has changed is one click away, whatever was compared before.
    await page.getByLabel('What changed from').selectOption({ index: 0 });
    await page.getByLabel('To', { exact: true }).selectOption({ index: 0 });
    await page.getByText('Nothing is different.').waitFor();
    await timeline.getByRole('button', { name: 'See what' }).first().click();
    await changes.getByText('v=spf1 mx include:gone.example -all').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Looks');
    await expect
      .poll(() => sink.received.filter(({ body }) => body.type === 'monitor.changed'))
      .toMatchObject([
        { body: { data: { target: 'shop.example', state: 'ok', resolved: [{ code: 'spf_include_missing' }] } } },
      ]);
    await visitor.leave();
  });

  it('a customer watches a whole story with a test key: it breaks, is well again, and the page follows by itself', async () => {
    const visitor = await enter('/console/monitors');
    const { page } = visitor;
    await page.getByText('Nothing is watched yet').waitFor();
    await visitor.button('New monitor').click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('fixed-later.example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Fixed later');
    expect(await visitor.faults()).toEqual([]);
    await visitor.button('Watch it').click();
    await visitor.heading('Fixed later');
    await expect.poll(() => stateOf(visitor)).toBe('critical');
    await expect.poll(() => stateOf(visitor)).toBe('ok');
    const timeline = page.getByRole('region', { name: 'Timeline' }).last();
    await timeline.getByRole('row').filter({ hasText: 'Resolved' }).filter({ hasText: 'dmarc_missing' }).waitFor();
    const turned = timeline.getByRole('row').filter({ hasText: 'State' }).first();
    expect(await turned.locator('.badge').allTextContents()).toEqual(['critical', 'ok']);
    await page.getByLabel('Findings that are').selectOption('resolved');
    await page.getByRole('article').filter({ hasText: 'DMARC' }).waitFor();

    // The incident is over: it is one entry of the timeline, and the day on which it was open stays red.
    const incident = timeline.getByRole('row').filter({ hasText: 'dmarc_missing' });
    await incident.getByText(/^over after \d/).waitFor();
    expect((await incident.getByRole('listitem').allTextContents()).join()).toMatch(/Opened.*Resolved/);
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey })).body.monitors[0];
    await onDatabase(
      service.env.databaseUrl,
      `UPDATE monitor_runs SET finished_at = finished_at - interval '3 days' WHERE monitor_id = $1 AND state = 'critical'`,
      [id],
    );
    const days = page.getByRole('list', { name: 'The last 30 days' }).getByRole('listitem');
    await expect.poll(async () => (await days.allTextContents()).slice(0, -2).join()).toContain('critical');
    const texts = await days.allTextContents();
    expect(texts).toHaveLength(30);
    expect(texts[0]).toMatch(/: not checked$/);
    expect(texts.at(-1)).toMatch(/: ok$/);
    await page.getByText(/^1 day critical, .*not checked\./).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a customer mutes a block list where it says something, another one by its name, and unmutes both', async () => {
    const body = { kind: 'domain', target: 'listed.example.com' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey, body })).body;
    const visitor = await enter(`/console/monitors/${id}`);
    const { page } = visitor;
    const finding = page.getByRole('article').filter({ hasText: 'spamhaus-dbl' });
    const mutedLists = page.getByRole('region', { name: 'Muted block lists' });
    await page.getByText('None: you are told what every block list says.').waitFor();

    // From the listing, until it is ended, by keyboard.
    await finding.getByRole('button', { name: 'Mute the list' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Mute all that spamhaus-dbl says' });
    await dialog.getByLabel('For how long').selectOption('until I end it');
    await dialog.getByLabel('Note').fill('we have asked <b>them</b>');
    expect(await visitor.faults()).toEqual([]);
    await page.keyboard.press('Enter');
    await finding.getByText('all of this list is muted').waitFor();
    expect(await finding.getByRole('button', { name: 'Mute the list' }).count()).toBe(0);
    const row = mutedLists.getByRole('listitem').filter({ hasText: 'spamhaus-dbl' });
    await row.getByText('we have asked <b>them</b>').waitFor();
    await row.getByText('until you end it').waitFor();
    await row.getByText(`…${account.testKey.slice(-4)}`).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' }).last();
    await timeline
      .getByRole('row')
      .filter({ hasText: 'Block list muted' })
      .filter({ hasText: 'spamhaus-dbl' })
      .waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');

    // By its name, until a date; one that has passed cannot be chosen.
    await visitor.button('Mute a block list').click();
    const chosen = page.getByRole('dialog', { name: 'Mute a block list' });
    expect(await chosen.getByRole('button', { name: 'Mute', exact: true }).isDisabled()).toBe(true);
    const offered = await chosen.getByLabel('Block list').locator('option').allTextContents();
    expect(offered.filter((name) => name.includes('(spamhaus-dbl)'))).toEqual([]);
    await chosen.getByLabel('Block list').selectOption('psbl');
    await chosen.getByLabel('For how long').selectOption('until a date');
    await chosen.getByLabel('Until the end of').fill('2020-01-01');
    await chosen.getByRole('button', { name: 'Mute', exact: true }).click();
    const isTooEarly = (field: unknown) => (field as { validity: { rangeUnderflow: boolean } }).validity.rangeUnderflow;
    expect(await chosen.getByLabel('Until the end of').evaluate(isTooEarly)).toBe(true);
    await chosen.getByLabel('Until the end of').fill('2099-12-31');
    await chosen.getByRole('button', { name: 'Mute', exact: true }).click();
    await mutedLists
      .getByRole('listitem')
      .filter({ hasText: 'psbl' })
      .getByText(/2099|2100/)
      .waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(WIDE);
    const lists = (await call(service, `/api/v1/monitors/${id}`, { key: account.testKey })).body.muted_lists;
    expect(lists).toMatchObject([
      { list: 'psbl', note: null },
      { list: 'spamhaus-dbl', muted_until: '9999-12-31T00:00:00.000Z', note: 'we have asked <b>them</b>' },
    ]);

    // What the service refuses is said where it was asked for.
    await visitor.button('Mute a block list').click();
    await chosen.getByLabel('Block list').selectOption({ index: 1 });
    await call(service, `/api/v1/monitors/${id}`, { key: account.testKey, method: 'DELETE' });
    await chosen.getByRole('button', { name: 'Mute', exact: true }).click();
    await chosen.getByRole('alert').getByText('monitor_not_found').waitFor();
    await visitor.leave();
  });

  it('a customer who mutes a block list stays on the screen, though the page asks again by itself before it has its answer', async () => {
    const body = { kind: 'domain', target: 'listed.example.net' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey, body })).body;
    const visitor = await enter(`/console/monitors/${id}`);
    const { page } = visitor;
    await visitor.button('Mute the list').first().click();
    // The page asks after the change, and before it is answered it asks again, as it does when somebody comes back to it.
    let asked = 0;
    await page.route(`**/api/v1/monitors/${id}`, async (route) => {
      if ((asked += 1) === 1) await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByText('all of this list is muted').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(asked).toBeGreaterThan(1);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await visitor.leave();
  });

  it('a customer unmutes a block list, and is told of it again', async () => {
    const body = { kind: 'domain', target: 'listed.example.org' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey, body })).body;
    const mute = { method: 'PATCH', body: { muted_until: '2099-01-01T00:00:00Z' } };
    await call(service, `/api/v1/monitors/${id}/lists/spamhaus-dbl`, { key: account.testKey, ...mute });
    const visitor = await enter(`/console/monitors/${id}`);
    const { page } = visitor;
    await visitor.button('Unmute spamhaus-dbl').click();
    await page.getByText('None: you are told what every block list says.').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).last().getByText('Block list no longer muted').waitFor();
    await page.getByRole('button', { name: 'Mute the list' }).first().waitFor();
    expect((await call(service, `/api/v1/monitors/${id}`, { key: account.testKey })).body.muted_lists).toEqual([]);
    await visitor.leave();
  });

  it('a customer mutes a finding with a note, changes and pauses a monitor, and deletes it', async () => {
    const body = { kind: 'domain', target: 'no-dmarc.example.com' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.testKey, body })).body;
    const visitor = await enter(`/console/monitors/${id}`);
    const { page } = visitor;
    const finding = page.getByRole('article').filter({ hasText: 'DMARC' });
    await finding.getByRole('button', { name: 'Mute', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Note').fill('known, <b>next week</b>');
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
    await finding.getByText('(known, <b>next week</b>)').waitFor();
    await finding.getByRole('button', { name: 'Tell me of it again' }).click();
    await finding.getByRole('button', { name: 'Mute' }).waitFor();

    await visitor.button('Change').click();
    const change = page.getByRole('dialog', { name: 'Change the monitor' });
    await change.getByLabel('Name').fill('Another name');
    await change.getByRole('button', { name: 'Save' }).click();
    await visitor.heading('Another name');
    await visitor.button('Pause').click();
    await page.getByText('It is paused: you paused it.').waitFor();
    await page.setViewportSize(WIDE);
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole('link', { name: 'All monitors' }).click();
    await page.getByLabel('Show').selectOption('paused');
    await page.getByRole('link', { name: 'Another name' }).click();
    await visitor.button('Go on').click();
    await expect.poll(() => stateOf(visitor)).not.toBe('paused');
    await visitor.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await visitor.heading('Monitors');
    expect((await call(service, `/api/v1/monitors/${id}`, { key: account.testKey })).status).toBe(404);
    await visitor.leave();
  });
});
