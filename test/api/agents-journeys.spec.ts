import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFullAccount } from '../support/accounts.js';
import { call } from '../support/call.js';
import { startMailService } from '../support/mail-service.js';
import { nextLook } from '../support/next-look.js';
import { liftRates, type TestService } from '../support/service.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { type Answer, type Exchange, Stranger, type Told } from '../support/stranger.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const JSON_TYPE = 'application/json';
const DOC = join(import.meta.dirname, '../../docs/agents.md');
const NOW = Date.parse('2026-11-23T10:00:00.000Z');

/** As much of curl as the commands use, for machines that have none. */
const CURL = `#!${process.execPath}
const { parseArgs } = require('node:util');
const short = (short, more) => ({ type: 'string', short, ...more });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { silent: { type: 'boolean', short: 's' }, request: short('X'), data: short('d'), header: short('H', { multiple: true }) },
});
const headers = Object.fromEntries((values.header ?? []).map((line) => line.split(/: (.*)/, 2)));
const method = values.request ?? (values.data === undefined ? 'GET' : 'POST');
fetch(positionals[0], { method, headers, body: values.data })
  .then((reply) => reply.text())
  .then((text) => process.stdout.write(text));
`;

let service: TestService;

beforeAll(async () => {
  service = await startMailService({
    host: startSmtpServer({
      recipients: (address) => (/^(jane|guest-\d+|postmaster)@/.test(address) ? 'accept' : '550 5.1.1 User unknown'),
    }),
    dns: { zones: { 'example.com': { MX: [[10, 'mx.example.com']] }, 'mx.example.com': { A: ['127.0.0.1'] } } },
    clock: { now: () => NOW },
    env: { registrationsPerHour: 100 },
  });
  // Ten requests a minute would have a list of 200 addresses wait for minutes.
  liftRates(service);
});

afterAll(() => service.close());

/** Comes with an address and leaves with a key. */
async function arrive(agent: Stranger): Promise<Json> {
  const { body: index } = await agent.get('/', JSON_TYPE);
  const { body: registered } = await agent.follow(index.first_request);
  agent.authorization = index.authorization.replace('<api_key>', registered.api_key);
  return registered;
}

describe('an agent that knows the base URL alone', () => {
  it('an agent that knows the base URL alone has a verdict after three requests by the index of GET /', async () => {
    const agent = new Stranger(service.url);
    const { endpoints } = await arrive(agent);
    const { status, body, headers } = await agent.follow(endpoints.verify, { email: 'jane@example.com' });
    expect([status, body.data.result, headers.get('mailsonde-action')]).toEqual([200, 'valid', 'send']);
    expect(agent.requests).toBe(3);
    await isRecorded('verdict', agent.exchanges.map(inFull).join('\n\n'));
  });

  it('an agent that knows the base URL alone has one after three by the commands in the text of GET /, as they stand', async () => {
    const { body: text } = await new Stranger(service.url).get('/', '*/*');
    const [, commands] = /```sh\n([^]*?)```/.exec(text) as unknown as [string, string];
    expect(commands.match(/curl/g)).toHaveLength(2);
    const folder = mkdtempSync(join(tmpdir(), 'mailsonde-curl-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'curl'), CURL, { mode: 0o755 });
    const env = { PATH: `${process.env['PATH']}${delimiter}${folder}` };
    const { stdout } = await promisify(execFile)('sh', ['-c', commands.replace('someone@', 'jane@')], { env });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { email: 'jane@example.com', result: 'valid' } });
  });

  it('an agent that knows the base URL alone has one after four from a path that is not there', async () => {
    const agent = new Stranger(service.url);
    const lost = await agent.get('/api/v2/check?email=jane@example.com', JSON_TYPE);
    const [, help] = /<([^>]+)>; rel="help"/.exec(lost.headers.get('link')!)!;
    const { body: text } = await agent.get(help!, 'text/markdown');
    const [register, verify] = requestsOf(text) as [Told, Told];
    const { body } = await agent.follow(register);
    agent.authorization = `Bearer ${body.api_key}`;
    const verdict = await agent.follow(verify);
    expect([lost.status, verdict.status, agent.requests]).toEqual([404, 200, 4]);
  });

  it('an agent that knows the base URL alone is told by a refusal where its key is', async () => {
    const agent = new Stranger(service.url);
    const refused = await agent.follow({ method: 'POST', url: `${service.url}/api/v1/verify`, body: { email: 'x' } });
    const [, method, path] = /\b(POST) (\/[\w/-]+)/.exec(refused.body.error) as unknown as [string, string, string];
    const { status, body } = await agent.follow({ method, url: service.url + path });
    expect([refused.status, status, typeof body.api_key]).toEqual([401, 201, 'string']);
  });

  it('an agent that knows the base URL alone has one after four as tools, by the catalog where clients of MCP look', async () => {
    const agent = new Stranger(service.url);
    const { body: catalog } = await agent.get('/.well-known/ai-catalog.json', 'application/ai-catalog+json');
    const type = 'application/mcp-server-card+json';
    const { url } = catalog.entries.find((entry: Json) => entry.type === type);
    const [remote] = (await agent.get(url, type)).body.remotes;
    const use = async (name: string, given: object) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
      return (await agent.follow({ method: 'POST', url: remote.url, body })).body.result.structuredContent;
    };
    const { connect } = await use('get_api_key', {});
    agent.authorization = connect.headers.Authorization;
    expect(await use('verify_email', { email: 'jane@example.com' })).toMatchObject({ result: 'valid', action: 'send' });
    expect(agent.requests).toBe(4);
  });
});

