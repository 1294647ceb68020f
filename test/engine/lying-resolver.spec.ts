import { describe, expect, it, onTestFinished } from 'vitest';
import { createNodeResolver } from '../../src/mail-dns/resolver.js';
import { ResolverJudge } from '../../src/mail-dns/resolver-judge.js';
import { type ResolverFinding } from '../../src/mail-dns/resolver-check.js';
import { type Random } from '../../src/lib/clock.js';
import { type Resolver } from '../../src/mail-dns/domain-dns.js';
import { openDnsChannel } from '../../src/platform/dns/record-resolver.js';
import { systemClock, systemRandom } from '../../src/verify/ports/node-ports.js';
import { startDnsServer, type DnsReply } from '../support/dns-server.js';
import { budgetMs, mailboxes, numbered, verdictAndReason } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const LARGE: Readonly<Record<string, DnsReply>> = {
  'gmail.com': { MX: [[5, 'mx.gmail.test']] },
  'outlook.com': { MX: [[5, 'mx.outlook.test']] },
};
const OWN: Readonly<Record<string, DnsReply>> = {
  'example.com': { MX: [[10, 'mx.example.com']] },
  'mx.example.com': { A: ['127.0.0.1'] },
};

const LIES: readonly (readonly [what: string, lie: DnsReply, finding: ResolverFinding])[] = [
  ['NXDOMAIN', 'nxdomain', 'denies'],
  ['"no such records"', 'nodata', 'denies'],
  ['an address', { A: ['192.0.2.80'] }, 'makes_up'],
];

const JANE = 'jane@example.com';
const NOBODY = 'jane@gone.com';

/** A mailbox behind a resolver that tells the truth of `zones` until it has a `lie` for every name. */
async function startWorld({
  zones = { ...LARGE, ...OWN },
  lie = null as DnsReply | null,
  says = (name: string): DnsReply | undefined => zones[name],
  random = systemRandom,
} = {}) {
  const clock = new ManualClock();
  const network = { lie, held: null as Promise<DnsReply> | null, unanswered: 0 };
  const dns = await startDnsServer({
    answer: (name) => (name === 'held.com' ? network.held! : (network.lie ?? says(name))),
  });
  onTestFinished(() => dns.close());
  const options = { servers: [dns.address], clock: systemClock, patienceMs: 8_000, open: openDnsChannel };
  const { mx, a, aaaa } = createNodeResolver(options);
  const counted = <A>(asked: Promise<A>): Promise<A> => {
    network.unanswered += 1;
    return asked.finally(() => (network.unanswered -= 1));
  };
  const resolver: Resolver = {
    mx: (domain, turn) => counted(mx(domain, turn)),
    a: (host, turn) => counted(a(host, turn)),
    aaaa: (host, turn) => counted(aaaa(host, turn)),
  };
  const knownDomains = Object.keys(LARGE);
  const resolverJudge = new ResolverJudge({ resolver, knownDomains, clock, random });
  const findings: ResolverFinding[] = [];
  resolverJudge.onChange((finding) => findings.push(finding));
  const { engine, smtp } = await startMailWorld({
    smtp: { onLine: mailboxes('jane') },
    ports: { ...timedPorts(clock), resolver },
    engine: { resolverJudge },
  });
  const verify = async (email: string) => verdictAndReason(await engine.verify(email, { budgetMs }));
  const checks = () => dns.questions.filter(({ name }) => name === 'gmail.com').length;
  return { engine, clock, network, dns, smtp, findings, verify, checks };
}

describe('a resolver that tells the truth', () => {
  it('a resolver that tells the truth is believed, what it denies too', async () => {
    const { verify, findings } = await startWorld();
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(findings).toEqual([]);
  });

  it('a resolver that tells the truth proves it beside what it denies, and else once in five seconds while it is asked', async () => {
    const { verify, clock, dns, checks } = await startWorld();
    await verify(JANE);
    const before = checks();
    await verify(JANE);
    await verify('joe@example.com');
    expect(checks()).toBe(before);
    await verify('jane@gone1.com');
    expect(checks()).toBe(before + 1);
    clock.advance(5_000);
    dns.set('example.org', { MX: [[10, 'mx.example.com']] });
    await verify('jane@example.org');
    expect(checks()).toBe(before + 2);
    clock.advance(3_600_000);
    expect(checks()).toBe(before + 2);
  });

  it('a resolver that tells the truth proves it once for all denials that come together', async () => {
    const { verify, checks } = await startWorld();
    await verify(JANE);
    const before = checks();
    const verdicts = await Promise.all(numbered(100, (index) => verify(`jane@gone${index}.com`)));
    expect(new Set(verdicts)).toEqual(new Set(['invalid domain_not_found']));
    expect(checks() - before).toBeLessThan(50);
  });

  it('a resolver that tells the truth is asked about a new name each time, beside one that it knows', async () => {
    const { verify, clock, dns } = await startWorld();
    await verify(JANE);
    clock.advance(60_000);
    await verify(NOBODY);
    const madeUp = dns.questions.filter(({ name, type }) => type === 'MX' && /^[a-z]{24}\.com$/.test(name));
    expect(new Set(madeUp.map(({ name }) => name)).size).toBe(2);
  });
});

