import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser, Visitor } from './visitor.js';

const EMAILS = [
  'jane+valid@one.com',
  'john+valid@one.com',
  'jim+full@one.com',
  'joe+invalid@two.com',
  'jan+disabled@two.com',
];

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
  const visitor = await Visitor.enter(browser, service.url);
  await visitor.signIn(account.testKey, path);
  return visitor;
}

const ask = (path: string, options: Parameters<typeof call>[2] = {}) =>
  call(service, `/api/v1${path}`, { key: account.testKey, ...options });

/** A list that is done. */
async function listOf(name: string): Promise<number> {
  const { body } = await ask('/verify/batch', { body: { emails: EMAILS, name } });
  await expect.poll(async () => (await ask(`/verify/batch/${body.id}`)).body.status).toBe('completed');
  return body.id as number;
}

async function linesOf(visitor: Visitor, act: Promise<void>): Promise<string[]> {
  const [file] = await Promise.all([visitor.page.waitForEvent('download'), act]);
  return readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split(/\r?\n/);
}

describe('a list that is done', () => {
  it('a list that is done tells reasons, domains and mail operators; a click shows the rows of one, and the file has exactly these', async () => {
    const visitor = await enter(`/console/batches/${await listOf('Told')}`);
    const { page } = visitor;
    const domains = page.getByRole('region', { name: 'Domains' }).last();
    expect((await domains.getByRole('row').nth(1).textContent())!.slice(0, 8)).toBe('one.com3');
    await page.getByRole('region', { name: 'Mail operators' }).last().getByRole('row').nth(1).waitFor();
    await page.getByRole('region', { name: 'Reasons' }).getByRole('button', { name: 'mailbox disabled' }).click();
    await page.getByRole('button', { name: EMAILS[0]! }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: EMAILS[4]! }).waitFor();
    const link = page.getByRole('link', { name: 'Download these rows' });
    expect(await linesOf(visitor, link.click())).toHaveLength(2);
    await visitor.button('Only valid rows').click();
    await page.getByRole('button', { name: EMAILS[1]! }).waitFor();
    expect(await page.getByRole('button', { name: EMAILS[4]! }).count()).toBe(0);
    expect(await linesOf(visitor, link.click())).toHaveLength(3);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });

  it('a list that is done shows the rows of a domain or of a mail operator at a click, together with a verdict, and of a domain that is typed', async () => {
    const visitor = await enter(`/console/batches/${await listOf('By domain')}`);
    const { page } = visitor;
    const link = page.getByRole('link', { name: 'Download these rows' });
    const shown = () => page.getByRole('region', { name: 'Rows' }).last().getByRole('button').allTextContents();
    await page.getByRole('region', { name: 'Domains' }).last().getByRole('button', { name: 'two.com' }).click();
    await expect.poll(shown).toEqual(EMAILS.slice(3));
    expect(await linesOf(visitor, link.click())).toHaveLength(3);
    await page.getByLabel('Reason', { exact: true }).selectOption('mailbox_disabled');
    await expect.poll(shown).toEqual(EMAILS.slice(4));
    expect(await linesOf(visitor, link.click())).toHaveLength(2);
    await page.getByLabel('Domain', { exact: true }).fill('one.com two.com');
    await page.keyboard.press('Enter');
    await page.getByLabel('Reason', { exact: true }).selectOption('');
    await expect.poll(shown).toEqual(EMAILS);
    await page.getByLabel('Domain', { exact: true }).fill('three.com');
    await page.keyboard.press('Enter');
    await page.getByText('No row is like that').waitFor();
    await page.getByRole('region', { name: 'Mail operators' }).last().getByRole('button', { name: 'others' }).click();
    await expect.poll(shown).toEqual(EMAILS);
    expect(await page.getByLabel('Domain', { exact: true }).inputValue()).toBe('');
    expect(await linesOf(visitor, link.click())).toHaveLength(EMAILS.length + 1);
    await visitor.leave();
  });

  it('a list that is done is checked again every so many days, paused, changed and let be', async () => {
    const id = await listOf('Weekly');
    const visitor = await enter(`/console/batches/${id}`);
    const { page } = visitor;
    const scheduleOf = async () => (await ask(`/lists/${id}/schedule`)).body;
    await visitor.button('Check it again and again').click();
    await page.getByLabel('Every so many days').fill('7');
    await page.getByLabel('Ask again about').selectOption('valid');
    await page.getByLabel('Most credits for one run').fill('50');
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Set' }).click();
    await page.getByText('Checked every 7 days, next').waitFor();
    expect(await scheduleOf()).toMatchObject({ every_days: 7, verdicts: ['valid'], max_credits: 50, enabled: true });
    await page.getByRole('link', { name: 'All schedules' }).click();
    await visitor.heading('Schedules');
    await visitor.button('Pause').click();
    await page.getByRole('cell', { name: 'paused' }).waitFor();
    expect(await scheduleOf()).toMatchObject({ every_days: 7, verdicts: ['valid'], max_credits: 50, enabled: false });
    await visitor.button('Go on').click();
    await page.getByRole('cell', { name: 'paused' }).waitFor({ state: 'detached' });
    await visitor.button('Change the schedule of Weekly').click();
    await page.getByLabel('Every so many days').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Set' }).click();
    await page.getByRole('cell', { name: 'every day' }).waitFor();
    await visitor.button('Delete the schedule of Weekly').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the schedule' }).click();
    await page.getByText('No list is checked again').waitFor();
    expect((await scheduleOf()).code).toBe('schedule_not_found');
    await visitor.leave();
  });

  it('a list that is done shows whose verdict its last run has changed', async () => {
    const [id, run] = [await listOf('Changed'), await listOf('Changed')];
    await ask(`/lists/${id}/schedule`, { body: { every_days: 1 } });
    // As a run leaves it: the simulated world never changes its mind.
    for (const [sql, values] of [
      ['UPDATE batches SET list_id = $1 WHERE id = $2', [id, run]],
      [`INSERT INTO list_changes VALUES ($1, 0, 'risky', 'mailbox_full', 'valid', 'mailbox_exists')`, [run]],
      [
        `UPDATE list_schedules SET last_run_at = now(), last_run_status = 'completed', last_run_batch_id = $2, last_run_changed = 1
          WHERE list_id = $1`,
        [id, run],
      ],
    ] as const)
      await onDatabase(service.env.databaseUrl, sql, [...values]);
    const visitor = await enter('/console/schedules');
    await visitor.button('Changes in Changed').click();
    const change = visitor.page.getByRole('dialog').getByRole('row').nth(1);
    expect(await change.textContent()).toMatch(/@(one|two)\.com.*risky mailbox full.*valid/);
    expect(await visitor.faults()).toEqual([]);
    await visitor.leave();
  });
});

