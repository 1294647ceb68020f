import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { call, register } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { workbookOf } from '../support/workbooks.js';
import { NARROW, openBrowser, Visitor } from './visitor.js';

const ROWS = 20_000;
const WORDS = ['valid', 'invalid', 'full', 'catch-all', 'disabled'] as const;

let service: TestService;
let browser: Browser;
let account: FullAccount;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
});

// One of its own for each journey: ten sign-ins a minute are all that a key may have.
beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

const enter = (options = {}) => Visitor.enter(browser, service.url, options);

async function newKey(name: string): Promise<{ id: string; api_key: string }> {
  return (await call(service, '/api/v1/keys', { key: account.testKey, body: { kind: 'test', name } })).body;
}

async function sendBatch(lines: readonly string[], query: string, key = account.testKey): Promise<number> {
  const headers = { 'content-type': 'text/plain', authorization: `Bearer ${key}` };
  const url = `${service.url}/api/v1/verify/batch?${query}`;
  const reply = await fetch(url, { method: 'POST', headers, body: lines.join('\n') });
  return ((await reply.json()) as { id: number }).id;
}

describe('a newcomer', () => {
  it('a newcomer comes by the front door, tries an address, signs in and gets a first verdict', async () => {
    const visitor = await enter();
    await visitor.goTo('/');
    await visitor.button('full').click();
    await visitor.page.getByText('mailbox_full').first().waitFor();
    await visitor.page.getByRole('link', { name: 'Console' }).click();
    await visitor.page.getByLabel('API key').fill(account.testKey);
    await visitor.button('Sign in').click();
    await visitor.heading('Home');
    const steps = visitor.page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Check an address' }).click();
    await visitor.heading('Check an address');
    await visitor.page.getByLabel('Email address').fill('jane+full@example.com');
    await visitor.button('Check').click();
    const verdict = visitor.page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('risky').waitFor();
    await verdict.getByText('552 5.2.2').waitFor();
    expect(await visitor.page.getByRole('region', { name: 'Command' }).textContent()).toContain('$MAILSONDE_KEY');
    await visitor.leave();
  });

  it('a newcomer is told what is wrong with a key, in the words of the service and with the number of the request', async () => {
    const visitor = await enter();
    await visitor.goTo('/console/keys');
    await visitor.page.getByLabel('API key').fill('ms_test_mistyped');
    await visitor.button('Sign in').click();
    const alert = visitor.page.getByRole('alert');
    await alert.getByText('key_malformed').waitFor();
    expect(await alert.textContent()).toMatch(/Request [0-9a-f-]{36}/);
    await visitor.page.getByLabel('API key').fill(account.testKey);
    await visitor.button('Sign in').click();
    await visitor.heading('Keys');
    await visitor.leave();
  });

  it('a newcomer needs no mouse', async () => {
    const visitor = await enter();
    const { keyboard } = visitor.page;
    await visitor.goTo('/console');
    await visitor.page.getByLabel('API key').waitFor();
    await keyboard.type(account.testKey);
    await keyboard.press('Enter');
    await visitor.heading('Home');
    const focused = () =>
      visitor.page.evaluate('document.activeElement.getAttribute("name") ?? document.activeElement.textContent');
    const tabTo = async (name: string) => {
      for (let i = 0; i < 60 && (await focused()) !== name; i++) await keyboard.press('Tab');
    };
    await visitor.page.getByRole('region', { name: 'First steps' }).getByRole('listitem').first().waitFor();
    await tabTo('Check an address');
    await keyboard.press('Enter');
    await visitor.heading('Check an address');
    await tabTo('email');
    await keyboard.type('jane+invalid@example.com');
    await keyboard.press('Enter');
    await visitor.page.getByRole('region', { name: 'Verdict' }).getByText('Do not send').waitFor();
    await visitor.leave();
  });

  it('a newcomer finds everything on a narrow telephone', async () => {
    const visitor = await enter({ viewport: NARROW });
    await visitor.signIn(account.testKey);
    await visitor.button('Menu').click();
    await visitor.page.getByRole('link', { name: 'Keys' }).click();
    await visitor.heading('Keys');
    expect(await visitor.page.getByRole('navigation', { name: 'Screens' }).isVisible()).toBe(false);
    await visitor.leave();
  });
});

