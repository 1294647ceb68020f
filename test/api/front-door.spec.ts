import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const TRIES = 3;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { triesPerMinute: TRIES, trustedProxies: ['127.0.0.1'] } });
});

afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

describe('GET /', () => {
  it.each([
    [BROWSER, 'text/html'],
    ['*/*', 'text/plain'],
    ['', 'text/plain'],
    ['text/plain', 'text/plain'],
    ['text/markdown, text/html;q=0.5', 'text/markdown'],
    ['application/json', 'application/json'],
    ['image/png', 'text/plain'],
    [`${'a/b,'.repeat(1_000)}application/json`, 'application/json'],
  ])('GET / answers Accept: %.40s with what it prefers', async (accept, type) => {
    const reply = await get('/', { Accept: accept });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(reply.headers.get('vary')).toContain('Accept');
  });

  it('GET / gives a program the text of /llms.txt, or an index of links that lead somewhere', async () => {
    expect(await (await get('/')).text()).toBe(await (await get('/llms.txt')).text());
    const { documents, docs } = (await (await get('/', { Accept: 'application/json' })).json()) as {
      documents: Record<string, string>;
      docs: string;
    };
    const statuses = [...Object.values(documents), docs].map(async (url) => (await fetch(url)).status);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  });

  it('GET / gives a browser a page that names this service and runs nothing but what it serves', async () => {
    const reply = await get('/', { Accept: BROWSER });
    const page = await reply.text();
    expect(page).toContain(`curl -X POST ${service.url}/agent-gateway/register`);
    expect(page).not.toMatch(/{{|<script>|<style|style=|onclick/i);
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    const again = await get('/', { Accept: BROWSER, 'If-None-Match': reply.headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  it('GET / links to files that are there, compressed, and kept by browsers for good', async () => {
    const page = await (await get('/', { Accept: BROWSER })).text();
    const files = [...page.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) {
      const reply = await get(path, { 'Accept-Encoding': 'br' });
      const size = (await reply.arrayBuffer()).byteLength;
      const { status, headers } = reply;
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-encoding') === 'br' || size < 1024).toBe(true);
    }
    const scripts = files.filter((path) => path.endsWith('.js'));
    const sizes = scripts.map(async (path) =>
      Number((await get(path, { 'Accept-Encoding': 'gzip' })).headers.get('content-length')),
    );
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000);
  });

  it.each([
    '/console/assets/none.js',
    '/console/assets/../../package.json',
    '/console/assets/%2e%2e%2fdoor.html',
    '/console/assets/a%00.js',
    '/console/assets/',
    '/nowhere',
    '/%zz',
  ])('GET / answers %s with a 404 that points on', async (path) => {
    const reply = await call(service, path);
    expect([reply.status, reply.headers.get('link')]).toEqual([404, '</llms.txt>; rel="help"']);
    expect(reply.body).toMatchObject({ code: 'not_found' });
  });

  it('GET / answers a browser that is lost with a page that points on, which says the path and runs nothing of it', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const reply = await get(`/nowhere?<script>&${'x'.repeat(500)}`, { Accept: accept });
    const text = await reply.text();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('link')).toBe('</llms.txt>; rel="help"');
    expect(text).toContain(reply.headers.get('x-request-id'));
    expect(text).toMatch(/nowhere.*href="\/console".*href="\/docs\/guides"/s);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('x'.repeat(300));
    for (const [path, headers] of [
      ['/api/v1/nowhere', { Accept: accept }],
      ['/nowhere.json', { Accept: accept }],
      ['/nowhere', { Accept: accept, Authorization: 'Bearer ms_test_none' }],
      ['/nowhere', { Accept: 'application/json, text/html' }],
    ] as const)
      expect([path, (await get(path, headers)).headers.get('content-type')]).toEqual([
        path,
        'application/json; charset=utf-8',
      ]);
  });
});

describe('POST /try', () => {
  const tryIt = (email: unknown, from: string) =>
    call(service, '/try', { body: { email }, headers: { 'X-Forwarded-For': from } });

  it('POST /try gives the verdict of the simulated world, without a key and for nothing', async () => {
    const reply = await tryIt('jane+full@example.com', '192.0.2.1');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      verdict: 'risky',
      reason: 'mailbox_full',
      credits_charged: 0,
      mx_host: 'mx.simulated.test',
    });
    expect((await tryIt('not an address', '192.0.2.1')).body).toMatchObject({ verdict: 'invalid' });
  });

  it('POST /try is limited for each client network, and refuses what is no text', async () => {
    expect((await tryIt(7, '2001:db8::1')).status).toBe(422);
    for (let i = 1; i <= TRIES; i++) expect((await tryIt('jane@example.com', `2001:db8::${i}`)).status).toBe(200);
    const refused = await tryIt('jane@example.com', '2001:db8::ffff');
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await tryIt('jane@example.com', '2001:db8:0:1::1')).status).toBe(200);
  });
});
