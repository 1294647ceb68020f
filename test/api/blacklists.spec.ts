import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REDIS } from '../../src/platform/redis/redis.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply, register } from '../support/call.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';

const LISTED = '8.8.4.25';
const CLEAN = '8.8.4.26';

let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      '2.0.0.127.psbl.surriel.com': { A: ['127.0.0.2'] },
      '25.4.8.8.psbl.surriel.com': { A: ['127.0.0.2'], TXT: ['Listed in PSBL, see psbl.org'] },
      '2.0.0.127.bl.nordspam.com': { A: ['127.0.0.2'] },
      '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.bl.nordspam.com': { A: ['127.0.0.2'] },
      'test.dbl.nordspam.com': { A: ['127.0.0.2'] },
      // Dead, and for sale.
      '*.dnsbl.dronebl.org': { A: ['203.0.113.9'] },
      // It refuses the resolver.
      '*.bl.spamcop.net': { A: ['127.255.255.254'] },
      '*.truncate.gbudb.net': 'silent',
      // It lists the world.
      '*.dnsbl-1.uceprotect.net': { A: ['127.0.0.2'] },
    },
  });
  const blacklistsRegistered = ['spamcop', 'gbudb-truncate', 'uceprotect-1'];
  service = await startService({ env: { dnsServers: [dns.address], blacklistsRegistered } });
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const check = (body: object, key = account.liveKey, headers = {}) =>
  call(service, '/api/v1/blacklists/check', { key, body, headers });
const remaining = async () => (await call(service, '/api/v1/credits', { key: account.liveKey })).body.remaining;
const listOf = ({ body }: Reply, id: string, target = 0) =>
  body.results[target].lists.find(({ list }: { list: string }) => list === id);

describe('a check against block lists', () => {
  it('a check against block lists confirms a listing, says what it means and what to do, and costs a credit for each target that got an answer', async () => {
    const reply = await check({ targets: [LISTED, CLEAN], lists: ['psbl'] });
    expect(reply).toMatchObject({ status: 200, body: { status: 'completed', worst: 'medium', credits_charged: 2 } });
    expect(reply.body.results).toMatchObject([
      { target: LISTED, status: 'listed', worst: 'medium', counts: { asked: 1, listed: 1, not_listed: 0 } },
      { target: CLEAN, status: 'clean', worst: null, counts: { asked: 1, listed: 0, not_listed: 1 } },
    ]);
    expect(listOf(reply, 'psbl')).toMatchObject({
      meaning: 'spam_trap_hit',
      codes: ['127.0.0.2'],
      reason: 'Listed in PSBL, see psbl.org',
      confirmed: true,
      from_cache: false,
      action: 'fix_then_delist',
      lookup_url: `https://psbl.org/listing?ip=${LISTED}`,
    });
    expect(await remaining()).toBe(998);
  });

  it('a check against block lists answers from memory for five minutes, and for nothing', async () => {
    const body = { targets: ['8.8.4.30'], lists: ['psbl'] };
    expect((await check(body)).body.credits_charged).toBe(1);
    const asked = dns.questions.length;
    const again = await check(body);
    expect(again.body).toMatchObject({ credits_charged: 0, results: [{ status: 'clean' }] });
    expect(listOf(again, 'psbl').from_cache).toBe(true);
    expect(dns.questions.length).toBe(asked);
    expect(await remaining()).toBe(999);
  });

  it('a check against block lists takes no listing from lists that are dead, refuse, are silent or list the world, and charges nothing for them', async () => {
    const lists = ['dronebl', 'spamcop', 'gbudb-truncate', 'uceprotect-1'];
    const reply = await check({ targets: [CLEAN], lists, timeout_ms: 5000 });
    expect(reply.body).toMatchObject({ worst: null, credits_charged: 0, results: [{ status: 'unknown' }] });
    const status = (id: string) => [listOf(reply, id).status, listOf(reply, id).why];
    expect(lists.map(status)).toEqual([
      ['unhealthy', 'outside_loopback'],
      ['refused', 'public_resolver'],
      ['no_answer', 'timeout'],
      ['unhealthy', 'lists_everything'],
    ]);
    expect(await remaining()).toBe(1000);
  });

  it('a check against block lists names every list that was not asked, with the reason, and calls nobody clean whom an important one has not', async () => {
    const reply = await check({ targets: ['example.com', '2a00:1450:4001:800::200e'] });
    expect(listOf(reply, 'spamhaus-dbl')).toMatchObject({ status: 'not_asked', why: 'needs_key', severity: null });
    expect(listOf(reply, 'mailspike-bl')).toMatchObject({ status: 'not_asked', why: 'unsupported_kind' });
    expect(listOf(reply, 'nordspam-dbl')).toMatchObject({ status: 'not_listed' });
    expect(listOf(reply, 'nordspam', 1)).toMatchObject({ status: 'not_listed' });
    expect(reply.body.results.map(({ status }: { status: string }) => status)).toEqual(['clean', 'clean']);
    const withSpamcop = await check({ targets: ['8.8.4.31'], lists: ['psbl', 'spamcop'] });
    expect(withSpamcop.body.results[0]).toMatchObject({ status: 'unknown', counts: { not_listed: 1, no_answer: 1 } });
  });

  it('a check against block lists asks a list no more than its day allows', async () => {
    const redis = service.app.get<Redis>(REDIS);
    const key = `blacklists:psbl:${Math.floor(Date.now() / 86_400_000)}`;
    const spent = await redis.get(key);
    await redis.set(key, 1_000_000);
    const reply = await check({ targets: ['8.8.4.32'], lists: ['psbl'] });
    await redis.set(key, spent ?? 0);
    expect(listOf(reply, 'psbl')).toMatchObject({ status: 'not_asked', why: 'budget' });
    expect(reply.body).toMatchObject({ credits_charged: 0, results: [{ status: 'unknown' }] });
  });

  it('a check against block lists with an idempotency key is made and charged once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { targets: ['8.8.4.33'], lists: ['psbl'] };
    const [first, second] = [await check(body, account.liveKey, headers), await check(body, account.liveKey, headers)];
    expect(second.body).toEqual(first.body);
    expect(await remaining()).toBe(999);
    expect((await call(service, '/api/v1/blacklists/checks', { key: account.liveKey })).body.checks).toHaveLength(1);
  });

  it.each([
    ['10.0.0.1', 'is an address that is not public'],
    ['co.uk', 'is a domain under which anybody can register'],
    ['jane@example.com', 'must be an IP address or a domain'],
    ['127.0.0.2', 'is an address that is not public'],
  ])('a check against block lists refuses %s with a live key', async (target, words) => {
    const { status, body } = await check({ targets: [CLEAN, target] });
    expect([status, body.code]).toEqual([422, 'invalid_input']);
    expect(JSON.stringify(body)).toContain(`targets[1] ${words}`);
  });

  it('a check against block lists refuses a list that there is not, more targets than the plan allows, and more credits than the caller wants', async () => {
    expect((await check({ targets: [CLEAN], lists: ['psbl', 'sorbs'] })).status).toBe(422);
    const free = await createFullAccount({ url: service.env.databaseUrl }, { plan: 'free' });
    const six = Array.from({ length: 6 }, (_, i) => `8.8.5.${i + 1}`);
    expect(await check({ targets: six }, free.liveKey)).toMatchObject({
      status: 403,
      body: { code: 'plan_limit_reached' },
    });
    expect((await check({ targets: six, max_credits: 5 })).status).toBe(402);
    const poor = await createFullAccount({ url: service.env.databaseUrl }, { credits: 1 });
    expect((await check({ targets: six }, poor.liveKey)).status).toBe(402);
    expect(await remaining()).toBe(1000);
  });

  it('a check against block lists is for full accounts only', async () => {
    const { status, body } = await check({ targets: [CLEAN] }, await register(service));
    expect([status, body.error?.code ?? body.code]).toEqual([403, 'full_account_required']);
  });
});

