import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenFile, goldenText } from '../support/golden.js';
import { post, request } from '../support/mcp.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const DOCUMENTS = [
  '/.well-known/mcp.json',
  '/.well-known/agent.json',
  '/agent-gateway/openapi.json',
  '/api/v1/openapi.json',
  '/llms.txt',
];

const fetchPath = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

describe.each(DOCUMENTS)('%s', (path) => {
  it('needs no key, may be kept, and is not sent again to whoever has it', async () => {
    const first = await fetchPath(path);
    const tag = first.headers.get('etag')!;
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect((await first.text()).length).toBeGreaterThan(1000);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await fetchPath(path, { 'if-none-match': known });
      expect([again.status, await again.text(), again.headers.get('etag')], known).toEqual([304, '', tag]);
    }
    expect((await fetchPath(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('names only addresses that the operator has given', async () => {
    expect(await (await fetchPath(path)).text()).not.toMatch(/127\.0\.0\.1|localhost/);
  });
});

it.each([
  ['server-card.json', '/.well-known/mcp.json'],
  ['agent-card.json', '/.well-known/agent.json'],
])('the %s is the one that was agreed on (npm run golden)', async (name, path) => {
  await expect(goldenText(await (await fetchPath(path)).json())).toMatchFileSnapshot(goldenFile(name));
});

it('llms.txt is the one that was agreed on (npm run golden)', async () => {
  await expect(await (await fetchPath('/llms.txt')).text()).toMatchFileSnapshot(goldenFile('llms.txt'));
});

it('docs/mcp.md names every tool with all its arguments', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
  const { body } = await post(service, request('tools/list'), { headers: { host: 'mailsonde.example' } });
  for (const { name, inputSchema } of body.result.tools) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    for (const argument of Object.keys(inputSchema.properties)) expect(row, name).toContain(`\`${argument}`);
  }
});

it('the server card tells the tools that are listed, and the cards agree', async () => {
  const card = (await (await fetchPath('/.well-known/mcp.json')).json()) as { tools: { name: string }[] };
  const { body } = await post(service, request('tools/list'), { headers: { host: 'mailsonde.example' } });
  expect(card.tools).toEqual(body.result.tools);
  const agent = (await (await fetchPath('/.well-known/agent.json')).json()) as { skills: { id: string }[] };
  expect(agent.skills.map(({ id }) => id)).toEqual(card.tools.map(({ name }) => name));
});

describe('/docs', () => {
  it('is a page that may run its own scripts and no others', async () => {
    const page = await fetchPath('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await page.text()).not.toMatch(/<script>[^<]/);
  });

  it('shows both interfaces', async () => {
    const script = await (await fetchPath('/docs/swagger-ui-init.js')).text();
    expect(script).toContain('/api/v1/openapi.json');
    expect(script).toContain('/agent-gateway/openapi.json');
  });
});