describe.each(LIES)('a resolver that answers with %s for every name', (_, lie, finding) => {
  it('a resolver that answers every name alike is caught at the start, and no verdict comes of it', async () => {
    const { engine, smtp, findings, verify } = await startWorld({ lie });
    await expect.poll(() => findings).toEqual([finding]);
    expect(await verify(JANE)).toBe('unknown dns_error');
    expect(await engine.verify(NOBODY, { budgetMs })).toMatchObject({
      reason: 'dns_error',
      retryAfterSeconds: 60,
      checks: { mx: 'unknown', smtp: 'skipped' },
      evidence: { stage: 'dns', text: 'untrusted' },
    });
    expect(findings).toEqual([finding]);
    expect(smtp.connections).toHaveLength(0);
  });

  it('a resolver that answers every name alike has no verdict come of the first question either, which is asked while it is checked', async () => {
    const { verify } = await startWorld({ lie });
    expect(await Promise.all([verify(NOBODY), verify(JANE)])).toEqual(['unknown dns_error', 'unknown dns_error']);
  });

  it('a resolver that answers every name alike is caught within a minute when it begins to, and what was learned of it is forgotten', async () => {
    const { verify, network, clock, findings } = await startWorld();
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    network.lie = lie;
    clock.advance(60_000);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(await verify(JANE)).toBe('unknown dns_error');
    expect(findings).toEqual([finding]);
  });

  it('a resolver that answers every name alike is believed again by itself once it tells the truth', async () => {
    const { verify, network, clock, findings } = await startWorld({ lie });
    expect(await verify(JANE)).toBe('unknown dns_error');
    network.lie = null;
    clock.advance(10_000);
    expect(await Promise.all([verify(JANE), verify(NOBODY)])).toEqual([
      'valid mailbox_exists',
      'invalid domain_not_found',
    ]);
    expect(findings).toEqual([finding, 'honest']);
  });
});

describe('the proof of the resolver', () => {
  it('the proof of the resolver comes before the first denial already, which is believed by no earlier one', async () => {
    const { verify, network, findings } = await startWorld();
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    network.lie = 'nxdomain';
    const verdicts: string[] = [];
    for (const number of numbered(12, (index) => index)) verdicts.push(await verify(`jane@new${number}.com`));
    expect(new Set(verdicts)).toEqual(new Set(['unknown dns_error']));
    expect(findings).toEqual(['denies']);
  });

  it('the proof of the resolver is waited for by denials that come together', async () => {
    const { verify, network } = await startWorld();
    await verify(JANE);
    network.lie = 'nxdomain';
    const verdicts = await Promise.all(numbered(100, (index) => verify(`jane@new${index}.com`)));
    expect(new Set(verdicts)).toEqual(new Set(['unknown dns_error']));
  });

  it('the proof of the resolver alone ends the doubt, not what is found meanwhile, so that the next lie has no verdict come of it', async () => {
    const { verify, network, clock } = await startWorld();
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    for (let lie = 0; lie < 3; lie++) {
      network.lie = 'nxdomain';
      clock.advance(5_000);
      expect(await verify(`jane@new${lie}.com`)).toBe('unknown dns_error');
      network.lie = null;
      expect(await verify(JANE)).toBe('valid mailbox_exists');
      network.lie = 'nxdomain';
      const verdicts = await Promise.all(numbered(20, (index) => verify(`jane@next${lie}x${index}.com`)));
      expect(new Set(verdicts)).toEqual(new Set(['unknown dns_error']));
    }
  });

  it('the proof of the resolver does not make true what was denied before it, while it lied', async () => {
    const { verify, network, dns, clock } = await startWorld();
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    let deny = (): void => {};
    network.held = new Promise((resolve) => (deny = () => resolve('nxdomain')));
    const verifying = verify('jane@held.com');
    await expect.poll(() => dns.questions.some(({ name }) => name === 'held.com')).toBe(true);
    network.lie = 'nxdomain';
    expect(await verify('jane@new.com')).toBe('unknown dns_error');
    network.lie = null;
    clock.advance(10_000);
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    deny();
    expect(await verifying).toBe('unknown dns_error');
  });

  it('the proof of the resolver fails where a domain is denied that was known before, although others are known', async () => {
    const { verify, dns, findings } = await startWorld();
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    dns.set('outlook.com', 'nxdomain');
    expect(await verify('jane@new.com')).toBe('unknown dns_error');
    expect(findings).toEqual(['denies']);
  });

  it('the proof of the resolver believes a test bed that has mail hosts for every name', async () => {
    const everything: DnsReply = { MX: [[10, 'mx.example.com']], A: ['127.0.0.1'] };
    const { verify, findings } = await startWorld({ lie: everything });
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(await verify('jane@made-up-for-all-i-know.com')).toBe('valid mailbox_exists');
    expect(findings).toEqual([]);
  });

  it.each<DnsReply>(['servfail', 'refused'])(
    'the proof of the resolver takes %s for no lie, and for no proof',
    async (large) => {
      const zones = { ...OWN, 'gmail.com': large, 'outlook.com': 'nxdomain' } as const;
      const { verify, findings } = await startWorld({ zones });
      expect(await verify(NOBODY)).toBe('unknown dns_error');
      expect(findings).toEqual([]);
      const one = await startWorld({ zones: { ...zones, 'outlook.com': { MX: [[5, 'mx.outlook.test']] } } });
      expect(await one.verify(NOBODY)).toBe('invalid domain_not_found');
    },
  );

  it('the proof of the resolver waits two seconds for a domain that does not answer, and does without it', async () => {
    const { verify, clock, network } = await startWorld({ zones: { ...LARGE, ...OWN, 'gmail.com': 'silent' } });
    const verifying = verify(NOBODY);
    for (const proofs of [1, 2]) {
      await expect.poll(() => network.unanswered).toBe(proofs);
      clock.advance(2_000);
    }
    expect(await verifying).toBe('invalid domain_not_found');
  });
});