describe('kept checks', () => {
  it('kept checks are listed newest first, answered as they were, and forgotten after 30 days', async () => {
    const first = await check({ targets: [LISTED], lists: ['psbl'] });
    const second = await check({ targets: ['example.com'], lists: ['nordspam-dbl'] });
    const list = async () => (await call(service, '/api/v1/blacklists/checks', { key: account.liveKey })).body.checks;
    expect(await list()).toMatchObject([
      { id: second.body.id, targets: [{ target: 'example.com', status: 'clean', worst: null }] },
      { id: first.body.id, targets: [{ target: LISTED, status: 'listed', worst: 'medium' }] },
    ]);
    const path = `/api/v1/blacklists/checks/${first.body.id}`;
    const kept = await call(service, path, { key: account.liveKey });
    expect({ ...kept.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    await onDatabase(
      service.env.databaseUrl,
      `UPDATE blacklist_checks SET created_at = now() - interval '31 days' WHERE id = $1`,
      [first.body.id],
    );
    expect((await call(service, path, { key: account.liveKey })).body.code).toBe('check_not_found');
    expect(await list()).toHaveLength(1);
    await check({ targets: ['example.net'], lists: ['nordspam-dbl'] });
    expect(
      await onDatabase(service.env.databaseUrl, 'SELECT 1 FROM blacklist_checks WHERE id = $1', [first.body.id]),
    ).toEqual([]);
  });
});

describe('the catalogue of block lists', () => {
  it('the catalogue of block lists says of each list who may ask it, and whether it works', async () => {
    await check({ targets: [CLEAN] });
    const { body } = await call(service, '/api/v1/blacklists', { key: account.liveKey });
    const one = (id: string) => body.blacklists.find((list: { id: string }) => list.id === id);
    expect(one('psbl')).toMatchObject({ state: 'healthy', why: null, terms_read_at: '2026-11-22' });
    expect(one('dronebl')).toMatchObject({ state: 'unhealthy', why: 'outside_loopback' });
    expect(one('spamcop')).toMatchObject({ state: 'refused', why: 'public_resolver' });
    expect(one('spamhaus-zen')).toMatchObject({ state: 'not_configured', why: 'needs_key', tested_at: null });
    expect(one('psbl').tested_at).not.toBeNull();
  });
});

describe('with a test key', () => {
  it.each([
    ['127.0.0.2', 'listed', 'sbl'],
    ['192.0.2.3', 'listed', 'css'],
    ['2001:db8::4', 'listed', 'xbl'],
    ['192.0.2.201', 'unknown', null],
    ['198.51.100.7', 'unknown', null],
    ['203.0.113.7', 'unknown', null],
    ['8.8.8.8', 'clean', null],
  ])('the address decides: %s is %s', async (target, status, meaning) => {
    const asked = dns.questions.length;
    const reply = await check({ targets: [target] }, account.testKey);
    expect(reply.body).toMatchObject({ credits_charged: 0, results: [{ target, kind: expect.any(String), status }] });
    expect(listOf(reply, 'spamhaus-zen').meaning).toBe(meaning);
    expect(dns.questions.length).toBe(asked);
  });

  it.each([
    ['listed.example.com', 'listed'],
    ['silent.example.com', 'unknown'],
    ['refused.example.com', 'unknown'],
    ['clean.example.com', 'clean'],
  ])('the first label decides: %s is %s', async (target, status) => {
    expect((await check({ targets: [target] }, account.testKey)).body.results).toMatchObject([{ target, status }]);
  });
});
