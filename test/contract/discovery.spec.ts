import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_DOCUMENTS } from '../../src/discovery/documents.service.js';
import { createFullAccount } from '../support/accounts.js';
import { createAdminKey } from '../support/admin.js';
import { call, register } from '../support/call.js';
import { goldenFile, goldenText } from '../support/golden.js';
import { post, request } from '../support/mcp.js';
import { routesOf } from '../support/routes.js';
import { startService, type TestService } from '../support/service.js';

/** What the page hands to Swagger UI, as far as it is ours. */
interface SwaggerOptions {
  readonly urls: readonly { readonly url: string }[];
  readonly requestInterceptor: (request: object) => { readonly headers: object };
  readonly plugins: readonly [(system: object) => Plugin];
}

interface SkillIndex {
  readonly skills: readonly Record<'name' | 'type' | 'description' | 'url' | 'digest', string>[];
}

interface Plugin {
  readonly wrapComponents: { responses(original: string): (props: object) => Element };
}

/** As the page's library would draw it. */
interface Element {
  readonly type: string;
  readonly props: object | null;
  readonly children: readonly (Element | string)[];
}

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const DOCUMENTS = Object.keys(PUBLIC_DOCUMENTS);

const ADMIN_DOCUMENT = '/admin/v1/openapi.json';

const fetchPath = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