describe('a resolver of many servers behind one address, one of which denies everything', () => {
  it('a resolver of many servers behind one address, one of which denies everything says of no domain that it is not there, and of those that are gone that they are', async () => {
    const met = new Set<string>();
    const { verify, dns } = await startWorld({
      says: (name) => {
        if (!/^there\d+\.com$/.test(name)) return { ...LARGE, ...OWN }[name];
        // The first question about each domain meets the server that lies.
        const isFirst = !met.has(name);
        met.add(name);
        return isFirst ? 'nxdomain' : { MX: [[10, 'mx.example.com']] };
      },
    });
    const domains = numbered(200, (index) => `there${index}.com`);
    const verdicts = await Promise.all(domains.map((domain) => verify(`jane@${domain}`)));
    expect(new Set(verdicts)).toEqual(new Set(['valid mailbox_exists']));
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(dns.questions.filter(({ name, type }) => name === 'gone.com' && type === 'MX')).toHaveLength(2);
  });
});

it('a domain whose name servers deny it and are silent after that is denied two seconds later', async () => {
  let asked = 0;
  const { verify, clock, network } = await startWorld({
    says: (name) => {
      if (name !== 'gone.com') return { ...LARGE, ...OWN }[name];
      asked += 1;
      return asked === 1 ? 'nxdomain' : 'silent';
    },
  });
  const verifying = verify(NOBODY);
  await expect.poll(() => [asked > 1, network.unanswered]).toEqual([true, 1]);
  clock.advance(2_000);
  expect(await verifying).toBe('invalid domain_not_found');
  expect(network.unanswered).toBe(1);
});

describe('a resolver that was never found honest', () => {
  it('a resolver that was never found honest is believed to have a world of its own once a proof finds a domain again', async () => {
    const { verify, clock, findings } = await startWorld({ zones: OWN });
    await expect.poll(() => findings).toEqual(['denies']);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    clock.advance(3_600_000);
    expect(await verify('jane@gone2.com')).toBe('invalid domain_not_found');
    expect(findings).toEqual(['denies', 'honest']);
  });

  it('a resolver that was never found honest has none any more when that domain is denied as well', async () => {
    const { verify, dns, findings } = await startWorld({
      zones: { ...LARGE, ...OWN, 'gmail.com': 'nxdomain', 'outlook.com': 'nxdomain' },
    });
    await expect.poll(() => findings).toEqual(['denies']);
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    dns.set('example.com', 'nxdomain');
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(findings).toEqual(['denies', 'honest', 'denies']);
  });

  it('a resolver that was never found honest has a world of its own where the large domains get no answer at all', async () => {
    const { verify } = await startWorld({ zones: { ...OWN, 'gmail.com': 'servfail', 'outlook.com': 'servfail' } });
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
  });

  it('a resolver that was never found honest may be a test bed that has an address for every name, and mail hosts for some', async () => {
    const { verify, network, findings } = await startWorld({ zones: OWN, lie: { A: ['192.0.2.80'] } });
    await expect.poll(() => findings).toEqual(['makes_up']);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    network.lie = null;
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(findings).toEqual(['makes_up', 'honest']);
  });

  it('a resolver that was never found honest has none when it lies at its start, finds one domain, and lies again', async () => {
    const { verify, network, findings } = await startWorld({ lie: 'nxdomain' });
    await expect.poll(() => findings).toEqual(['denies']);
    network.lie = null;
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    network.lie = 'nxdomain';
    const verdicts = await Promise.all(numbered(20, (index) => verify(`jane@new${index}.com`)));
    expect(new Set(verdicts)).toEqual(new Set(['unknown dns_error']));
  });
});

