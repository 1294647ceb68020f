import { gzipSync } from 'node:zlib';
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InboundServer } from '../../src/deliverability/inbound/inbound-server.js';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { failureMail, mailWith, type WrittenRecord, writtenReport } from '../support/dmarc-reports.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { writtenTlsFailure, writtenTlsReport, type WrittenTlsReport } from '../support/tls-reports.js';
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
  dns = await startDnsServer({
    zones: { 'shop.example': { TXT: ['v=spf1 -all'] }, 'proven.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } },
  });
  [service, browser] = await Promise.all([
    startService({ env: { dnsServers: [dns.address] }, timer: SYSTEM_TIMER }),
    openBrowser(),
  ]);
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

/** A report of one message that failed, a mail that is no report, and a broken report of a sender who passes SPF. */
async function sendOthers(to: string): Promise<void> {
  const port = service.app.get(InboundServer).port!;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const failed = failureMail({ 'Source-IP': '203.0.113.77', 'Reported-Domain': 'shop.example' }, { type: null });
  for (const [from, raw] of [
    ['reports@receiver.example', failed],
    ['reports@receiver.example', mailWith('nothing')],
    ['reports@proven.example', mailWith(gzipSync('<feedback>'))],
  ] as const)
    await transport.sendMail({ envelope: { from, to }, raw });
  transport.close();
}

/** What two senders have to say of the encryption of their mail, by mail to the service's own receiver. */
async function sendTlsReports(to: string, domain: string): Promise<void> {
  const port = service.app.get(InboundServer).port!;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const host = `mx2.${domain}`;
  const expired = writtenTlsFailure({
    'receiving-mx-hostname': host,
    'failure-reason-code': 'X509_V_ERR_CERT_HAS_EXPIRED',
    'failed-session-count': 40,
  });
  const elsewhere = writtenTlsFailure({
    'receiving-mx-hostname': host,
    'sending-mta-ip': '192.0.2.77',
    'failed-session-count': 2,
  });
  const unfit = writtenTlsFailure({
    'result-type': 'tlsa-invalid',
    'receiving-mx-hostname': `mx1.${domain}`,
    'failed-session-count': 7,
  });
  const newer = writtenTlsFailure({
    'result-type': 'quantum-refused',
    'receiving-mx-hostname': undefined,
    'failed-session-count': 1,
  });
  const policyOf = (report: WrittenTlsReport): unknown =>
    (writtenTlsReport({ domain, ...report }) as { policies: unknown[] }).policies[0];
  for (let day = 3; day > 0; day -= 1)
    for (const organization of ['Google Inc.', '<b>Microsoft</b>']) {
      const at = new Date(Date.now() - day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
      const policies = [
        policyOf({ successful: 900, failed: day === 1 ? 42 : 0, failures: day === 1 ? [expired, elsewhere] : [] }),
        policyOf({
          type: 'tlsa',
          successful: 90,
          failed: day === 1 ? 8 : 0,
          failures: day === 1 ? [unfit, newer] : [],
        }),
      ];
      const period = { begin: `${at}T00:00:00Z`, end: `${at}T23:59:59Z` };
      const report = writtenTlsReport({ organization, reportId: `tls-${day}`, ...period, policies });
      const parts = { type: 'application/tlsrpt+gzip', name: 'report.json.gz' };
      const envelope = { from: 'tls@sender.example', to };
      await transport.sendMail({ envelope, raw: mailWith(gzipSync(JSON.stringify(report)), parts) });
    }
  transport.close();
}

describe('a customer', () => {
  it('a customer proves a domain, gets reports by mail, and sees who sends in its name and how it fares by day', async () => {
    const body = { kind: 'domain', target: 'shop.example' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.liveKey, body })).body;
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.liveKey, `/console/monitors/${id}/reports`);
    const { page } = visitor;
    await page.getByText('No report has come yet').waitFor();
    await page.getByRole('link', { name: 'the address for them' }).click();
    await visitor.button('Show the record, and look for it').click();
    const record = await page.getByRole('region', { name: /^The TXT record for _mailsonde/ }).textContent();
    dns.set('_mailsonde.shop.example', { TXT: [record!] });
    await visitor.button('Look again').click();
    await page.getByText('It is proven.').waitFor();
    const tag = await page.getByRole('region', { name: 'Tag of the DMARC record' }).textContent();
    const address = tag!.replace('rua=mailto:', '');
    await sendReports(address, 4);
    await sendOthers(address);
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
    // What was reported of single messages, and what could not be read, in sentences.
    const rowsOf = async (region: string): Promise<string[][]> => {
      const rows = page.getByRole('region', { name: region }).last().locator('tbody tr');
      return await Promise.all((await rows.all()).map((row) => row.getByRole('cell').allTextContents()));
    };
    expect(await rowsOf('Failure reports')).toEqual([
      [
        expect.any(String),
        '203.0.113.77',
        'shop.example',
        'The DKIM signature did not pass. It was signed by mail.example.com, selector s1. The receiver rejected the message.',
        '3',
        'Receiver/1.0',
      ],
    ]);
    await page.getByText('Mailsonde could not read or keep 2 reports').waitFor();
    const lost = await rowsOf('Unreadable reports');
    expect(lost.map(([, ...cells]) => cells)).toEqual([
      ['proven.example', 'The report is not valid XML.'],
      ['receiver.example not verified', 'The email contains no DMARC, TLS or failure report.'],
    ]);
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a customer gets the record for TLS reports, gets reports by mail, and sees why connections failed and what to do', async () => {
    const body = { kind: 'domain', target: 'post.example' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.liveKey, body })).body;
    const visitor = await Visitor.enter(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await visitor.signIn(account.liveKey, `/console/monitors/${id}`);
    const { page } = visitor;
    await page.getByRole('link', { name: 'TLS reports' }).click();
    await visitor.heading('TLS reports about post.example');
    await page.getByText('No report has come yet').waitFor();
    await page.getByText('_smtp._tls.post.example.').waitFor();
    expect(await visitor.faults()).toEqual([]);
    // By keyboard alone.
    await visitor.button('Show the record, and look for it').focus();
    await page.keyboard.press('Enter');
    await page.getByText('It is not proven yet.').waitFor();
    const record = await page.getByRole('region', { name: /^The TXT record for _mailsonde/ }).textContent();
    dns.set('_mailsonde.post.example', { TXT: [record!] });
    await visitor.button('Look again').click();
    await page.getByText('It is proven.').waitFor();
    await visitor.button('Copy the name _smtp._tls.post.example.').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('_smtp._tls.post.example.');
    await visitor.button('Copy the txt record for _smtp._tls.post.example.').click();
    const value = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(value).toMatch(/^v=TLSRPTv1; rua=mailto:d-/);
    await sendTlsReports(value.split('mailto:')[1]!, 'post.example');
    await visitor.button('Look again').click();

    await page
      .getByText('6 reports: 6,040 connections, of which 98.3% were encrypted as the policy wants, and 100 failed.')
      .waitFor();
    const rowOf = async (region: string, text: string) => {
      const row = page
        .getByRole('region', { name: region, exact: true })
        .last()
        .getByRole('row')
        .filter({ hasText: text });
      return await row.first().getByRole('cell').allTextContents();
    };
    expect(await rowOf('Connections by policy', 'MTA-STS')).toEqual(['MTA-STS', '5,400', '84', '1.5%']);
    expect(await rowOf('Connections by policy', 'DANE')).toEqual(['DANE', '540', '16', '2.9%']);
    // A line goes through each of the three days, of one policy too.
    const points = async () =>
      await page.locator('.chart polyline').evaluateAll((all) => all.map((line) => line.getAttribute('points')!));
    const ofAll = await points();
    expect(ofAll.map((line) => line.split(' ').length)).toEqual([3, 3]);
    await page.getByLabel('Policy', { exact: true }).selectOption({ label: 'DANE' });
    await expect.poll(points).not.toEqual(ofAll);
    await page.getByText('Day by day in figures').click();
    const yesterday = new Date(Date.now() - DAY_SECONDS * 1_000).toISOString().slice(0, 10);
    expect(await rowOf('Connections by day', yesterday)).toEqual([yesterday, '180', '16']);

    const expired = page.getByRole('article', { name: 'The certificate of the mail host has ended.' });
    await expired.getByText('84 connections').waitFor();
    await expired.getByText('Renew it,').waitFor();
    await expired.getByText('mail waits and then goes back to its sender').waitFor();
    expect(await rowOf('Where: certificate-expired', 'mx2.post.example')).toEqual([
      expect.stringContaining('X509_V_ERR_CERT_HAS_EXPIRED'),
      'MTA-STS',
      '84',
      expect.stringMatching(/192\.0\.2\.77\n2001:db8:abcd:12::1/),
      '2',
      expect.any(String),
    ]);
    await page.getByRole('article', { name: 'No TLSA record fits' }).getByText('14 connections').waitFor();
    // One that this page does not know is shown all the same, and a host that nobody told is none.
    const unknown = page.getByRole('article', { name: 'newer than this page' });
    await unknown.getByText('quantum-refused').first().waitFor();
    await unknown.getByText('not told').first().waitFor();
    expect(await rowOf('Reports', '<b>Microsoft</b>')).toEqual([
      '<b>Microsoft</b>',
      yesterday,
      'MTA-STS, DANE ',
      '990',
      '50',
      '0',
    ]);
    expect(await visitor.faults()).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await visitor.faults()).toEqual([]);
    // Days of which nobody has reported.
    await page.getByLabel('From (UTC)').fill('2026-01-01');
    await page.getByLabel('To (UTC)').fill('2026-01-31');
    await page.getByText('Nothing was reported in these days').waitFor();
    // What cannot be asked is refused in words.
    await page.getByLabel('From (UTC)').fill('2026-02-01');
    await page.getByRole('alert').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a customer whose network is gone for a moment reads so, and goes on where they were', async () => {
    const visitor = await Visitor.enter(browser, service.url);
    await visitor.signIn(account.testKey, '/console/monitors');
    const { page } = visitor;
    await page.getByText('Nothing is watched yet').waitFor();
    await page.context().setOffline(true);
    await visitor.button('Refresh').click();
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
    ['/console/monitors/4711/tls-reports', 'TLS reports', 'All monitors'],
    ['/console/placement/4711', 'Placement test', 'All tests'],
    ['/console/domains/4711', 'Domain check', 'All checks of domains'],
    ['/console/blacklists/nothing', 'Block lists', 'All checks of block lists'],
    ['/console/batches/4711', 'List', 'All lists'],
    ['/console/webhooks/nothing', 'Endpoint', 'All endpoints'],
    ['/console/deliveries/nothing', 'Delivery', 'All endpoints'],
    ['/console/searches/4711', 'Search', 'All searches'],
  ])('a customer who opens %s, which is not there, reads so and is led on', async (path, heading, link) => {
    const visitor = await Visitor.enter(browser, service.url);
    // A key signs in no more than ten times a minute.
    const { testKey } = await createFullAccount({ url: service.env.databaseUrl });
    await visitor.signIn(testKey, path);
    await visitor.heading(heading);
    await visitor.page.getByRole('alert').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.page.getByRole('link', { name: link }).click();
    await visitor.page.getByRole('alert').waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