describe('what is kept', () => {
  it('what is kept is kept as long as the account says, and a list that says less for less', async () => {
    const visitor = await enter('/console/privacy');
    const { page } = visitor;
    const retention = page.getByRole('region', { name: 'How long lists are kept' });
    await retention.getByLabel('Days').fill('3');
    await retention.getByRole('button', { name: 'Set' }).click();
    await retention.getByText('3 days').waitFor();
    expect((await ask('/batch-settings')).body.retention_days).toBe(3);
    await visitor.goTo('/console/upload');
    await page.getByLabel('Or paste addresses').fill('jane+valid@example.com');
    await visitor.button('Go on with these').click();
    await page.getByLabel('Delete it so many days after its end').fill('2');
    await visitor.button('Send, and see what it costs').click();
    await visitor.button('Start').click();
    await page.getByText('Kept until').waitFor();
    const id = /\d+$/.exec(page.url())![0];
    const { expires_at, completed_at } = (await ask(`/verify/batch/${id}`)).body;
    expect(Date.parse(expires_at) - Date.parse(completed_at)).toBe(2 * 86_400_000);
    await visitor.leave();
  });

  it('what is kept is taken along as one file whose end is told, and nothing is saved of a file that breaks off', async () => {
    await listOf('Mine');
    const visitor = await enter('/console/privacy');
    const { page } = visitor;
    const lines = await linesOf(visitor, visitor.button('Download everything').click());
    expect(lines.some((line) => line.includes('Mine'))).toBe(true);
    expect(JSON.parse(lines.at(-1)!)).toEqual({ type: 'end', lines: lines.length - 1 });
    await page.getByText(/The file is whole: [\d,]+ things/).waitFor();
    await page.route('**/api/v1/export', (route) => route.fulfill({ status: 200, body: '{"type":"account"}\n' }));
    await visitor.button('Download everything').click();
    await page.getByRole('alert').getByText('broke off').waitFor();
    await visitor.leave();
  });
});