describe('a resolver that lies behind a cache', () => {
  const HOST = { A: ['127.0.0.1'], ttlSeconds: 300 };
  const OTHERS: Readonly<Record<string, DnsReply>> = {
    'one.org': { MX: [[10, 'mx.one.org']] },
    'two.net': { MX: [[10, 'mx.two.net']] },
    'mx.one.org': HOST,
    'mx.two.net': HOST,
  };

  /** One that has found the mail hosts of two domains, whose TTL is over now. */
  async function startKnowing(random: Random = systemRandom) {
    const world = await startWorld({ zones: { ...LARGE, ...OTHERS }, random });
    for (const domain of ['one.org', 'two.net']) expect(await world.verify(`jane@${domain}`)).toContain('valid');
    world.clock.advance(300_000);
    const deny = (...names: string[]) => names.forEach((name) => world.dns.set(name, 'nxdomain'));
    const asked = (host: string) => world.dns.questions.filter(({ name }) => name === host).length;
    return { ...world, deny, asked };
  }

  it('a resolver that lies behind a cache is caught by hosts that have left every cache, while it knows the domains that it must know', async () => {
    const { verify, dns, deny, clock, findings } = await startKnowing();
    deny('mx.one.org', 'mx.two.net');
    expect(await verify('jane@real.com')).toBe('unknown dns_error');
    clock.advance(10_000);
    expect(await verify('jane@real2.com')).toBe('unknown dns_error');
    expect(findings).toEqual(['denies']);
    dns.set('mx.two.net', HOST);
    clock.advance(10_000);
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(findings).toEqual(['denies', 'honest']);
  });

  it('a resolver that lies behind a cache is not suspected for one host that is gone, which is asked for no more', async () => {
    // The first host that is known is asked for first.
    const { verify, deny, clock, asked, findings } = await startKnowing({ fraction: () => 0 });
    deny('mx.one.org');
    for (let proof = 0; proof < 4; proof++) {
      expect(await verify(`jane@gone${proof}.com`)).toBe('invalid domain_not_found');
      clock.advance(300_000);
    }
    expect(asked('mx.one.org')).toBe(2);
    expect(findings).toEqual([]);
  });

  it.each(['one.org', 'github.io'])(
    'a resolver that lies behind a cache is not suspected for two hosts of one owner, %s',
    async (owner) => {
      const { verify, dns, clock, findings } = await startWorld({ zones: { ...LARGE } });
      const hosts = [`mx.a.${owner}`, `mx.b.${owner}`];
      for (const host of hosts) {
        dns.set(`${host}.example.org`, { MX: [[10, host]] });
        dns.set(host, HOST);
        expect(await verify(`jane@${host}.example.org`)).toContain('valid');
      }
      clock.advance(300_000);
      for (const host of hosts) dns.set(host, 'nxdomain');
      expect(await verify(NOBODY)).toBe('invalid domain_not_found');
      expect(findings).toEqual([]);
    },
  );

  it('a resolver that lies behind a cache is asked for no host that a cache may hold, and else for one in five seconds', async () => {
    const { verify, clock, asked } = await startKnowing();
    const both = () => asked('mx.one.org') + asked('mx.two.net');
    expect(both()).toBe(2);
    await verify('jane@gone1.com');
    await verify('jane@gone2.com');
    expect(both()).toBe(3);
    clock.advance(5_000);
    await verify('jane@gone3.com');
    expect(both()).toBe(4);
    clock.advance(5_000);
    await verify('jane@gone4.com');
    expect(both()).toBe(4);
  });

  it('a resolver that lies behind a cache is believed again an hour later where both hosts are gone for good', async () => {
    const { verify, deny, clock, findings } = await startKnowing();
    deny('mx.one.org', 'mx.two.net');
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    clock.advance(3_600_000);
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(findings).toEqual(['denies', 'honest']);
  });
});
