import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { onDatabase } from '../support/batches.js';
import { call, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { type ScriptedImapServer, startScriptedImapServer } from '../support/scripted-imap-server.js';
import { startService, type TestService } from '../support/service.js';
import { NARROW, openBrowser, Visitor, WIDE } from './visitor.js';

const WRONG = 'geheim-0815';
const TEST_POINT = '2.0.0.127.psbl.surriel.com';

let dns: DnsServer;
let imap: ScriptedImapServer;
let service: TestService;
let browser: Browser;
let account: FullAccount;
let adminKey: string;

beforeAll(async () => {
  imap = await startScriptedImapServer({
    folders: [
      { path: 'INBOX', mails: [] },
      { path: 'Junk', flags: ['\\Junk'], mails: [] },
    ],
  });
  // Without workers: they would look at mailboxes and monitors beside the administrator.
  dns = await startDnsServer({ zones: { [TEST_POINT]: { A: ['127.0.0.2'] } } });
  const env = { imapAllowPrivate: true, role: 'api', dnsServers: [dns.address] } as const;
  [service, browser] = await Promise.all([startService({ env, timer: SYSTEM_TIMER }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
  adminKey = await createAdminKey(service);
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await Promise.all([imap.close(), dns.close()]);
});

async function enter(path: string, key = adminKey): Promise<Visitor> {
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(key, path);
  return visitor;
}

async function expectNoFaults(visitor: Visitor): Promise<void> {
  for (const viewport of [NARROW, WIDE]) {
    await visitor.page.setViewportSize(viewport);
    expect(await visitor.faults()).toEqual([]);
  }
}

describe('an administrator', () => {
  it('an administrator adds a seed mailbox, reads why it fails, gives it another password, and turns it off and on', async () => {
    const visitor = await enter('/console/seeds');
    const { page } = visitor;
    await page.getByText('There is no mailbox yet').waitFor();
    await visitor.button('Add a mailbox').click();
    const adding = page.getByRole('dialog', { name: 'Add a mailbox' });
    await adding.getByLabel('Provider').selectOption({ label: 'Another server' });
    await adding.getByLabel('Address').fill('seed@mail.test');
    await adding.getByLabel('Password').fill(WRONG);
    expect(await adding.getByLabel('Password').getAttribute('type')).toBe('password');
    await adding.getByLabel('IMAP server').fill('127.0.0.1');
    await adding.getByLabel('Port').fill(String(imap.port));
    await adding.getByLabel('Security').selectOption('none');
    await expectNoFaults(visitor);
    await visitor.button('Add it').click();

    const seed = page.getByRole('article', { name: 'seed@mail.test' });
    await seed.getByText('not read yet').waitFor();
    await seed.getByRole('button', { name: 'Test now' }).click();
    await seed.getByRole('alert').getByText('refused the login').waitFor();
    await expectNoFaults(visitor);

    await seed.getByRole('button', { name: 'New credentials' }).click();
    const rotating = page.getByRole('dialog', { name: 'New credentials of seed@mail.test' });
    await rotating.getByLabel('Password').fill('pass');
    await visitor.button('Set them').click();
    await rotating.waitFor({ state: 'detached' });
    await seed.getByRole('button', { name: 'Test now' }).click();
    await seed.getByText('It can be read: 2 folders, one of them for junk.').waitFor();
    await seed.getByText('works').waitFor();

    await seed.getByRole('button', { name: 'Turn off' }).click();
    const act = page.getByRole('dialog').getByRole('button', { name: 'Turn off' });
    expect(await act.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByLabel('Reason').fill('burned, <b>replaced</b>');
    await act.click();
    await seed.getByText('burned, <b>replaced</b>').waitFor();
    await expectNoFaults(visitor);
    await seed.getByRole('button', { name: 'Turn on' }).click();
    await seed.getByText('not read yet').waitFor();
    expect(await page.content()).not.toContain(WRONG);
    await visitor.leave();
  });

  it('an administrator sees which monitor is late, pauses it for a reason that its owner reads, and lets it go on', async () => {
    const body = { kind: 'domain', target: 'shop.example' };
    const { id } = (await call(service, '/api/v1/monitors', { key: account.liveKey, body })).body;
    const late = `UPDATE monitors SET next_run_at = now() - interval '3 hours' WHERE id = $1`;
    await onDatabase(service.env.databaseUrl, late, [id]);
    const visitor = await enter('/console/all-monitors');
    const { page } = visitor;
    await page.getByRole('region', { name: 'Pace' }).getByText('1 live monitor due').waitFor();
    await page.getByLabel('Show').selectOption('late');
    const row = page.getByRole('region', { name: 'Monitors' }).getByRole('row').filter({ hasText: 'shop.example' });
    await row.getByText(/^3 h.* late$/).waitFor();
    await expectNoFaults(visitor);
    await row.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('asks 40,000 names');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('None is late').waitFor();
    const ofOwner = async () => (await call(service, `/api/v1/monitors/${id}`, { key: account.liveKey })).body;
    expect(await ofOwner()).toMatchObject({ paused_by: 'operator', paused_why: 'asks 40,000 names' });
    const owner = await enter(`/console/monitors/${id}`, account.liveKey);
    await owner.page.getByText('It is paused: an administrator paused it (asks 40,000 names).').waitFor();
    await owner.leave();
    await page.getByLabel('Show').selectOption('paused');
    await row.getByText('by operator: asks 40,000 names').waitFor();
    await expectNoFaults(visitor);
    await row.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('None is paused').waitFor();
    expect(await ofOwner()).toMatchObject({ paused_by: null, paused_why: null });
    await visitor.leave();
  });
});

describe('an administrator of block lists', () => {
  it('an administrator of block lists tests one now, sees that it has died, turns it off for a reason and on again', async () => {
    const visitor = await enter('/console/watched-lists');
    const { page } = visitor;
    const row = page.getByRole('region', { name: 'Block lists' }).getByRole('row', { name: /^Passive Spam Block/ });
    await row.getByText('not tested yet').waitFor();
    await row.getByRole('button', { name: 'Test now' }).click();
    await row.getByText('healthy', { exact: true }).waitFor();
    dns.set(TEST_POINT, 'nxdomain');
    await row.getByRole('button', { name: 'Test now' }).click();
    await row.getByText('unhealthy', { exact: true }).waitFor();
    await row.getByText('2 changes').click();
    await expectNoFaults(visitor);
    await row.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('its domain was sold');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByLabel('Show').selectOption('off');
    await row.getByText(/its domain was sold/).waitFor();
    const body = { targets: ['8.8.4.25'], lists: ['psbl'] };
    const asked = await call(service, '/api/v1/blacklists/check', { key: account.liveKey, body });
    expect(asked.body.results[0].lists[0]).toMatchObject({ status: 'not_asked', why: 'turned_off' });
    await row.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('None', { exact: true }).waitFor();
    await visitor.leave();
  });
});

describe('who is no administrator', () => {
  it.each(['customer', 'agent'])(
    'who is no administrator finds nothing of it as a %s, and is refused by the service',
    async (who) => {
      const key = who === 'agent' ? await register(service) : account.liveKey;
      const visitor = await enter('/console', key);
      expect(await visitor.screens()).not.toContain('/console/seeds');
      for (const [screen, route] of [
        ['/console/seeds', '/admin/v1/placement/seeds'],
        ['/console/all-monitors', '/admin/v1/monitors'],
        ['/console/watched-lists', '/admin/v1/blacklists'],
      ] as const) {
        await visitor.goTo(screen);
        await visitor.heading('Nothing is here');
        expect((await call(service, route, { key })).status).toBe(403);
        // The session has no more rights than its key.
        expect(await visitor.page.evaluate(`fetch('${route}').then(({ status }) => status)`)).toBe(403);
      }
      await visitor.leave();
    },
  );
});
