import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser, Visitor } from './visitor.js';

const ROWS = 150_000;
/** Beside each address, so that the file has 20 MB, and packed not much less. */
const NOTE_BYTES = 48;
/** The preview reads 64 KB; a page that reads more would hold the file in its memory. */
const MAX_READ_BYTES = 1_000_000;
const MAX_HEAP_GROWTH_BYTES = 10_000_000;

/** Runs in the page before its own scripts: remembers the largest piece of a file that was read at once, and each share of the progress. */
const WATCH = `
  globalThis.largestRead = 0;
  globalThis.shares = new Set();
  for (const [holder, names] of [[Blob, ['text', 'arrayBuffer', 'bytes']], [FileReader, ['readAsText', 'readAsArrayBuffer']]])
    for (const name of names) {
      const read = holder.prototype[name];
      if (read === undefined) continue;
      holder.prototype[name] = function (...given) {
        globalThis.largestRead = Math.max(globalThis.largestRead, (given[0] ?? this).size);
        return read.apply(this, given);
      };
    }
  new MutationObserver(() => {
    const bar = document.querySelector('progress#sent');
    if (bar !== null) globalThis.shares.add(bar.value);
  }).observe(document, { subtree: true, childList: true, attributes: true });`;

let service: TestService;
let browser: Browser;
let account: FullAccount;
let folder: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  account = await createFullAccount({ url: service.env.databaseUrl });
  folder = await mkdtemp(join(tmpdir(), 'mailsonde-'));
});

afterAll(async () => {
  await browser.close();
  await service.close();
  await rm(folder, { recursive: true });
});

function* lines(): Generator<string> {
  yield 'Id;E-Mail;Note\n';
  for (let i = 0; i < ROWS; i++)
    yield `${i};jane${i}@example${i % 5_000}.com;${randomBytes(NOTE_BYTES).toString('base64')}\n`;
}

async function heapOf(page: Page): Promise<() => Promise<number>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  return async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
  };
}

it(`a file of ${ROWS} rows is sent with a progress bar, and never held by the page as a whole`, async () => {
  const path = join(folder, 'large.csv');
  await pipeline(Readable.from(lines()), createWriteStream(path));
  const visitor = await Visitor.enter(browser, service.url);
  const { page } = visitor;
  await page.addInitScript(WATCH);
  await visitor.signIn(account.testKey, '/console/upload');
  const heap = await heapOf(page);
  const before = await heap();
  let most = before;
  await page.getByLabel('File with addresses').setInputFiles(path);
  await page.getByRole('cell', { name: 'jane19@example19.com' }).waitFor();
  await visitor.button('Send, and see what it costs').click();
  const price = page.getByRole('heading', { name: 'At most 150,000 credits' });
  await expect
    .poll(
      async () => {
        most = Math.max(most, await heap());
        return price.isVisible();
      },
      { timeout: 120_000, interval: 100 },
    )
    .toBe(true);
  expect(await page.evaluate('largestRead')).toBeLessThan(MAX_READ_BYTES);
  expect(most - before).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
  const shares = (await page.evaluate('[...shares]')) as number[];
  expect(shares.filter((share) => share > 0 && share < 1).length, `progress: ${shares.join()}`).toBeGreaterThan(0);
  await visitor.leave();
});
