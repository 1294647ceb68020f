import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MonitorSweep } from '../../src/deliverability/monitors/monitor-sweep.js';
import { queriedTarget } from '../../src/mail-dns/targets.js';
import { PlacementLoop, PlacementWorkService } from '../../src/deliverability/placement/placement-loop.js';
import { TestMail } from '../../src/deliverability/placement/test-mail.js';
import { createFullAccount, type FullAccount } from '../support/accounts.js';
import { onDatabase } from '../support/batches.js';
import { call, type Reply } from '../support/call.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';
import { startService, type TestService } from '../support/service.js';
import { signedMail } from '../support/sign-mail.js';

const MINUTE = 60_000;
const POINT = '2.0.0.127.psbl.surriel.com';
const time = { at: Date.now(), now: () => time.at };

let dns: DnsServer;
let service: TestService;
let account: FullAccount;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      [POINT]: { A: ['127.0.0.2'] },
      '25.4.8.8.psbl.surriel.com': { A: ['127.0.0.2'] },
      'test.surbl.org.multi.surbl.org': { A: ['127.0.0.8'] },
      'spam-shop.co.uk.multi.surbl.org': { A: ['127.0.0.64'] },
      'jane.blogspot.com.multi.surbl.org': { A: ['127.0.0.64'] },
      'test.dbl.nordspam.com': { A: ['127.0.0.2'] },
    },
  });
  const env = { dnsServers: [dns.address], blacklistsRegistered: ['surbl'] };
  service = await startService({ env, clock: time });
  // A test says itself when somebody looks.
  await service.app.get(PlacementLoop).onModuleDestroy();
});

afterAll(async () => {
  await service.close();
  await dns.close();
});

beforeEach(async () => {
  account = await createFullAccount({ url: service.env.databaseUrl });
});

const check = (targets: readonly string[], lists?: readonly string[]) =>
  call(service, '/api/v1/blacklists/check', { key: account.liveKey, body: { targets, ...(lists && { lists }) } });
const resultOf = ({ body }: Reply, target = 0) => body.results[target];

describe('a target that no list has', () => {
  it('a target that no list has is called clean with the number of lists that said so, and the lists that matter and did not', async () => {
    const whole = resultOf(await check(['8.8.4.60']));
    expect(whole).toMatchObject({
      status: 'clean',
      coverage: { partial: true, missing: ['spamhaus-zen', 'abusix-combined', 'barracuda', 'spamcop'] },
    });
    const able = whole.lists.filter(({ why }: { why: string }) => why !== 'unsupported_kind');
    expect(whole.coverage).toMatchObject({ answered: whole.counts.not_listed, lists: able.length });
  });

  it('a target that no list has is clean in part where the caller has asked some lists alone', async () => {
    const { coverage } = resultOf(await check(['8.8.4.61'], ['psbl']));
    expect(coverage).toMatchObject({ answered: 1, partial: true });
    expect(coverage.missing).toContain('spamhaus-zen');
  });

  it('a target that no list has is clean without reserve in test mode, where every list answers', async () => {
    const body = { targets: ['192.0.2.1'] };
    const { results } = (await call(service, '/api/v1/blacklists/check', { key: account.testKey, body })).body;
    expect(results[0].coverage).toMatchObject({ partial: false, missing: [] });
  });
});

describe('what a list has said while the resolver lied', () => {
  it('what a list has said while the resolver lied is not remembered once the lie is found', async () => {
    const target = '8.8.4.72';
    expect(resultOf(await check([target], ['psbl']))).toMatchObject({ status: 'clean' });
    dns.set(KNOWN_DOMAIN, 'nxdomain');
    expect(resultOf(await check(['8.8.4.73'], ['psbl']))).toMatchObject({ status: 'unknown' });
    dns.set(KNOWN_DOMAIN, { MX: [[10, 'mx.domain.known.test']] });
    dns.set('72.4.8.8.psbl.surriel.com', { A: ['127.0.0.2'] });
    time.at += 11_000;
    expect(resultOf(await check([target], ['psbl']))).toMatchObject({ status: 'listed' });
  });
});

