import { describe, expect, it } from 'vitest';

import type { DnsReply } from '../support/dns-server.js';
import { budgetMs, numbered, recipientOf, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorld, type MailWorldOptions } from '../support/mail-world.js';

const LISTED = numbered(6, (index) => `away${index}.com`);
const NEW = 'jane@brand-new.com';
const BY_LIST = 'risky disposable';
const BY_NOBODY = 'risky catch_all';

type Hosts = readonly (readonly [preference: number, host: string])[];

/** A world in which every name exists at every domain, and these domains take their mail at these hosts. */
function world(domains: Readonly<Record<string, Hosts>>, { lists, ...other }: MailWorldOptions = {}) {
  const zones: Record<string, DnsReply> = {};
  for (const [domain, MX] of Object.entries(domains)) {
    zones[domain] = { MX } as DnsReply;
    for (const [, host] of MX) zones[host] = { ...(zones[host] as object), A: ['127.0.0.1'] } as DnsReply;
  }
  return startMailWorld({ zones, lists: { disposable: LISTED.join('\n'), ...lists }, ...other });
}

const at = (domains: readonly string[], ...hosts: Hosts) => Object.fromEntries(domains.map((name) => [name, hosts]));
const somebodyAt = (domains: readonly string[]) => domains.map((domain) => `somebody@${domain}`);

/** The verdict on the new domain once somebody's address was verified at each of the others. */
async function afterwards({ engine }: Pick<MailWorld, 'engine'>, domains: readonly string[], email = NEW) {
  await verifyAll(engine, somebodyAt(domains));
  return engine.verify(email, { budgetMs });
}

describe('a domain that no list names', () => {
  const five = LISTED.slice(0, 5);
  const shared: Hosts = [[10, 'mx.service.com']];

  it('a domain that no list names is disposable where five listed domains take their mail, with their number as evidence', async () => {
    const verification = await afterwards(await world(at([...five, 'brand-new.com'], ...shared)), five);
    expect(verdictAndReason(verification)).toBe(BY_LIST);
    expect(verification.checks).toMatchObject({ disposable: true, smtp: 'pass', catchAll: 'yes' });
    expect(verification.evidence).toMatchObject({
      stage: 'rcpt',
      code: 250,
      text: expect.stringMatching(/^mx\.service\.com takes mail for 5 listed throw-away domains; /) as string,
    });
  });

  it('a domain that no list names is not, where four do, whatever the number of their subdomains', async () => {
    const subdomains = five.slice(0, 4).flatMap((domain) => [domain, `a.${domain}`, `b.${domain}`]);
    const four = await world(at([...subdomains, 'brand-new.com'], ...shared));
    expect(verdictAndReason(await afterwards(four, subdomains))).toBe(BY_NOBODY);
  });

  it('a domain that no list names is not, where listed domains that the host does not serve point to it', async () => {
    const victim = await world(at([...five, 'brand-new.com'], ...shared), {
      smtp: { onLine: (line) => (recipientOf(line)?.includes('@away') ? '550 5.7.1 Relaying denied' : undefined) },
    });
    expect(verdictAndReason(await afterwards(victim, five))).toBe(BY_NOBODY);
  });

  it('a domain that no list names is disposable at a host that had listed domains when the lists were made', async () => {
    const lists = { disposableMailHosts: 'mx.service.com 5\nmx.little.com 4\n' };
    const { engine } = await world(
      { ...at(['brand-new.com'], ...shared), ...at(['other.com'], [10, 'mx.little.com']) },
      { lists },
    );
    const verification = await engine.verify(NEW, { budgetMs });
    expect(verdictAndReason(verification)).toBe(BY_LIST);
    expect(verification.evidence.text).toContain('takes mail for 5 listed');
    expect(verdictAndReason(await engine.verify('jane@other.com', { budgetMs }))).toBe(BY_NOBODY);
  });

  it('a domain that no list names is disposable at a host of a listed domain', async () => {
    const { engine } = await world(at(['brand-new.com'], [10, 'mx.away0.com']));
    const verification = await engine.verify(NEW, { budgetMs });
    expect(verdictAndReason(verification)).toBe(BY_LIST);
    expect(verification.evidence.text).toContain('mx.away0.com is a host of a listed throw-away domain; ');
  });

  it('a domain that no list names is disposable although its host tells us nothing', async () => {
    const { engine } = await world(at(['brand-new.com'], [10, 'mx.away0.com']), { smtp: null });
    const verification = await engine.verify(NEW, { budgetMs });
    expect(verdictAndReason(verification)).toBe(BY_LIST);
    expect(verification.evidence).toMatchObject({ stage: 'connect', code: null });
  });

  it('a domain that no list names is never invalid for it, nor saved by it', async () => {
    const { engine } = await world(at(['brand-new.com'], [10, 'mx.away0.com']), {
      smtp: { onLine: (line) => (recipientOf(line) === null ? undefined : '550 5.1.1 User unknown') },
    });
    const verification = await engine.verify(NEW, { budgetMs });
    expect(verdictAndReason(verification)).toBe('invalid mailbox_not_found');
    expect(verification.checks.disposable).toBe(true);
    expect(verification.evidence.text).toBe('User unknown');
  });

  it('a domain that no list names is judged by the hosts of its first preference, all of them', async () => {
    const away = [10, 'mx.away0.com'] as const;
    const { engine } = await world({
      'backup.com': [[5, 'mx.backup.com'], away],
      'half.com': [away, [10, 'mx.half.com']],
      'first.com': [away, [20, 'mx.first.com']],
      'both.com': [away, [10, 'mx.away1.com'], [20, 'mx.both.com']],
    });
    const verdicts = await verifyAll(engine, somebodyAt(['backup.com', 'half.com', 'first.com', 'both.com']));
    expect(verdicts.map(verdictAndReason)).toEqual([BY_NOBODY, BY_NOBODY, BY_LIST, BY_LIST]);
  });

  it('a domain that no list names is forgotten to have company when the listed domains move away', async () => {
    const zones: Record<string, DnsReply> = { 'mx.service.com': { A: ['127.0.0.1'] } };
    for (const domain of [...five, 'brand-new.com']) zones[domain] = { MX: [[10, 'mx.service.com']] };
    // `a.away0.com` is the same customer as `away0.com`, seen later at another host.
    zones['a.away0.com'] = { MX: [[10, 'mx.away0.com']] };
    zones['mx.away0.com'] = { A: ['127.0.0.1'] };
    const { engine } = await startMailWorld({ zones, lists: { disposable: LISTED.join('\n') } });
    expect(verdictAndReason(await afterwards({ engine }, five))).toBe(BY_LIST);
    expect(verdictAndReason(await afterwards({ engine }, ['a.away0.com']))).toBe(BY_NOBODY);
  });
});