async function isSentAgainOnlyWhenChanged(path: string, cacheControl: string, headers: Record<string, string> = {}) {
  const first = await fetchPath(path, headers);
  const tag = first.headers.get('etag')!;
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, cacheControl]);
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  expect((await first.text()).length).toBeGreaterThan(300);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await fetchPath(path, { ...headers, 'if-none-match': known });
    expect([again.status, await again.text(), again.headers.get('etag')], known).toEqual([304, '', tag]);
  }
  expect((await fetchPath(path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
}

describe.each(DOCUMENTS)('%s', (path) => {
  it('a document of discovery needs no key, may be kept, and is not sent again to whoever has it', async () => {
    await isSentAgainOnlyWhenChanged(path, 'public, max-age=300');
  });

  it('a document of discovery names only addresses that the operator has given', async () => {
    expect(await (await fetchPath(path)).text()).not.toMatch(/127\.0\.0\.1|localhost/);
  });
});

describe('the skill', () => {
  const fetchIndex = async () => (await (await fetchPath('/.well-known/agent-skills/index.json')).json()) as SkillIndex;

  it('the skill is the one whose digest the index has, under the name and the description of its own head', async () => {
    const { skills } = await fetchIndex();
    for (const { name, type, description, url, digest } of skills) {
      const text = await (await fetchPath(url)).text();
      expect([type, digest]).toEqual(['skill-md', `sha256:${hash('sha256', text, 'hex')}`]);
      expect(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`)).toBe(true);
      // https://agentskills.io/specification: the bounds of both.
      expect([/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name), name.length <= 64, description.length <= 1024]).toEqual([
        true,
        true,
        true,
      ]);
    }
    expect(skills).toHaveLength(1);
  });
});

it('the catalog names interfaces that are there', async () => {
  const reply = await fetchPath('/.well-known/api-catalog');
  expect(reply.headers.get('content-type')).toContain(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(reply.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  const { linkset } = (await reply.json()) as { linkset: Record<string, unknown>[] };
  const targets = linkset.flatMap(
    (links) =>
      Object.values(links)
        .filter((one) => Array.isArray(one))
        .flat() as { href: string }[],
  );
  expect(linkset.map(({ anchor }) => new URL(anchor as string).pathname)).toEqual([
    '/agent-gateway',
    '/api/v1',
    '/mcp',
  ]);
  for (const { href } of targets) expect((await fetchPath(new URL(href).pathname)).status, href).toBe(200);
});

it('/openapi.json leads to the interface of agents', async () => {
  const { status, headers } = await fetch(`${service.url}/openapi.json`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, '/agent-gateway/openapi.json']);
});

it('a page of any origin may read what everybody may, and nothing else', async () => {
  for (const path of DOCUMENTS)
    expect((await fetchPath(path)).headers.get('access-control-allow-origin'), path).toBe('*');
  const headers = { authorization: `Bearer ${await createAdminKey(service)}`, origin: 'https://elsewhere.example' };
  for (const path of [ADMIN_DOCUMENT, '/api/v1/credits', '/console'])
    expect((await fetchPath(path, headers)).headers.get('access-control-allow-origin'), path).toBeNull();
});

describe('/admin/v1/openapi.json', () => {
  it('/admin/v1/openapi.json is for administrators alone, who get it again only when it has changed, and no cache that others share keeps it', async () => {
    const key = await createAdminKey(service);
    await isSentAgainOnlyWhenChanged(ADMIN_DOCUMENT, 'private, max-age=300', { authorization: `Bearer ${key}` });
    const { liveKey, testKey } = await createFullAccount({ url: service.env.databaseUrl });
    for (const other of [liveKey, testKey, await register(service)])
      expect((await call(service, ADMIN_DOCUMENT, { key: other })).body.code).toBe('admin_required');
    const { status, body } = await call(service, ADMIN_DOCUMENT);
    expect([status, body.code]).toEqual([401, 'key_missing']);
  });

  it('/admin/v1/openapi.json has every route of administrators but its own, and no other document has one', async () => {
    const headers = { authorization: `Bearer ${await createAdminKey(service)}` };
    const { paths } = (await (await fetchPath(ADMIN_DOCUMENT, headers)).json()) as { paths: object };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesOf(service.app).filter(
      ({ audience, path }) => audience === 'admin' && path !== ADMIN_DOCUMENT,
    );
    expect(described.sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
    );
    for (const path of DOCUMENTS) expect(await (await fetchPath(path)).text(), path).not.toContain('"/admin/');
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

/** What a program needs in front of it when it reads the key. */
const IMPORT = "import { env } from 'node:process';\n";

describe('/docs', () => {
  it('/docs is a page that may run its own scripts and no others', async () => {
    const page = await fetchPath('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await page.text()).not.toMatch(/<script>[^<]/);
  });

  /** What the page's own script gives to Swagger UI, and where it runs. */
  async function openPage() {
    const script = await (await fetchPath('/docs/swagger-ui-init.js')).text();
    const shown: { options?: SwaggerOptions } = {};
    const page = {
      SwaggerUIBundle: Object.assign((options: SwaggerOptions) => Object.assign(shown, { options }), {
        presets: {},
        plugins: {},
      }),
      SwaggerUIStandalonePreset: {},
      location: new URL('/docs', service.url),
    };
    const context = createContext({ ...page, window: page });
    runInContext(`${script}; window.onload()`, context);
    return { context, options: shown.options! };
  }

  it('/docs shows each interface, and fetches that of administrators with the key that was entered', async () => {
    const { context, options } = await openPage();
    const { urls, requestInterceptor } = options;
    expect(urls.map(({ url }) => url)).toEqual(['/api/v1/openapi.json', '/agent-gateway/openapi.json', ADMIN_DOCUMENT]);
    const asked = { url: ADMIN_DOCUMENT, loadSpec: true, headers: {} };
    const enter = (key: string | undefined) =>
      Object.assign(context, { ui: { authSelectors: { authorized: () => ({ getIn: () => key }) } } });
    enter(undefined);
    expect(requestInterceptor({ ...asked }).headers).toEqual({});
    enter('ms_admin_1');
    expect(requestInterceptor({ ...asked }).headers).toEqual({ Authorization: 'Bearer ms_admin_1' });
    expect(requestInterceptor({ ...asked, loadSpec: false }).headers).toEqual({});
  });

  it.each([
    ['/api/v1/verify', 'post', 'jane@example.com'],
    ['/api/v1/credits', 'get', null],
    ['/try', 'post', 'jane+full@example.com'],
  ])('/docs shows %s as a command and as programs', async (path, method, email) => {
    const { options } = await openPage();
    const document = (await (await fetchPath('/api/v1/openapi.json')).json()) as object;
    const at = (keys: readonly (string | number)[]) =>
      keys.reduce<unknown>((node, key) => (node as Record<string | number, unknown> | undefined)?.[key], document);
    const specSelectors = {
      specJson: () => ({
        getIn: (keys: readonly (string | number)[]) =>
          typeof at(keys) === 'object' ? { toJS: () => at(keys) } : at(keys),
      }),
    };
    const shown = (language: string): string => {
      const React = {
        createElement: (
          type: string | ((props: object | null) => Element),
          props: object | null,
          ...children: Element[]
        ): Element => (typeof type === 'function' ? type(props) : { type, props, children }),
        useState: () => [language, () => undefined],
      };
      const [plugin] = options.plugins;
      const drawn = plugin({ React }).wrapComponents.responses('the replies')({ path, method, specSelectors });
      const [samples, replies] = drawn.children as [Element, Element];
      expect(replies.type).toBe('the replies');
      return (samples.children[1] as Element).children[0] as string;
    };
    const needsKey = path !== '/try';
    const [curl, node, python] = ['curl', 'Node', 'Python'].map(shown) as [string, string, string];
    for (const text of [curl, node, python]) {
      expect(text).toContain(`https://mailsonde.example${path}`);
      expect(text.includes('MAILSONDE_KEY')).toBe(needsKey);
      expect(text.includes('jane')).toBe(email !== null);
    }
    expect(curl.includes("-d '{")).toBe(email !== null);
    const asked: { url?: string; options?: { body?: string; headers?: Record<string, string> } } = {};
    const world = createContext({
      fetch: (url: string, of = {}) => Object.assign(asked, { url, options: of, text: () => '' }),
      console: { log: () => undefined },
      env: { MAILSONDE_KEY: 'ms_live_1' },
    });
    expect(node.startsWith(IMPORT)).toBe(needsKey);
    await runInContext(`(async () => { ${node.replace(IMPORT, '')} })()`, world);
    expect(asked.url).toBe(`https://mailsonde.example${path}`);
    expect(asked.options?.headers?.['Authorization']).toBe(needsKey ? 'Bearer ms_live_1' : undefined);
    expect(asked.options?.body).toBe(email === null ? undefined : JSON.stringify({ email }));
    const tried = spawnSync('python3', ['-c', `import ast, sys; ast.parse(sys.stdin.read())`], { input: python });
    if (tried.error === undefined) expect([tried.status, String(tried.stderr)]).toEqual([0, '']);
  });
});
