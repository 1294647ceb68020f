import { Resolver } from 'node:dns/promises';
import fc from 'fast-check';
import { dmarc } from 'mailauth/lib/dmarc/index.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactDns } from '../../src/deliverability/domains/fact-dns.js';
import { openResolverJudge } from '../../src/resolver/own-resolver.js';
import { type DmarcPolicy, readDmarc } from '../../src/engine/domain/dmarc.js';
import type { FactDns } from '../../src/engine/domain/facts.js';
import { checkHost } from '../../src/mail-dns/check-host.js';
import { KNOWN_DOMAIN, type DnsServer, startDnsServer } from '../support/dns-server.js';

/*
 * Our reading of SPF and DMARC against that of mailauth, another implementation of RFC 7208 and RFC 9989 by somebody else, on the same zones,
 * over real packets. Where both agree on thousands of odd zones, a slip would have to be the same in both.
 */

const RUNS = { numRuns: 500, seed: 9989 };
const WEAKER: Readonly<Record<DmarcPolicy, DmarcPolicy>> = { reject: 'quarantine', quarantine: 'none', none: 'none' };

let dns: DnsServer;
let ours: FactDns;
let resolver: Resolver;
let zones = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  ours = createFactDns(
    [dns.address],
    openResolverJudge({ dnsServers: [dns.address], dnsKnownDomains: [KNOWN_DOMAIN] }),
  );
  resolver = new Resolver();
  resolver.setServers([dns.address]);
});

afterAll(() => dns.close());

/** A name that no zone before has had, so that nothing is remembered of it. */
const next = () => `z${(zones += 1)}`;
const theirs = (name: string, type: string) => resolver.resolve(name, type) as Promise<never>;

