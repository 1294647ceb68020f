import { gzipSync } from 'node:zlib';
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InboundServer } from '../../src/inbound/inbound-server.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { mailWith, type WrittenRecord, writtenReport } from '../support/dmarc-reports.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { NARROW, openBrowser, Visitor } from './visitor.js';

const DAY_SECONDS = 86_400;
const OWN: WrittenRecord = { source: '192.0.2.10', count: 900 };
const SERVICE: WrittenRecord = {
  source: '2001:db8:1234:5678:9abc:def0:1234:5678',
  count: 300,
  spf: 'fail',
  authResults: '<dkim><domain>newsletters.example</domain><result>pass</result></dkim>',
};
const STRANGER: WrittenRecord = {
  source: '203.0.113.77',
  count: 60,
  dkim: 'fail',
  spf: 'fail',
  disposition: 'reject',
  authResults: '<spf><domain>shop.example</domain><result>fail</result></spf>',
};

let dns: DnsServer;
let service: TestService;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { 'shop.example': { TXT: ['v=spf1 -all'] } } });
  [service, browser] = await Promise.all([startService({ env: { dnsServers: [dns.address] } }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await dns.close();
});

/** What three receivers have to say of each of the last days, by mail to the service's own receiver. */
async function sendReports(to: string, days: number): Promise<void> {
  const port = service.app.get(InboundServer).port!;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const today = Math.floor(Date.now() / (DAY_SECONDS * 1_000)) * DAY_SECONDS;
  for (let day = days; day > 0; day -= 1)
    for (const organization of ['google.com', '<b>Outlook</b>', 'receiver.example']) {
      const records = day === 1 ? [OWN, SERVICE, STRANGER] : [OWN, SERVICE];
      const begin = today - day * DAY_SECONDS;
      const end = begin + DAY_SECONDS - 1;
      const named = organization.replaceAll('<', '&lt;');
      const report = { organization: named, reportId: `${day}`, domain: 'shop.example', begin, end, records };
      const envelope = { from: 'reports@receiver.example', to };
      await transport.sendMail({ envelope, raw: mailWith(gzipSync(writtenReport(report))) });
    }
  transport.close();
}

describe('a customer', () => {
  it('proves a domain, gets reports by mail, and sees who sends in its name and how it fares by day', async () => {
    const body = { kind: 'domain', target: 'shop.example' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.liveKey, body })).body;
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.liveKey, `/console/monitors/${id}/reports`);
    const { page } = visitor;
    await page.getByText('No report has come yet').waitFor();
    await page.getByRole('link', { name: 'the address for them' }).click();
    await visitor.button('Show the record, and look for it').click();
    const record = await page.getByRole('region', { name: 'The TXT record', exact: true }).textContent();
    dns.set('_mailsonde.shop.example', { TXT: [record!] });
    await visitor.button('Look again').click();
    await page.getByText('It is proven.').waitFor();
    const tag = await page.getByRole('region', { name: 'Tag of the DMARC record' }).textContent();
    await sendReports(tag!.replace('rua=mailto:', ''), 4);
    await visitor.button('Look again').click();

    const senders = page.getByRole('region', { name: 'Who sends' }).last();
    await page.getByText('14,580 messages of 3 senders, of which 98.8% passed.').waitFor();
    const cells = async (source: string) => {
      const row = senders.getByRole('row').filter({ hasText: source });
      return (await row.getByRole('cell').allTextContents()).slice(1, 4);
    };
    expect(await cells('192.0.2.10')).toEqual(['10,800', '10,800', '0']);
    expect(await cells('newsletters.example')).toEqual(['3,600', '3,600', '0']);
    expect(await cells('nobody vouches for it')).toEqual(['180', '0', '180']);
    // As long as what it sent: the busiest is full, and one that always fails has nothing but red.
    const bars = await senders
      .locator('.bar')
      .evaluateAll((all) => all.map((bar) => (bar as unknown as { innerHTML: string }).innerHTML));
    expect(bars[0]).toContain('class="valid" style="width: 100%;"');
    expect(bars[2]).toContain('class="valid" style="width: 0%;"');
    await page.getByRole('heading', { name: 'Messages by day' }).waitFor();
    // A line goes through each of the four days.
    const lines = await page
      .locator('.chart polyline')
      .evaluateAll((all) => all.map((line) => line.getAttribute('points')));
    expect(lines.map((points) => points!.split(' ').length)).toEqual([4, 4]);
    expect(lines[1]).toMatch(/^0,200 .* 1000,(?!200)/);
    const reports = page.getByRole('region', { name: 'Reports', exact: true }).last();
    await reports.getByRole('row').filter({ hasText: '<b>Outlook</b>' }).first().waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('whose network is gone for a moment reads so, and goes on where they were', async () => {
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.testKey, '/console/monitors');
    const { page } = visitor;
    await page.getByText('Nothing is watched yet').waitFor();
    await page.context().setOffline(true);
    await visitor.button('Look again').click();
    await page.getByRole('alert').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.context().setOffline(false);
    await visitor.button('Try again').click();
    await page.getByText('Nothing is watched yet').waitFor();
    // What the browser says of its network was wanted.
    expect(visitor.complaints.splice(0).every((complaint) => complaint.includes('ERR_INTERNET_DISCONNECTED'))).toBe(
      true,
    );
    await visitor.leave();
  });

  it.each([
    ['/console/monitors/4711', 'Monitor', 'All monitors'],
    ['/console/monitors/4711/reports', 'DMARC reports', 'All monitors'],
    ['/console/placement/4711', 'Placement test', 'All tests'],
    ['/console/domains/4711', 'Domain check', 'All checks of domains'],
    ['/console/blacklists/nothing', 'Block lists', 'All checks of block lists'],
    ['/console/batches/4711', 'List', 'All lists'],
    ['/console/webhooks/nothing', 'Endpoint', 'All endpoints'],
    ['/console/deliveries/nothing', 'Delivery', 'All endpoints'],
    ['/console/searches/4711', 'Search', 'All searches'],
  ])('who opens %s, which is not there, reads so and is led on', async (path, heading, link) => {
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.testKey, path);
    await visitor.heading(heading);
    await visitor.page.getByRole('alert').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.page.getByRole('link', { name: link }).click();
    await visitor.page.getByRole('alert').waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
