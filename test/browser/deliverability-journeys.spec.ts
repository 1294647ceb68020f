import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { NARROW, openBrowser, Visitor } from './visitor.js';

/** What a stranger may publish: markup, and a word that no window is wide enough for. */
const HOSTILE = ['v=spf1 include:<img/src=x/onerror=alert(1)> ', 'a'.repeat(250), ' -all'];

let dns: DnsServer;
let service: TestService;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'example.com': { MX: [[10, 'mx.example.com']], TXT: [HOSTILE] },
      'mx.example.com': { A: ['8.8.4.25'] },
    },
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

async function enter(path: string, key = account.testKey): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await visitor.signIn(key, path);
  return visitor;
}

async function expectNoFaults(visitor: Visitor): Promise<void> {
  expect(await visitor.faults()).toEqual([]);
  await visitor.page.setViewportSize(NARROW);
  expect(await visitor.faults()).toEqual([]);
}

describe('a check of a domain', () => {
  it('a check of a domain shows what is wrong, the record to publish to copy, what was found, and is found again in the history', async () => {
    const visitor = await enter('/console/domains');
    const { page } = visitor;
    await page.getByLabel('Domain', { exact: true }).fill('spf-broken.example.com');
    await page.keyboard.press('Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('1 critical').waitFor();
    expect(await result.getByRole('listitem').filter({ hasText: 'SPF' }).textContent()).toContain('critical');
    const finding = page.getByRole('article').filter({ hasText: 'gone.spf-broken.example.com' });
    await finding.getByText('certain', { exact: true }).waitFor();
    await finding.getByRole('button', { name: /^Copy the txt record/ }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('v=spf1 mx -all');
    await finding.getByRole('button', { name: /^Copy the name/ }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('spf-broken.example.com.');
    await page.getByRole('region', { name: 'What was found' }).last().getByText('p=reject').waitFor();
    await page
      .getByRole('region', { name: 'What SPF asks for' })
      .last()
      .getByRole('row', { name: /include:gone/ })
      .getByText('has no SPF record')
      .waitFor();
    await page
      .getByRole('region', { name: 'Checks of the last 30 days' })
      .last()
      .getByRole('link', { name: 'spf-broken.example.com' })
      .click();
    await page.getByRole('link', { name: 'Check it again' }).waitFor();
    await expectNoFaults(visitor);
    await page.getByRole('link', { name: 'Check it again' }).click();
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('spf-broken.example.com');
    await visitor.leave();
  });

  it('a check of a domain shows what a stranger has published as text, in any window', async () => {
    const visitor = await enter('/console/domains', account.liveKey);
    const { page } = visitor;
    await page.getByLabel('Domain', { exact: true }).fill('example.com');
    await page.getByText('DKIM selectors and sending addresses').click();
    await page.getByLabel('Sending addresses').fill('8.8.4.25 10.0.0.1');
    await visitor.button('Check').click();
    await page.getByRole('alert').getByText('sending_addresses[1]').waitFor();
    await page.getByLabel('Sending addresses').fill('8.8.4.25');
    await visitor.button('Check').click();
    await page.getByText('<img/src=x/onerror=alert(1)>').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expectNoFaults(visitor);
    await visitor.leave();
  });

  it('a check of a domain says that nothing is known where the DNS is silent', async () => {
    const visitor = await enter('/console/domains');
    await visitor.button('spf-too-many').click();
    await visitor.page.getByLabel('Domain', { exact: true }).fill('silent.example.com');
    await visitor.button('Check').click();
    await visitor.page.getByText('Some questions got no answer').waitFor();
    await visitor.leave();
  });
});

describe('a check of block lists', () => {
  it('a check of block lists shows what to do about a listing first, why lists were not asked, and every list on demand', async () => {
    const visitor = await enter('/console/blacklists');
    const { page } = visitor;
    await page.getByLabel(/IP addresses and domains/).fill('example.com, 127.0.0.2\n198.51.100.7');
    await visitor.button('Check').click();
    const grid = page.getByRole('region', { name: 'Targets and lists' });
    await page.getByRole('region', { name: '127.0.0.2' }).waitFor();
    expect(await page.locator('main section[aria-label] h2 .mono').allTextContents()).toEqual([
      '127.0.0.2',
      '198.51.100.7',
      'example.com',
    ]);
    expect(await grid.isVisible()).toBe(false);
    await page.getByText('Every target with every list').click();
    const cellsOf = (target: string) =>
      grid.getByRole('row').filter({ hasText: target }).getByRole('cell').allTextContents();
    expect((await cellsOf('127.0.0.2')).slice(0, 2)).toEqual(['127.0.0.2', 'listed']);
    expect((await cellsOf('198.51.100.7'))[1]).toBe('unknown');
    expect((await cellsOf('example.com'))[1]).toBe('clean');
    const listed = page.getByRole('region', { name: '127.0.0.2' });
    const psbl = listed.getByRole('article', { name: 'psbl' });
    await psbl
      .getByText(/spam trap/i)
      .first()
      .click();
    await psbl.getByRole('link', { name: 'Look at the list' }).waitFor();
    expect(await psbl.getByRole('link', { name: 'Ask for the removal' }).getAttribute('rel')).toBe('noreferrer');
    await page.getByRole('region', { name: '198.51.100.7', exact: true }).getByText('refused').first().waitFor();
    const clean = page.getByRole('region', { name: 'example.com', exact: true });
    await clean.getByText(/were not asked/).click();
    await clean.getByText('Not asked: has no entries of this kind').waitFor();
    await page.getByText(/^All \d+ lists/).click();
    await page.getByRole('region', { name: 'The lists' }).last().getByRole('row', { name: /PSBL/ }).waitFor();
    await expectNoFaults(visitor);
    await page.getByRole('region', { name: 'Checks that are kept' }).last().getByRole('link').click();
    await page.getByRole('link', { name: 'Check them again' }).click();
    expect(await page.getByLabel(/IP addresses and domains/).inputValue()).toContain('198.51.100.7');
    await visitor.leave();
  });

  it('a check of block lists says in the service’s words what is no target', async () => {
    const visitor = await enter('/console/blacklists');
    await visitor.page.getByLabel(/IP addresses and domains/).fill('jane@example.com');
    await visitor.button('Check').click();
    await visitor.page
      .getByRole('alert')
      .getByText(/targets\[0\]/)
      .waitFor();
    await visitor.leave();
  });
});
