import { afterEach, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.js';

const EXPIRES = Date.parse('2027-01-31T12:00:00.000Z');
const security = { contact: 'mailto:security@example.com', expires: new Date(EXPIRES) };
const clock = { at: EXPIRES - 1, now: () => clock.at };

let service: TestService;

afterEach(() => service.close());

const get = (path: string) => fetch(service.url + path, { redirect: 'manual' });

it('security.txt names whom to tell of a vulnerability until its time has passed', async () => {
  clock.at = EXPIRES - 1;
  service = await startService({ env: { security, publicUrl: 'https://mail.example.com' }, clock });
  const reply = await get('/.well-known/security.txt');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await reply.text()).toBe(
    `Contact: mailto:security@example.com
Expires: 2027-01-31T12:00:00.000Z
Preferred-Languages: en
Canonical: https://mail.example.com/.well-known/security.txt
Policy: https://mail.example.com/docs/guides/security
`,
  );
  const policy = await get('/docs/guides/security');
  expect(policy.status).toBe(200);
  clock.at = EXPIRES;
  const expired = await get('/.well-known/security.txt');
  expect([expired.status, await expired.json()]).toMatchObject([404, { code: 'not_found' }]);
});

it('security.txt is 404 without a contact, while robots.txt keeps crawlers from the interfaces and favicon.ico is the mark', async () => {
  service = await startService();
  expect((await get('/.well-known/security.txt')).status).toBe(404);
  const robots = await get('/robots.txt');
  expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = (await robots.text()).split('\n');
  expect(lines[0]).toBe('User-agent: *');
  for (const path of ['/api/', '/admin/', '/mcp']) expect(lines).toContain(`Disallow: ${path}`);
  const icon = await get('/favicon.ico');
  expect([icon.status, icon.headers.get('location')]).toEqual([
    302,
    expect.stringMatching(/^\/console\/assets\/mark-/),
  ]);
  expect((await get(icon.headers.get('location')!)).headers.get('content-type')).toMatch(/^image\//);
});
