import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_TIMER } from '../../src/platform/clock.js';
import { createFullAccount } from '../support/accounts.js';
import { readBatch } from '../support/batches.js';
import { callTool, post, request } from '../support/mcp.js';
import { nextLook } from '../support/next-look.js';
import { startService, type TestService } from '../support/service.js';
import { openBrowser } from './visitor.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/* A client around the card: a frame without an origin, and the client's half of the protocol. What it hears is kept in `heard`. */
const HOST = `<!doctype html><html lang="en"><title>A client</title><body><iframe title="card" sandbox="allow-scripts" width="600" height="700"></iframe>
<script>
  const frame = document.querySelector('iframe');
  const heard = [];
  const tell = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow) return;
    heard.push(data);
    if (data.method === 'ui/initialize')
      tell({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' }, hostCapabilities: {}, hostContext: { theme } } });
  });
</script>`;

let service: TestService;
let browser: Browser;
let card: string;
let key: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ timer: SYSTEM_TIMER }), openBrowser()]);
  key = (await createFullAccount({ url: service.env.databaseUrl })).testKey;
  card = await readCard();
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

async function readCard(): Promise<string> {
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
  const hello = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  const { headers } = await post(service, request('initialize', hello));
  const session = { 'mcp-session-id': headers.get('mcp-session-id')! };
  const { body } = await post(service, request('resources/read', { uri: 'ui://mailsonde/card' }), { headers: session });
  return body.result.contents[0].text;
}

interface Shown {
  readonly page: Page;
  readonly frame: Frame;
  readonly complaints: readonly string[];
  readonly tell: (message: object) => Promise<void>;
}

async function open(theme: 'light' | 'dark', html = card): Promise<Shown> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('request', (asked) => void (asked.url().startsWith('http') && complaints.push(`asked for ${asked.url()}`)));
  await page.setContent(HOST.replace('{ theme }', `{ theme: '${theme}' }`));
  await page.evaluate(`frame.srcdoc = ${JSON.stringify(html)}`);
  await page.waitForFunction(`heard.some(({ method }) => method === 'ui/notifications/initialized')`);
  const tell = (message: object) => page.evaluate(`tell(${JSON.stringify(message)})`) as Promise<void>;
  return { page, frame: page.frames()[1]!, complaints, tell };
}

const result = (structuredContent: unknown) => ({
  method: 'ui/notifications/tool-result',
  params: { content: [], structuredContent },
});

async function faults(frame: Frame): Promise<string[]> {
  await frame.evaluate(AXE);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`;
  const { violations } = (await frame.evaluate(run)) as AxeResults;
  const overflow = (await frame.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
  return [...violations.map(({ id }) => id), ...(overflow > 0 ? [`${overflow} pixels too wide`] : [])];
}

async function batchOfThree() {
  const emails = ['jane+valid@example.com', 'jane+full@example.com', 'jane+invalid@example.com'];
  const batch = (await callTool(service, 'verify_batch', { emails, name: 'Guests' }, { key })).result;
  while (!(await readBatch(service.env.databaseUrl, batch.batch_id)).finished) await nextLook();
  const status = (await callTool(service, 'get_batch_status', { batch_id: batch.batch_id }, { key })).result;
  const list = (await callTool(service, 'get_list', { list_id: status.list_id }, { key })).result;
  return { status, list };
}

describe.each(['light', 'dark'] as const)('the card in %s colours', (theme) => {
  it('the card shows a verdict, a batch, a list and a refusal of the service, each for everybody, and loads nothing', async () => {
    const { page, frame, complaints, tell } = await open(theme);
    await tell({ method: 'ui/notifications/tool-input', params: { arguments: { email: 'jane+full@example.com' } } });
    await frame.getByText('Asking about jane+full@example.com.').waitFor();
    const verdict = (await callTool(service, 'verify_email', { email: 'jane+full@example.com' }, { key })).result;
    const { status, list } = await batchOfThree();
    const refusal = (await callTool(service, 'verify_email', { email: 'jane@example.com' })).result;
    for (const [told, words] of [
      [verdict, ['jane+full@example.com', verdict.result, verdict.explanation, verdict.reason]],
      [status, ['Guests', 'completed', '3 of 3 addresses']],
      [list, ['jane+valid@example.com', 'jane+invalid@example.com', 'Do not send']],
      [refusal, [refusal.error, refusal.next_step]],
    ] as const) {
      await tell(result(told));
      for (const word of words) await frame.getByText(word, { exact: true }).first().waitFor();
      expect([words, await faults(frame)]).toEqual([words, []]);
    }
    expect(await frame.evaluate('document.documentElement.style.colorScheme')).toBe(theme);
    const sizes = (await page.evaluate(`heard.filter(({ method }) => method.endsWith('size-changed'))`)) as object[];
    expect(sizes[0]).toMatchObject({ params: { width: expect.any(Number), height: expect.any(Number) } });
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it('the card shows what it is given as text, whatever it is, and answers what a client may ask', async () => {
  const { page, frame, complaints, tell } = await open('light');
  const evil = '<img src=x onerror="parent.postMessage(1, 0)"><script>document.title="run"</script>';
  const given = [null, 7, 'text', [], {}, { result: { a: 1 }, email: ['a'], action: 'constructor', did_you_mean: {} }];
  for (const told of [...given, { results: [null, 7, { email: evil, result: 'toString', action: '__proto__' }] }])
    await tell(result(told));
  await frame.getByText(evil, { exact: true }).waitFor();
  await tell(result({ result: 'valid', email: 'e'.repeat(100_000), explanation: evil }));
  await frame.getByText(evil, { exact: true }).waitFor();
  expect(await faults(frame)).toEqual([]);
  for (const message of [
    { id: 'a', method: 'ui/resource-teardown' },
    { id: 'b', method: 'tools/call' },
    { method: 'toString' },
    {},
  ])
    await tell(message);
  await page.waitForFunction(`heard.some(({ id }) => id === 'b')`);
  expect(await page.evaluate(`heard.filter(({ method }) => method === undefined)`)).toEqual([
    { jsonrpc: '2.0', id: 'a', result: {} },
    { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: expect.any(String) } },
  ]);
  expect(await frame.evaluate('[document.title, document.images.length]')).toEqual(['Mailsonde', 0]);
  expect(complaints).toEqual([]);
  await page.close();
});

it('the card runs nothing that is put into its page', async () => {
  const { page, frame, complaints } = await open(
    'light',
    card.replace('</body>', '<script>document.title = 1</script></body>'),
  );
  expect(await frame.title()).toBe('Mailsonde');
  expect(complaints.join()).toContain('Content Security Policy');
  await page.close();
});
