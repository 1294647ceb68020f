import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { createAdminKey, runAdmin } from '../support/admin.js';
import { call } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const POINT = '2.0.0.127.psbl.surriel.com';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;
let key: string;

beforeAll(async () => {
  dns = await startDnsServer({ zones: { [POINT]: { A: ['127.0.0.2'] } } });
  service = await startService({ env: { dnsServers: [dns.address] } });
  account = await createFullAccount({ url: service.env.databaseUrl });
  key = await createAdminKey(service);
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

const post = (path: string, body?: object) =>
  call(service, `/admin/v1/blacklists/${path}`, { key, method: 'POST', ...(body !== undefined && { body }) });
const listed = async (id: string) => {
  const { body } = await call(service, '/admin/v1/blacklists', { key });
  return body.blacklists.find((one: { id: string }) => one.id === id);
};
const check = async () => {
  const body = { targets: ['8.8.4.40'], lists: ['psbl'] };
  const reply = await call(service, '/api/v1/blacklists/check', { key: account.liveKey, body });
  return reply.body.results[0].lists[0];
};
const inCatalogue = async () => {
  const { body } = await call(service, '/api/v1/blacklists', { key: account.liveKey });
  return body.blacklists.find((one: { id: string }) => one.id === 'psbl');
};

describe('block lists, for administrators', () => {
  it('block lists, for administrators are tested at once, whatever was known, and tell how their health has changed', async () => {
    const before = await post('psbl/test');
    expect(before.body).toMatchObject({ id: 'psbl', configured: true, off: false });
    expect(before.body.health).toMatchObject([{ kind: 'ipv4', state: 'healthy', why: null }]);
    dns.set(POINT, 'nxdomain');
    const { body } = await post('psbl/test');
    expect(body.health).toMatchObject([{ kind: 'ipv4', state: 'unhealthy', why: 'test_point_missing' }]);
    await post('psbl/test');
    expect((await listed('psbl')).history).toMatchObject([{ state: 'unhealthy' }, { state: 'healthy' }]);
    dns.set(POINT, { A: ['127.0.0.2'] });
    expect((await post('psbl/test')).body.history).toHaveLength(3);
  });

  it('block lists, for administrators that this installation may not ask are not asked for a test either', async () => {
    const asked = dns.questions.length;
    expect((await post('barracuda/test')).body).toMatchObject({ configured: false, health: [] });
    expect(dns.questions.length).toBe(asked);
  });

  it('block lists, for administrators are asked by nobody while they are turned off, which everybody sees, and the audit log says why', async () => {
    expect((await check()).status).toBe('not_listed');
    expect((await post('psbl/turn-off', { reason: 'lists the world' })).body).toMatchObject({
      off: true,
      reason: 'lists the world',
    });
    expect(await check()).toMatchObject({ status: 'not_asked', why: 'turned_off' });
    expect(await inCatalogue()).toMatchObject({ state: 'not_configured', why: 'turned_off' });
    const { entries } = (await call(service, '/admin/v1/audit?limit=1', { key })).body;
    expect(entries[0]).toMatchObject({
      act: 'blacklist.turn_off',
      details: { list: 'psbl', reason: 'lists the world' },
    });
    expect((await post('psbl/turn-on')).body).toMatchObject({ off: false, reason: null, off_by: null });
    expect((await check()).status).toBe('not_listed');
    expect((await inCatalogue()).state).toBe('healthy');
  });

  it('block lists, for administrators want a reason, and must be there', async () => {
    for (const wrong of [{}, { reason: '' }, { reason: 'a\0b' }, { reason: 7 }])
      expect((await post('psbl/turn-off', wrong)).status).toBe(422);
    for (const path of ['sorbs/test', 'sorbs/turn-off', 'sorbs/turn-on', '%00/test'])
      expect((await post(path, path.endsWith('off') ? { reason: 'a test' } : {})).body.code).toBe(
        'blacklist_not_found',
      );
    expect((await call(service, '/admin/v1/blacklists', { key: account.liveKey })).status).toBe(403);
  });

  it('block lists, for administrators are listed, tested and turned off by commands too', async () => {
    const run = (...words: string[]) => runAdmin(service, ...words);
    expect(await run('blacklists', 'test', 'psbl')).toMatchObject({ exit: 0, out: expect.stringContaining('healthy') });
    dns.set(POINT, 'nxdomain');
    expect(await run('blacklists', 'test', 'psbl')).toMatchObject({ exit: 1 });
    dns.set(POINT, { A: ['127.0.0.2'] });
    expect((await run('blacklists', 'turn-off', 'psbl', '--reason', 'a test')).exit).toBe(0);
    expect(await check()).toMatchObject({ status: 'not_asked', why: 'turned_off' });
    expect((await run('blacklists', 'list')).out).toMatch(/psbl.*off.*a test/);
    expect((await run('blacklists', 'turn-on', 'psbl')).exit).toBe(0);
    expect((await run('blacklists', 'test', 'sorbs')).exit).toBe(1);
    await run('blacklists', 'test', 'psbl');
  });
});