const GUESTS = Array.from({ length: 200 }, (_, i) => `${i % 4 === 3 ? 'gone' : 'guest'}-${i}@example.com`);

describe('an agent with 200 addresses', () => {
  it('an agent with 200 addresses verifies all of them by what replies say, with what its person does at 402', async () => {
    const agent = new Stranger(service.url);
    const { endpoints, claim_token } = await arrive(agent);

    const refused = await agent.follow(endpoints.verify_batch, { emails: GUESTS });
    expect([refused.status, refused.body.code]).toEqual([422, 'too_many_emails']);
    const { limit } = refused.body;
    const { data: price } = (await agent.follow(endpoints.estimate, { emails: GUESTS })).body;
    expect(price).toMatchObject({ credits_required: 200, credits_remaining: limit, sufficient: false, batches: 8 });

    const rows: Json[] = [];
    let person: Answer | null = null;
    for (let from = 0; from < GUESTS.length; from += limit) {
      const emails = GUESTS.slice(from, from + limit);
      let taken = await agent.follow(endpoints.verify_batch, { emails });
      if (taken.status === 402) {
        person = await claim(taken.body.claim_url, claim_token, price.credits_required - price.credits_remaining);
        taken = await agent.follow(endpoints.verify_batch, { emails });
      }
      const { id } = taken.body.data;
      rows.push(...(await resultsOf(agent, endpoints.batch_results, id)));
    }
    expect(person?.status).toBe(201);
    expect(rows.map(({ email }) => email)).toEqual(GUESTS);
    const countOf = (verdict: string) => rows.filter(({ result }) => result === verdict).length;
    expect([countOf('valid'), countOf('invalid')]).toEqual([150, 50]);
    await isRecorded('list', tableOf(agent.exchanges));
  });

  /** What a person with an account does, by the page to which the refusal has sent them. */
  async function claim(claimUrl: string, token: string, perDay: number): Promise<Answer> {
    const { databaseUrl } = service.env;
    const { liveKey } = await createFullAccount({ url: databaseUrl }, { credits: 500 });
    const person = new Stranger(service.url);
    const { body: page } = await person.get(claimUrl, JSON_TYPE);
    person.authorization = `Bearer ${liveKey}`;
    const claimed = await person.follow(page.request, { claim_token: token, credits_per_day: perDay });
    const { body: key } = await call(service, '/api/v1/keys', { key: liveKey });
    expect(key.keys).toHaveLength(3);
    return claimed;
  }

  /** Asks until the batch has ended, as `Retry-After` has it. */
  async function resultsOf(agent: Stranger, results: Told, id: number): Promise<Json[]> {
    const { status, headers, body } = await agent.follow(results, undefined, id);
    if (status === 200) return body.data.results;
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([409, 'batch_not_finished', true]);
    agent.exchanges.pop();
    // Time stands still here.
    await nextLook();
    return resultsOf(agent, results, id);
  }
});

