import { describe, expect, it, onTestFinished } from 'vitest';
import { createNodeResolver, type ResolverFinding } from '../../src/engine/index.js';
import { systemClock } from '../../src/verify/ports/node-ports.js';
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
async function startWorld({ zones = { ...LARGE, ...OWN }, lie = null as DnsReply | null } = {}) {
  const clock = new ManualClock();
  const network = { lie };
  const dns = await startDnsServer({ answer: (name) => network.lie ?? zones[name] });
  onTestFinished(() => dns.close());
  const findings: ResolverFinding[] = [];
  const { engine, smtp } = await startMailWorld({
    smtp: { onLine: mailboxes('jane') },
    ports: {
      ...timedPorts(clock),
      resolver: createNodeResolver({ servers: [dns.address], clock: systemClock, patienceMs: 8_000 }),
    },
    engine: { knownDomains: Object.keys(LARGE), onResolverFinding: (finding) => findings.push(finding) },
  });
  const verify = async (email: string) => verdictAndReason(await engine.verify(email, { budgetMs }));
  const checks = () => dns.questions.filter(({ name }) => name === 'gmail.com').length;
  return { engine, clock, network, dns, smtp, findings, verify, checks };
}

describe('a resolver that tells the truth', () => {
  it('is believed, what it denies too', async () => {
    const { verify, findings } = await startWorld();
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(findings).toEqual([]);
  });

  it('is checked once a minute while it is asked, and not otherwise', async () => {
    const { verify, clock, dns, checks } = await startWorld();
    for (const number of numbered(5, (index) => index)) await verify(`jane@gone${number}.com`);
    expect(checks()).toBe(1);
    clock.advance(3_600_000);
    const before = dns.questions.length;
    await verify(JANE);
    await verify('jane@gone6.com');
    expect(checks()).toBe(2);
    expect(dns.questions.length - before).toBeLessThan(10);
  });

  it('is asked about a new name each time, beside one that it knows', async () => {
    const { verify, clock, dns } = await startWorld();
    await verify(JANE);
    clock.advance(60_000);
    await verify(NOBODY);
    const madeUp = dns.questions.filter(({ name, type }) => type === 'MX' && /^[a-z]{24}\.com$/.test(name));
    expect(new Set(madeUp.map(({ name }) => name)).size).toBe(2);
  });
});

describe.each(LIES)('a resolver that answers with %s for every name', (_, lie, finding) => {
  it('is caught at the start, and no verdict comes of it', async () => {
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

  it('has no verdict come of the first question either, which is asked while it is checked', async () => {
    const { verify } = await startWorld({ lie });
    expect(await Promise.all([verify(NOBODY), verify(JANE)])).toEqual(['unknown dns_error', 'unknown dns_error']);
  });

  it('is caught within a minute when it begins to, and what was learned of it is forgotten', async () => {
    const { verify, network, clock, findings } = await startWorld();
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    network.lie = lie;
    clock.advance(60_000);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(await verify(JANE)).toBe('unknown dns_error');
    expect(findings).toEqual([finding]);
  });

  it('is believed again by itself once it tells the truth', async () => {
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

describe('the check of the resolver', () => {
  it('does not wait for the minute when domains that do not exist pile up', async () => {
    const { verify, network, clock } = await startWorld();
    await verify(JANE);
    network.lie = 'nxdomain';
    clock.advance(1_000);
    const verdicts: string[] = [];
    for (const number of numbered(15, (index) => index)) verdicts.push(await verify(`jane@new${number}.com`));
    expect(verdicts.slice(10)).toEqual(Array.from({ length: 5 }, () => 'unknown dns_error'));
  });

  it('is waited for by denials that come together, although their questions were asked before it', async () => {
    const { verify, network, clock } = await startWorld();
    await verify(JANE);
    network.lie = 'nxdomain';
    clock.advance(1_000);
    const verdicts = await Promise.all(numbered(100, (index) => verify(`jane@new${index}.com`)));
    expect(verdicts.filter((verdict) => verdict === 'invalid domain_not_found').length).toBeLessThan(10);
  });

  it('believes a test bed that has mail hosts for every name', async () => {
    const everything: DnsReply = { MX: [[10, 'mx.example.com']], A: ['127.0.0.1'] };
    const { verify, findings } = await startWorld({ lie: everything });
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(await verify('jane@made-up-for-all-i-know.com')).toBe('valid mailbox_exists');
    expect(findings).toEqual([]);
  });

  it('believes a test bed that has an address for every name once it has known mail hosts', async () => {
    const { verify, network, findings } = await startWorld({ zones: OWN, lie: { A: ['192.0.2.80'] } });
    await expect.poll(() => findings).toEqual(['makes_up']);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    network.lie = null;
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(findings).toEqual(['makes_up', 'honest']);
  });

  it.each<DnsReply>(['servfail', 'refused'])('takes %s for no lie', async (large) => {
    const zones = { ...OWN, 'gmail.com': large, 'outlook.com': 'nxdomain' } as const;
    const { verify, findings } = await startWorld({ zones });
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    expect(findings).toEqual([]);
  });

  it('keeps an answer waiting for two seconds at most', async () => {
    const zones = { ...OWN, 'gmail.com': 'silent', 'outlook.com': 'silent' } as const;
    const { verify, clock } = await startWorld({ zones });
    const verifying = verify(NOBODY);
    await clock.armed(2_000);
    clock.advance(2_000);
    expect(await verifying).toBe('invalid domain_not_found');
  });

  it('believes a resolver with a world of its own once it has known a domain', async () => {
    const { verify, clock, findings } = await startWorld({ zones: OWN });
    await expect.poll(() => findings).toEqual(['denies']);
    expect(await verify(NOBODY)).toBe('unknown dns_error');
    expect(await verify(JANE)).toBe('valid mailbox_exists');
    expect(await verify(NOBODY)).toBe('invalid domain_not_found');
    clock.advance(60_000);
    expect(await verify('jane@gone2.com')).toBe('invalid domain_not_found');
    expect(findings).toEqual(['denies', 'honest']);
  });

  it('does not take a list of domains that do not exist for the end of such a world, but an hour of nothing else', async () => {
    const { verify, clock } = await startWorld({ zones: OWN });
    await verify(JANE);
    const denied = async () => {
      for (const number of numbered(12, (index) => index)) await verify(`jane@${clock.now()}x${number}.com`);
      return verify(`jane@last${clock.now()}.com`);
    };
    for (let second = 0; second < 3; second++) {
      clock.advance(1_000);
      expect(await denied()).toBe('invalid domain_not_found');
    }
    clock.advance(3_600_000);
    await denied();
    clock.advance(60_000);
    expect(await denied()).toBe('unknown dns_error');
  });
});