describe('a list that may be asked about registered domains alone', () => {
  it.each([
    ['www.spam-shop.co.uk', 'spam-shop.co.uk'],
    ['spam-shop.co.uk', 'spam-shop.co.uk'],
    ['a.b.jane.blogspot.com', 'jane.blogspot.com'],
  ])(
    'a list that may be asked about registered domains alone is asked about %s by the name %s',
    async (target, name) => {
      const result = resultOf(await check([target], ['surbl']));
      expect(result).toMatchObject({ target, status: 'listed' });
      expect(result.lists[0]).toMatchObject({ list: 'surbl', status: 'listed', asked_name: name });
    },
  );

  it('a list that may be asked about registered domains alone is asked about that name by a monitor, too', async () => {
    const ask = (path: string, body: unknown) =>
      call(service, `/api/v1${path}`, { key: account.liveKey, ...(body !== undefined && { body }) });
    const watched = { kind: 'domain', target: 'www.spam-shop.co.uk', checks: ['blacklists'] };
    const { body: monitor } = await ask('/monitors', watched);
    await service.app.get(MonitorSweep).runDue();
    const { findings } = (await ask(`/monitors/${monitor.id}/findings`, undefined)).body;
    expect(findings).toMatchObject([{ code: 'blacklist_listed', state: 'open' }]);
  });

  it('a list that may be asked about registered domains alone is asked about that name for a link in a message, which is shown as it is written', async () => {
    dns.set('spam-host.co.uk.dbl.nordspam.com', { A: ['127.0.0.2'] });
    const ask = (path: string, body?: unknown) =>
      call(service, `/api/v1/placement/tests${path}`, { key: account.liveKey, ...(body !== undefined && { body }) });
    const { id, send_to: sendTo } = (await ask('', { seeds: 'none' })).body;
    const html = '<a href="https://www.spam-shop.co.uk/">shop</a> <a href="https://offers.spam-host.co.uk/">offers</a>';
    await service.app.get(TestMail).take(/^test-([^@]+)@/.exec(sendTo[0])![1]!, {
      raw: await signedMail({ html }),
      receivedAt: new Date(time.at),
      clientAddress: '8.8.4.60',
      clientName: 'x',
      mailFrom: 'news@example.com',
      recipient: 'x',
      tls: null,
    });
    await service.app.get(PlacementWorkService).next();
    const { report } = (await ask(`/${id}`)).body;
    const listings = report.reputation
      .filter(({ status }: { status: string }) => status === 'listed')
      .map(({ target, lists }: { target: string; lists: { list: string; status: string; asked_name: string }[] }) => {
        const { list, asked_name } = lists.find(({ status }) => status === 'listed')!;
        return [target, list, asked_name];
      });
    expect(listings).toEqual([
      ['www.spam-shop.co.uk', 'surbl', 'spam-shop.co.uk'],
      ['offers.spam-host.co.uk', 'nordspam-dbl', 'spam-host.co.uk'],
    ]);
  });

  it('a list that may be asked about registered domains alone is so by its row: others are asked about the name itself', () => {
    const target = { kind: 'domain', value: 'www.spam-shop.co.uk' } as const;
    expect(queriedTarget({ registeredOnly: false }, target)).toEqual(target);
  });
});

describe('a listing on a list under suspicion', () => {
  it('a listing on a list under suspicion says so in a check', async () => {
    const suspected = { since: new Date(time.at), until: new Date(time.at + 10 * MINUTE) };
    const before = resultOf(await check(['8.8.4.25'], ['psbl'])).lists[0];
    expect(before).toMatchObject({ status: 'listed', suspect: false });
    await onDatabase(
      service.env.databaseUrl,
      `INSERT INTO blacklist_suspicions (list, since, until, turned, watched) VALUES ('psbl', $1, $2, 20, 100)`,
      [suspected.since, suspected.until],
    );
    const during = resultOf(await check(['8.8.4.25'], ['psbl'])).lists[0];
    expect(during).toMatchObject({ status: 'listed', suspect: true });
    expect(during.explanation).toMatch(/many .* at once.* may be wrong/i);
    time.at += 11 * MINUTE;
    expect(resultOf(await check(['8.8.4.25'], ['psbl'])).lists[0]).toMatchObject({ suspect: false });
  });
});

describe('a list that fails its test point', () => {
  it('a list that fails its test point is tested again a minute later, and less often the longer it fails', async () => {
    const status = async (address: string) => resultOf(await check([address], ['psbl'])).lists[0].status;
    time.at += 31 * MINUTE;
    dns.set(POINT, 'nxdomain');
    expect(await status('8.8.4.62')).toBe('unhealthy');
    dns.set(POINT, { A: ['127.0.0.2'] });
    expect(await status('8.8.4.62')).toBe('unhealthy');
    time.at += MINUTE;
    expect(await status('8.8.4.62')).toBe('not_listed');
    dns.set(POINT, 'nxdomain');
    time.at += 31 * MINUTE;
    for (const minutes of [0, 1, 1, 2, 4]) {
      time.at += minutes * MINUTE;
      expect(await status('8.8.4.63')).toBe('unhealthy');
    }
    dns.set(POINT, { A: ['127.0.0.2'] });
    time.at += 2 * MINUTE;
    expect(await status('8.8.4.63')).toBe('unhealthy');
    time.at += 6 * MINUTE;
    expect(await status('8.8.4.63')).toBe('not_listed');
  });
});