describe('a list', () => {
  it(`of ${ROWS} rows goes from a dropped file over its price to a file in its own layout`, async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    const rows = Array.from(
      { length: ROWS },
      (_, i) => `Jürgen ${i};jane${i}+${WORDS[i % 5]}@example${i % 97}.com;Köln`,
    );
    const csv = ['Name;E-Mail;Stadt', ...rows].join('\n');
    const data = await visitor.page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(csv)}], 'Gäste.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
    await visitor.page.getByRole('group', { name: 'A file' }).dispatchEvent('drop', { dataTransfer: data });
    await visitor.page.getByRole('cell', { name: 'Jürgen 19' }).waitFor();
    expect(await visitor.page.getByLabel('Column with the addresses').inputValue()).toBe('2');
    expect(await visitor.page.getByLabel('Columns are divided by').inputValue()).toBe('semicolon');
    await visitor.button('Send, and see what it costs').click();
    await visitor.heading('Gäste');
    await visitor.page.getByRole('heading', { name: 'At most 20,000 credits' }).waitFor();
    await visitor.button('Start').click();
    const link = visitor.page.getByRole('link', { name: 'Download these rows' });
    await link.waitFor();
    const [all, invalid] = [await download(visitor, link, /^Gäste\.csv$/), []] as [string[], string[]];
    expect(all).toHaveLength(ROWS + 1);
    expect(all[0]).toBe('Name;E-Mail;Stadt;verdict;reason;action;score;did_you_mean');
    const expected = { valid: 'valid', invalid: 'invalid', full: 'risky', 'catch-all': 'risky', disabled: 'invalid' };
    const wrong = all.slice(1).filter((row, i) => !row.startsWith(`${rows[i]};${expected[WORDS[i % 5]!]};`));
    expect(wrong).toEqual([]);
    await visitor.page.getByLabel('Verdict', { exact: true }).selectOption('invalid');
    await visitor.page.getByRole('button', { name: 'jane1+invalid@example1.com' }).waitFor();
    invalid.push(...(await download(visitor, link)));
    expect(invalid).toHaveLength((ROWS * 2) / 5 + 1);
    await visitor.page.getByLabel('Reason', { exact: true }).selectOption('mailbox_disabled');
    await visitor.page.getByRole('button', { name: 'jane4+disabled@example4.com' }).waitFor();
    expect(await download(visitor, link)).toHaveLength(ROWS / 5 + 1);
    await visitor.leave();
  });

  /** Files as people have them, whose two customers are one of each kind. */
  const FILES: readonly (readonly [what: string, name: string, content: Buffer, header: string])[] = [
    [
      'an Excel workbook with three sheets, one of them hidden',
      'Kunden 2026.xlsx',
      workbookOf({
        sheets: [
          { name: 'Hinweise', rows: [['Stand: Montag']] },
          { name: 'Alt', state: 'hidden', rows: [['E-Mail'], ['old+valid@example.com']] },
          {
            name: 'Kunden',
            rows: [
              ['Firma', 'E-Mail-Adresse'],
              ['Müller GmbH', 'jane+valid@example.com'],
              ['Meier', 'joe+invalid@example.com'],
            ],
          },
        ],
      }),
      'Firma,E-Mail-Adresse',
    ],
    [
      'what a German Excel saves as CSV',
      'Kunden 2026.csv',
      Buffer.from(
        'Firma;E-Mail-Adresse\r\nMüller GmbH;jane+valid@example.com\r\nMeier;joe+invalid@example.com\r\n',
        'latin1',
      ),
      'Firma;E-Mail-Adresse',
    ],
    [
      'a list without a header',
      'Kunden 2026.txt',
      Buffer.from('Müller GmbH,jane+valid@example.com\nMeier,joe+invalid@example.com\n'),
      'column_1,email',
    ],
    [
      'the export of Google Contacts',
      'Kunden 2026.csv',
      Buffer.from(
        'Organization Name,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value\nMüller GmbH,* myContacts,* Work,jane+valid@example.com,,\nMeier,,,joe+invalid@example.com,Home,other+valid@example.com\n',
      ),
      'Organization Name,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value',
    ],
  ];

  it.each(FILES)(
    'a list that is %s comes back clean after three clicks, on a telephone',
    async (_, name, buffer, header) => {
      const visitor = await enter({ viewport: NARROW });
      await visitor.signIn(account.testKey, '/console/upload');
      const file = { name, mimeType: 'application/octet-stream', buffer };
      await visitor.page.getByLabel('File with addresses').setInputFiles(file);
      await visitor.page.getByRole('cell', { name: 'Müller GmbH' }).waitFor();
      expect(await visitor.faults()).toEqual([]);
      await visitor.button('Send, and see what it costs').click();
      await visitor.page.getByRole('heading', { name: 'At most 2 credits' }).waitFor();
      await visitor.button('Start').click();
      const link = visitor.page.getByRole('link', { name: 'Download 1 valid address' });
      await link.waitFor();
      await visitor.page.getByText('Send to the 1 valid. Leave out the 1 invalid').waitFor();
      expect(await visitor.faults()).toEqual([]);
      const lines = await download(visitor, link, /^Kunden 2026-valid\.csv$/);
      expect(lines[0]).toBe(
        `${header}${header.includes(';') ? ';' : ','}${['verdict', 'reason', 'action', 'score', 'did_you_mean'].join(header.includes(';') ? ';' : ',')}`,
      );
      expect([lines.length, lines[1]]).toEqual([2, expect.stringMatching(/^Müller GmbH.*jane\+valid@example\.com/)]);
      await visitor.leave();
    },
  );

  it('a sheet of a workbook that a person chooses is shown and sent', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    const [, name, buffer] = FILES[0]!;
    const file = { name, mimeType: 'application/octet-stream', buffer };
    await visitor.page.getByLabel('File with addresses').setInputFiles(file);
    await visitor.page.getByLabel('Sheet').selectOption('Alt');
    await visitor.page.getByRole('cell', { name: 'old+valid@example.com' }).waitFor();
    await visitor.button('Send, and see what it costs').click();
    await visitor.page.getByRole('heading', { name: 'At most 1 credit' }).waitFor();
    await visitor.leave();
  });

  it('a list is made of each of several files, one after the other', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    const files = ['first', 'second'].map((name) => ({
      name: `${name}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`email\n${name}+valid@example.com\n`),
    }));
    await visitor.page.getByLabel('File with addresses').setInputFiles(files);
    await visitor.page.getByRole('cell', { name: 'first+valid@example.com' }).waitFor();
    await visitor.button('Send, and see what it costs').click();
    await visitor.page.getByRole('cell', { name: 'second+valid@example.com' }).waitFor();
    await visitor.button('Send, and see what it costs').click();
    await visitor.heading('second');
    const { batches } = (await call(service, '/api/v1/verify/batch', { key: account.testKey })).body;
    expect(batches.map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
      ['second', 'held'],
      ['first', 'held'],
    ]);
    await visitor.leave();
  });

  it('a file that cannot be read says why, and another one may be chosen at once', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    const input = visitor.page.getByLabel('File with addresses');
    const wrong = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') };
    await input.setInputFiles(wrong);
    await visitor.page.getByRole('alert').getByText('looks like a PDF document').waitFor();
    const right = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('email\nright+valid@example.com\n') };
    await input.setInputFiles(right);
    await visitor.page.getByRole('cell', { name: 'right+valid@example.com' }).waitFor();
    expect(await visitor.page.getByRole('alert').count()).toBe(0);
    await visitor.leave();
  });

  it('a list whose entries are mostly no addresses says so in red before it costs anything, and asks again', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    await visitor.page.getByLabel('Or paste addresses').fill('Jane\nJoe\nann+valid@example.com');
    await visitor.button('Go on with these').click();
    await visitor.button('Send, and see what it costs').click();
    await visitor.page.getByRole('alert').getByText('2 of 3 different entries are not email addresses').waitFor();
    await visitor.button('Start anyway').click();
    await visitor.page.getByRole('dialog').getByText('2 entries will be invalid').waitFor();
    expect(await visitor.faults()).toEqual([]);
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Start anyway' }).click();
    await visitor.page.getByRole('link', { name: 'Download 1 valid address' }).waitFor();
    await visitor.leave();
  });

  it('a list that is pasted shows what the mail server said of a row; Escape goes back to where one was', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    await visitor.page.getByLabel('Or paste addresses').fill('jane+full@example.com\njohn+valid@example.com');
    await visitor.button('Go on with these').click();
    await visitor.button('Send, and see what it costs').click();
    await visitor.button('Start').click();
    const row = visitor.button('jane+full@example.com');
    await row.click();
    await visitor.page.getByRole('dialog').getByText('552 5.2.2').waitFor();
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await visitor.page.evaluate('document.activeElement.textContent')).toBe('jane+full@example.com');
    await visitor.leave();
  });

  it('a list whose first line misleads is read as a person corrects it, which the preview shows at once', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/upload');
    // The first lines have no address, by which the delimiter would be told.
    const addressOf = (i: number) => (i < 19 ? '' : `jane${i}+invalid@example.com`);
    const lines = Array.from({ length: 30 }, (_, i) => `Doe; Jane; ${i}\t${addressOf(i)}\tJürgen`);
    const buffer = Buffer.from(['last; first; number\temail\tnote', ...lines].join('\n'), 'latin1');
    const file = { name: 'export.csv', mimeType: 'text/csv', buffer };
    await visitor.page.getByLabel('File with addresses').setInputFiles(file);
    const delimiter = visitor.page.getByLabel('Columns are divided by');
    expect(await delimiter.inputValue()).toBe('semicolon');
    await delimiter.selectOption('tab');
    await visitor.page.getByRole('cell', { name: 'jane19+invalid@example.com', exact: true }).waitFor();
    expect(await visitor.page.getByRole('region', { name: 'First rows' }).getByRole('row').count()).toBe(21);
    expect(await visitor.page.getByLabel('Column with the addresses').inputValue()).toBe('2');
    const encoding = visitor.page.getByLabel('Encoding');
    expect(await encoding.inputValue()).toBe('windows-1252');
    await encoding.selectOption('utf-8');
    await visitor.page.getByRole('cell', { name: 'J\ufffdrgen' }).first().waitFor();
    await encoding.selectOption('windows-1252');
    await visitor.page.getByRole('cell', { name: 'Jürgen' }).first().waitFor();
    expect(await delimiter.inputValue()).toBe('tab');
    await visitor.button('Send, and see what it costs').click();
    await visitor.page.getByRole('heading', { name: 'At most 11 credits' }).waitFor();
    await visitor.leave();
  });

  it('a list that runs is cancelled: what was done stays, and what was not is given back', async () => {
    // No name server answers here: what never resolves is done at once, and the others are tried again for an hour.
    const emails = Array.from(
      { length: 30 },
      (_, i) => `jane${i}@${i < 20 ? 'nowhere.invalid' : 'example.com'}`,
    ).concat('jane0@nowhere.invalid');
    const id = await sendBatch(emails, 'name=Too+many&retry_window_seconds=3600', account.liveKey);
    const visitor = await enter();
    await visitor.signIn(account.liveKey, `/console/batches/${id}`);
    await visitor.heading('Too many');
    await visitor.page.getByText('whose servers want to be asked again').waitFor();
    // The same figure above and on the card, in rows.
    await visitor.page.getByText('Running, 67.7%').waitFor();
    const card = visitor.page.getByRole('region', { name: '21 of 31 rows' });
    await card.getByText('67.7%', { exact: true }).waitFor();
    await visitor.button('Cancel, and keep what is done').click();
    const link = visitor.page.getByRole('link', { name: 'Download these rows' });
    await link.waitFor();
    await visitor.page.getByText('cancelled').first().waitFor();
    // Its header, and the rows that are answered.
    expect(await download(visitor, link)).toHaveLength(22);
    const { body } = await call(service, `/api/v1/verify/batch/${id}`, { key: account.liveKey });
    expect(body).toMatchObject({ status: 'cancelled', credits_charged: 20 });
    const credits = await call(service, '/api/v1/credits', { key: account.liveKey });
    expect(credits.body).toMatchObject({ remaining: 980, reserved: 0 });
    expect(body.counts).toMatchObject({ invalid: 21 });
    await visitor.leave();
  });

  it('a list that was not started is thrown away for nothing', async () => {
    const id = await sendBatch(['jane@example.com', 'no address'], 'hold=true&name=Never');
    const visitor = await enter();
    await visitor.signIn(account.testKey, `/console/batches/${id}`);
    await visitor.page.getByRole('heading', { name: 'At most 1 credit' }).waitFor();
    await visitor.page.getByText('Not addresses, free').waitFor();
    await visitor.button('Delete').click();
    await visitor.button('Delete for ever').click();
    await visitor.heading('Lists');
    expect((await call(service, `/api/v1/verify/batch/${id}`, { key: account.testKey })).status).toBe(404);
    await visitor.leave();
  });

  it('a list of another account is not there', async () => {
    const id = await sendBatch(['jane@example.com'], 'name=Mine');
    const other = await createFullAccount({ url: service.env.databaseUrl });
    const visitor = await enter();
    await visitor.signIn(other.testKey, `/console/batches/${id}`);
    await visitor.page.getByRole('alert').getByText('batch_not_found').waitFor();
    await visitor.leave();
  });
});

async function download(
  visitor: Visitor,
  link: ReturnType<Visitor['page']['getByRole']>,
  name = /\.csv$/,
): Promise<string[]> {
  const [file] = await Promise.all([visitor.page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toMatch(name);
  const text = readFileSync(await file.path(), 'utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  return text.slice(1).trimEnd().split(/\r?\n/);
}

describe('a key', () => {
  it('a key is made and shown once, rotated with a grace that counts down, and revoked by typing its name', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/keys');
    await visitor.button('New key').click();
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByLabel('everything').uncheck();
    await dialog.getByLabel('manage keys').uncheck();
    await dialog.getByLabel('Networks').fill('127.0.0.0/8');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const token = (await visitor.page.getByRole('region', { name: 'Key', exact: true }).textContent())!.trim();
    expect((await call(service, '/api/v1/webhooks', { key: token })).status).toBe(200);
    expect((await call(service, '/api/v1/keys', { key: token })).body.code).toBe('permission_missing');
    await visitor.button('I have it').click();
    expect(await visitor.page.content()).not.toContain(token);

    await visitor.button('Rotate Shop').click();
    await dialog.getByLabel('The old key ends').selectOption('3600');
    await visitor.button('Make the new key').click();
    await visitor.button('I have it').click();
    await visitor.page.getByText(/replaced, works for 59 min/).waitFor();

    await visitor.button('Revoke Shop').click();
    const revoke = visitor.button('Revoke for ever');
    await dialog.getByLabel('Type Shop to revoke it').fill('shop');
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByLabel('Type Shop to revoke it').fill('Shop');
    await revoke.click();
    await visitor.page.getByRole('cell', { name: 'revoked', exact: true }).waitFor();
    await visitor.leave();
  });
});

describe('a session', () => {
  it('a session ends within a second of its key, and goes on at the same screen after the next sign-in', async () => {
    const { id, api_key: key } = await newKey('to be revoked');
    const batch = await sendBatch(['jane@example.com'], 'name=Watched');
    const visitor = await enter();
    await visitor.signIn(key, '/console/batches');
    await visitor.page.getByRole('link', { name: 'Watched' }).waitFor();
    await call(service, `/api/v1/keys/${id}`, { key: account.testKey, method: 'DELETE' });
    const revokedAt = Date.now();
    await visitor.page.getByRole('link', { name: 'Watched' }).click();
    await visitor.heading('Sign in');
    expect(Date.now() - revokedAt).toBeLessThan(5_000);
    await visitor.page.getByText('Your session has ended').first().waitFor();
    await visitor.page.getByLabel('API key').fill(account.testKey);
    await visitor.button('Sign in').click();
    await visitor.heading('Watched');
    expect(visitor.page.url()).toBe(`${service.url}/console/batches/${batch}`);
    await visitor.leave();
  });

  it('a session survives a reload, holds nothing that a script can read, and ends everywhere at once', async () => {
    const { api_key: key } = await newKey('everywhere');
    const [one, two] = [await enter(), await enter()];
    await one.signIn(key, '/console/you');
    await two.signIn(key, '/console/you');
    await one.page.reload();
    await one.heading('This session');
    expect(await one.page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual([
      '',
      0,
      0,
    ]);
    await one.button('Sign out everywhere').click();
    await one.heading('Sign in');
    await two.page.reload();
    await two.heading('Sign in');
    await one.leave();
    await two.leave();
  });

  it('a session of an agent reads, and tells a person how to take it over', async () => {
    const visitor = await enter();
    await visitor.signIn(await register(service));
    await visitor.heading('This agent');
    await visitor.page.getByRole('heading', { name: '25 free checks left today' }).waitFor();
    expect(await visitor.page.getByRole('link', { name: 'New list' }).count()).toBe(0);
    await visitor.page.getByRole('heading', { name: 'Take it under your account' }).waitFor();
    await visitor.leave();
  });

  it('a session of an agent leads to the form with which a person claims it, once', async () => {
    const { body: agent } = await call(service, '/agent-gateway/register', { method: 'POST' });
    const visitor = await enter();
    await visitor.signIn(agent.api_key);
    await visitor.button('claim it').click();
    await visitor.page.getByText('Sign in with a live key').first().waitFor();
    await visitor.page.getByLabel('API key').fill(account.liveKey);
    await visitor.button('Sign in').click();
    await visitor.heading('Claim an agent');
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(request.url()));
    await visitor.page.getByLabel('Claim token').fill('ms_claim_of_nobody');
    await visitor.button('Claim it').click();
    await visitor.page.getByRole('alert').getByText('claim_not_found').waitFor();
    await visitor.page.getByLabel('Claim token').fill(agent.claim_token);
    await visitor.page.getByLabel('Name').fill('Research agent');
    await visitor.page.getByLabel('a day', { exact: true }).fill('100');
    await visitor.button('Claim it').click();
    await visitor.heading('The agent is claimed');
    await visitor.page.getByText('Research agent').waitFor();
    expect(asked.join(' ')).not.toContain('ms_claim_');
    const { body } = await call(service, '/api/v1/keys?limit=100', { key: account.liveKey });
    const claimed = body.keys.find(({ name }: { name: string }) => name === 'Research agent');
    expect(claimed).toMatchObject({ kind: 'agent', ceilings: { credits_per_day: { credits: 100 } } });
    await visitor.button('Claim another').click();
    await visitor.page.getByLabel('Claim token').fill(agent.claim_token);
    await visitor.button('Claim it').click();
    await visitor.page.getByRole('alert').getByText('already_claimed').waitFor();
    await visitor.leave();
  });

  it('a session says so when the service is away, and works again when it is back', async () => {
    const visitor = await enter();
    await visitor.signIn(account.testKey, '/console/check');
    await visitor.page.route('**/api/v1/verify', (route) => route.abort());
    await visitor.page.getByLabel('Email address').fill('jane+valid@example.com');
    await visitor.button('Check').click();
    await visitor.page.getByRole('alert').getByText('could not be reached').waitFor();
    await visitor.page.unroute('**/api/v1/verify');
    await visitor.button('Check').click();
    await visitor.page.getByRole('region', { name: 'Verdict' }).getByText('valid', { exact: true }).waitFor();
    visitor.complaints.splice(0);
    await visitor.leave();
  });
});