describe('a mail host that listed domains use', () => {
  it.each([
    ["an operator's", 'aspmx.l.google.com', {}],
    ["a hosting company's", 'mx.hoster.com', { sharedMailHosts: 'hoster.com\n' }],
    ["a privacy relay's", 'mx.relay.com', { privacyRelays: 'relay.com\n' }],
    ["a large mailbox provider's", 'mx.large.com', { neverDisposable: 'large.com\n' }],
  ])('a mail host that listed domains use says nothing about others when it is %s', async (_, host, lists) => {
    const seeded = { ...lists, disposableMailHosts: `${host} 500\n` };
    const shared = await world(at([...LISTED, 'brand-new.com'], [10, host]), { lists: seeded });
    expect((await afterwards(shared, LISTED)).checks.disposable).toBe(false);
  });

  it.each([
    ["the host's own domain", 'jane@service.com', {}],
    ['a large mailbox provider', 'jane@brand-new.com', { neverDisposable: 'brand-new.com\n' }],
    ['a privacy relay', 'jane@brand-new.com', { privacyRelays: 'brand-new.com\n' }],
  ])('a mail host that listed domains use says nothing about %s', async (_, email, lists) => {
    const everybody = [...LISTED, 'brand-new.com', 'service.com'];
    const shared = await world(at(everybody, [10, 'mx.service.com']), { lists });
    expect((await afterwards(shared, LISTED, email)).checks.disposable).toBe(false);
  });

  it('a mail host that listed domains use says nothing about hundreds of domains at small hosting companies with four of them each', async () => {
    const hosters = numbered(20, (index) => `mx.hoster${index}.com`);
    const listed = hosters.flatMap((_, hoster) => numbered(4, (index) => `away${hoster}-${index}.com`));
    const honest = hosters.flatMap((_, hoster) => numbered(15, (index) => `honest${hoster}-${index}.com`));
    const hosterOf = (domain: string) => hosters[Number(/\d+/.exec(domain)![0])]!;
    const domains = Object.fromEntries([...listed, ...honest].map((name) => [name, [[10, hosterOf(name)]] as Hosts]));
    const { engine } = await world(domains, { lists: { disposable: listed.join('\n') } });
    const first = await verifyAll(engine, somebodyAt(listed));
    expect(first.every(({ checks }) => checks.disposable)).toBe(true);
    const verdicts = await verifyAll(engine, somebodyAt(honest));
    expect(verdicts.filter(({ checks }) => checks.disposable)).toEqual([]);
  });
});