describe('DMARC', () => {
  const policy = fc.constantFrom('none', 'quarantine', 'reject');
  const tag = (name: string, value: fc.Arbitrary<string>) => fc.option(value.map((text) => `${name}=${text}`));
  const record = fc
    .tuple(
      fc.oneof(
        { weight: 9, arbitrary: policy.map((text) => `p=${text}`) },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      tag('sp', policy),
      tag('np', policy),
      tag('t', fc.constantFrom('y', 'n')),
      tag('psd', fc.constantFrom('y', 'n', 'u')),
      tag('pct', fc.constantFrom('0', '50', '100')),
      fc.constantFrom('; ', ';', ' ; '),
    )
    .map(([p, sp, np, t, psd, pct, blank]) =>
      ['v=DMARC1', p, 'rua=mailto:r@example.net', sp, np, t, psd, pct].filter((one) => one !== null).join(blank),
    );
  const odd = fc.constantFrom('v=DMARC2; p=reject', 'v=dmarc1; p=reject', 'v=spf1 -all', 'p=reject; v=DMARC1', '');
  const texts = fc.oneof(
    { weight: 4, arbitrary: fc.constant<string[]>([]) },
    { weight: 6, arbitrary: record.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(fc.oneof(record, odd), { minLength: 2, maxLength: 2 }) },
    { weight: 1, arbitrary: odd.map((one) => [one]) },
  );
  // From the domain's own level down to the top.
  const levels = fc.array(texts, { minLength: 2, maxLength: 10 });

  it('DMARC means the same policy, of the same domain and organization, as mailauth says', async () => {
    await fc.assert(
      fc.asyncProperty(levels, fc.boolean(), async (found, isThere) => {
        const top = next();
        const labels = found.slice(1).map((_, index) => `l${index}`);
        const nameAt = (level: number) => [...labels.slice(level), top].join('.');
        const domain = nameAt(0);
        found.forEach((records, level) => dns.set(`_dmarc.${nameAt(level)}`, { TXT: records }));
        if (isThere) dns.set(domain, { A: ['127.0.0.1'] });
        const facts = await readDmarc(domain, ours);
        const result = await dmarc({ headerFrom: domain, spfDomains: [], dkimDomains: [], resolver: theirs });
        if (result === false) throw new Error(`mailauth does not read ${domain}`);
        if (result.status.result === 'none') {
          expect(facts.foundAt).toBeNull();
          return;
        }
        const inherited = isThere ? facts.policy : facts.nonexistentPolicy;
        const policyHere = facts.foundAt === domain ? facts.policy : inherited;
        expect({
          policy: facts.isTesting ? WEAKER[policyHere] : policyHere,
          policyDomain: facts.foundAt,
          domain: facts.organizationalDomain,
        }).toEqual({ policy: result.policy, policyDomain: result.policyDomain, domain: result.domain });
      }),
      RUNS,
    );
  });
});

describe('SPF', () => {
  const host = fc.constantFrom('a', 'b', 'mx', 'gone', 'inc', 'loop', 'none');
  const qualifier = fc.constantFrom('', '+', '-', '~', '?');
  const term = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('ip4:8.8.4.0/24', 'ip4:8.8.4.4', 'ip6:2a00::/16', 'ip4:1.1.1.1/33', 'ip4:nonsense'),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom('a', 'mx', 'exists', 'include'), host).map((pair) => pair.join(':')),
    },
    { weight: 2, arbitrary: fc.constantFrom('a', 'mx', 'a/24', 'a//64', 'mx/16//32', 'all') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'exists:%{i}.ex',
        'include:%{d}',
        'exists:%{l}.ex',
        'ptr',
        'ptr:a',
        'nothing',
        'exp=why',
        'redirect=inc',
        'x=y',
      ),
    },
  );
  const record = fc
    .array(fc.tuple(qualifier, term), { maxLength: 7 })
    .map((terms) => ['v=spf1', ...terms.map(([sign, one]) => (one.includes('=') ? one : `${sign}${one}`))].join(' '));
  const address = fc.constantFrom('8.8.4.4', '8.8.8.8', '1.1.1.1', '2a00::1', '2606::1');

  it('SPF has the result that mailauth has', async () => {
    const results = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(record, record, address, async (own, included, ip) => {
        const top = `${next()}.example`;
        // Names of terms are below the zone.
        const placed = (text: string) =>
          text.replaceAll(
            /(a|mx|exists|include|ptr|exp|redirect)([:=])([a-z]+|%\{[il]\}\.ex)(?= |$)/g,
            `$1$2$3.${top}`,
          );
        dns.set(top, { TXT: [placed(own)], A: ['8.8.4.4'], MX: [[10, `mx.${top}`]] });
        dns.set(`inc.${top}`, { TXT: [placed(included)], A: ['1.1.1.1'] });
        dns.set(`loop.${top}`, { TXT: [`v=spf1 include:loop.${top} -all`] });
        dns.set(`none.${top}`, { TXT: ['something else'] });
        dns.set(`a.${top}`, { A: ['8.8.4.4'], AAAA: ['2a00::1'] });
        dns.set(`b.${top}`, { A: ['8.8.8.8'] });
        dns.set(`mx.${top}`, { A: ['1.1.1.1'], MX: [[10, `a.${top}`]] });
        dns.set(`8.8.4.4.ex.${top}`, { A: ['127.0.0.2'] });
        dns.set('4.4.8.8.in-addr.arpa', { PTR: [`a.${top}`] });
        const { result } = await checkHost({ address: ip, domain: top, sender: `jane@${top}`, helo: top }, ours);
        const said = await spf({ sender: `jane@${top}`, ip, helo: top, resolver: theirs, strict: true });
        results.set(result, (results.get(result) ?? 0) + 1);
        expect([placed(own), placed(included), ip, result]).toEqual([
          placed(own),
          placed(included),
          ip,
          said.status.result,
        ]);
      }),
      RUNS,
    );
    // The zones are odd enough to meet each of them.
    for (const each of ['pass', 'fail', 'softfail', 'neutral', 'permerror'])
      expect(results.get(each)).toBeGreaterThan(5);
  });
});