describe('an agent whose free credits are used up', () => {
  it('an agent whose free credits are used up is told when they start again, and shows its person a page that says what to do', async () => {
    const agent = new Stranger(service.url);
    const { endpoints } = await arrive(agent);
    await agent.follow(endpoints.verify_batch, { emails: GUESTS.slice(0, 25) });
    const { status, body } = await agent.follow(endpoints.verify, { email: 'jane@example.com' });
    expect([status, body.code, body.resets_at]).toEqual([402, 'credits_insufficient', '2026-11-24T00:00:00.000Z']);
    const page = await new Stranger(service.url).get(body.claim_url, 'text/html');
    for (const word of ['claim_token', 'full account', '/console/claim']) expect(page.body).toContain(word);
  });
});

/** The requests of the commands in a text, with what they send. */
function requestsOf(text: string): Told[] {
  return [...text.matchAll(/curl .*?(https?:[^\s)]+)(?:.*-d '([^']+)')?/g)].map(([, url, body]) => ({
    method: 'POST',
    url: url!,
    ...(body !== undefined && { body: JSON.parse(body) }),
  }));
}

/* The recordings in docs/agents.md. `npx vitest run test/api/agents-journeys.spec.ts --update` writes them anew. */

let page = readFileSync(DOC, 'utf8');

/** Holds what stands in the page under that name against what was just seen. */
async function isRecorded(name: string, text: string): Promise<void> {
  const fence = new RegExp(`(<!-- recorded: ${name} -->\n\n)[^]*?(\n\n<!-- end -->)`);
  expect(page).toMatch(fence);
  page = page.replace(fence, (_, begin, end) => begin + withoutChance(text) + end);
  await expect(page).toMatchFileSnapshot(DOC);
}

function withoutChance(text: string): string {
  return text
    .replaceAll(service.url, 'https://mailsonde.example')
    .replace(/ms_(agent|claim)_\w{38}/g, 'ms_$1_…')
    .replace(/batch\/\d+/g, 'batch/{id}');
}

function inFull({ method, path, headers, sent, answer }: Exchange): string {
  const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const action = answer.headers.get('mailsonde-action');
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    '```http',
    [`${method} ${path} HTTP/1.1`, ...told].join('\n') + (sent === undefined ? '' : `\n\n${JSON.stringify(sent)}`),
    '```',
    '',
    '```http',
    `HTTP/1.1 ${answer.status}${action === null ? '' : `\nMailsonde-Action: ${action}`}\n\n${json(answer.body)}`,
    '```',
  ].join('\n');
}

/** A request a row, with what the next one follows from. */
function tableOf(exchanges: readonly Exchange[]): string {
  const rows = exchanges.map(({ method, path, sent, answer: { status, body } }, i) => {
    const count = (sent as { emails?: string[] } | undefined)?.emails?.length;
    const { data = body } = body;
    const says = ['code', 'limit', 'credits_required', 'credits_remaining', 'claim_url', 'status', 'results']
      .filter((name) => data[name] !== undefined)
      .map((name) => `\`${name}\` ${name === 'results' ? `(${data[name].length} rows)` : data[name]}`);
    const asked = count === undefined ? '' : ` with ${count} emails`;
    return `| ${i + 1} | \`${method} ${path}\`${asked} | ${status} | ${says.join(', ')} |`;
  });
  return ['| | request | reply | which says |', '|---|---|---|---|', ...rows].join('\n');
}
