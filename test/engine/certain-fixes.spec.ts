import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactDns } from '../../src/deliverability/domains/fact-dns.js';
import { openResolverJudge } from '../../src/resolver/own-resolver.js';
import { StsFetcher } from '../../src/deliverability/domains/guarded-fetch.js';
import type { FactsOutside } from '../../src/engine/domain/facts.js';
import { examineDomain } from '../../src/engine/domain/judges/examine-domain.js';
import type { DnsFix, DomainFinding, FindingArea } from '../../src/engine/domain/finding.js';
import { writeStsPolicy } from '../../src/engine/domain/sts-policy.js';
import { KNOWN_DOMAIN, type DnsServer, startDnsServer } from '../support/dns-server.js';
import { CERTAIN_FIXES } from '../support/domain-zones.js';
import { startWebHosts, type WebHosts } from '../support/web-hosts.js';

const RUNS = 30;
const AREAS: readonly FindingArea[] = ['mx', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt'];
const SENDER = '8.8.4.9';
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');

/** What a domain publishes: a zone that can be written anew, and the file of its MTA-STS policy. */
interface World {
  readonly domain: string;
  mx: string[];
  /** The terms of SPF; null: no record. */
  spf: string[] | null;
  /** By name, without SPF. */
  texts: Record<string, string[]>;
  addresses: Record<string, string>;
  aliases: Record<string, string>;
  policy: string;
  /** Addresses that are said to send. */
  senders: string[];
}

function healthy(domain: string): World {
  const hosts = [`mx1.${domain}`, `mx2.${domain}`];
  return {
    domain,
    mx: hosts.map((host, index) => `${10 * (index + 1)} ${host}.`),
    spf: ['mx', `ip4:${SENDER}`, '-all'],
    texts: {
      [`_dmarc.${domain}`]: [`v=DMARC1; p=reject; rua=mailto:reports@${domain}`],
      [`s1._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${KEY}`],
      [`_mta-sts.${domain}`]: ['v=STSv1; id=20261101'],
      [`_smtp._tls.${domain}`]: [`v=TLSRPTv1; rua=mailto:tls@${domain}`],
    },
    addresses: { [domain]: '8.8.4.8', [hosts[0]!]: '8.8.4.1', [hosts[1]!]: '8.8.4.2' },
    aliases: {},
    policy: writeStsPolicy({ mode: 'enforce', patterns: hosts, maxAgeSeconds: 604_800 }),
    senders: [SENDER],
  };
}

/** What may be broken, each beside any other. */
const DEFECTS: Readonly<Record<string, (world: World) => void>> = {
  'a mail host without an address': (world) => world.mx.push(`30 gone.${world.domain}.`),
  'a mail host that is an alias': (world) => {
    world.mx.push(`40 alias.${world.domain}.`);
    world.aliases[`alias.${world.domain}`] = `mx2.${world.domain}`;
  },
  'an SPF term that is misspelt': (world) => world.spf?.unshift('ipv4:8.8.4.0/24'),
  'an included record that has vanished': (world) => world.spf?.unshift(`include:gone.${world.domain}`),
  'names in SPF that are not there': (world) =>
    world.spf?.unshift(...['x', 'y', 'z'].map((name) => `a:${name}.${world.domain}`)),
  'more than ten look-ups': (world) => {
    const names = Array.from({ length: 8 }, (_, index) => `out${index}.${world.domain}`);
    for (const name of names) world.addresses[name] = '8.8.4.3';
    world.spf?.unshift(...names.map((name) => `a:${name}`), `a:v.${world.domain}`, `a:w.${world.domain}`);
  },
  'a sender that SPF does not know': (world) => {
    if (world.spf !== null) world.spf = world.spf.filter((term) => term !== `ip4:${SENDER}`);
  },
  'a key that is being tested': (world) =>
    (world.texts[`s1._domainkey.${world.domain}`] = [`v=DKIM1; k=rsa; t=y:s; p=${KEY}`]),
  'no DMARC record': (world) => (world.texts[`_dmarc.${world.domain}`] = []),
  'reports to somebody who has not agreed': (world) =>
    (world.texts[`_dmarc.${world.domain}`] = [
      `v=DMARC1; p=reject; pct=50; ri=3600; rua=mailto:r@other-${world.domain},mailto:s@more-${world.domain}`,
    ]),
  'tags that DMARC has no more': (world) => {
    const name = `_dmarc.${world.domain}`;
    world.texts[name] = (world.texts[name] ?? []).map((text) =>
      text.replace('p=reject;', 'p=reject; pct=100; rf=afrf;'),
    );
  },
  'a mode that DMARC does not have': (world) => {
    const name = `_dmarc.${world.domain}`;
    world.texts[name] = (world.texts[name] ?? []).map((text) => `${text}; adkim=strict`);
  },
  'a second text that only looks like DMARC': (world) => world.texts[`_dmarc.${world.domain}`]?.push('v=DMARC1 p=none'),
  'a DMARC record at the domain itself': (world) => (world.texts[world.domain] = ['v=DMARC1; p=none']),
  'a second all in SPF': (world) => world.spf?.push('~all'),
  'a redirect beside all': (world) => world.spf?.unshift(`redirect=spf.${world.domain}`),
  'an SPF term twice': (world) => world.spf?.unshift('mx', '+MX'),
  'a policy that misses a mail host': (world) =>
    (world.policy = writeStsPolicy({ mode: 'enforce', patterns: [`mx1.${world.domain}`], maxAgeSeconds: 604_800 })),
  'no mail at all, and no SPF': (world) => {
    world.mx = ['0 .'];
    world.spf = null;
    world.senders = [];
    world.texts[`s1._domainkey.${world.domain}`] = [];
  },
  'no MTA-STS': (world) => (world.texts[`_mta-sts.${world.domain}`] = []),
  'no SPF, although an address sends': (world) => {
    world.spf = null;
  },
};

/** Where mail must be encrypted, another name needs a look at its certificate, which nobody takes here. */
const ALIAS = ['a mail host that is an alias', 'no MTA-STS'];

describe('a record that is proposed with certainty', () => {
  let dns: DnsServer;
  let hosts: WebHosts;
  let policies: StsFetcher;
  const served = new Map<string, string>();
  const met = new Set<string>();
  let worlds = 0;

  beforeAll(async () => {
    const names = Array.from({ length: 2 * RUNS }, (_, index) => `mta-sts.z${index + 1}.example`);
    hosts = await startWebHosts(
      Object.fromEntries(
        names.map((name) => [
          name,
          (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(served.get(name)),
        ]),
      ),
    );
    policies = new StsFetcher(hosts.options);
    dns = await startDnsServer();
  });

  afterAll(async () => {
    await policies.close();
    await hosts.close();
    await dns.close();
  });

  function publish(world: World): void {
    const { domain, mx, spf, texts, addresses, aliases, policy } = world;
    const names = new Set([domain, ...Object.keys(texts), ...Object.keys(addresses)]);
    for (const name of names) {
      const own = name === domain && spf !== null ? [['v=spf1', ...spf].join(' ')] : [];
      const records = [...(texts[name] ?? []), ...own];
      const address = addresses[name];
      dns.set(name, {
        // Long records are split into strings, as every server does.
        TXT: records.map((text) => text.match(/.{1,255}/g) ?? []),
        ...(address !== undefined && { A: [address] }),
        ...(name === domain && { MX: mx.map(mailHost) }),
      });
    }
    for (const [name, target] of Object.entries(aliases)) dns.set(name, { CNAME: target });
    // A record that can be read at last brings to light who sends, and so their reverse names.
    for (const [name, address] of Object.entries(addresses))
      dns.set(`${address.split('.').toReversed().join('.')}.in-addr.arpa`, { PTR: [name] });
    served.set(`mta-sts.${domain}`, policy);
  }

  async function look({ domain, senders }: World): Promise<readonly DomainFinding[]> {
    const outside = { stsPolicy: (name: string) => policies.fetch(name) } as FactsOutside;
    const asked = { domain, selectors: ['s1'], senders, areas: AREAS };
    const through = createFactDns(
      [dns.address],
      openResolverJudge({ dnsServers: [dns.address], dnsKnownDomains: [KNOWN_DOMAIN] }),
    );
    const { findings } = await examineDomain(asked, through, outside, { now: Date.now() });
    return findings.filter(({ area }) => AREAS.includes(area));
  }

  it('a record that is proposed with certainty makes its finding vanish when it is published, breaks nothing else, and all of them one after another end', async () => {
    const defects = fc.subarray(Object.keys(DEFECTS), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(defects, async (chosen) => {
        let world = healthy(`z${(worlds += 1)}.example`);
        for (const defect of chosen) DEFECTS[defect]!(world);
        publish(world);
        let findings = await look(world);
        for (let steps = 0; ; steps += 1) {
          expect(steps).toBeLessThan(20);
          const certain = findings.filter(({ fix }) => fix?.confidence === 'certain');
          if (certain.length === 0) break;
          for (const found of certain) {
            met.add(found.code);
            const next = fixed(world, found.fix!);
            publish(next);
            const after = await look(next);
            const is = (one: DomainFinding) => one.code === found.code && one.subject === found.subject;
            expect(after.filter(is), `${found.code} after ${JSON.stringify(found.fix)}`).toEqual([]);
            const before = new Set(findings.map(({ code }) => code));
            const isNew = ({ severity, code }: DomainFinding) => severity === 'critical' && !before.has(code);
            expect(after.filter(isNew), `after ${JSON.stringify(found.fix)}`).toEqual([]);
          }
          world = fixed(world, certain[0]!.fix!);
          publish(world);
          findings = await look(world);
        }
      }),
      // Each defect by itself, then any together.
      {
        numRuns: RUNS,
        seed: 24,
        examples: [...Object.keys(DEFECTS).map((one) => [one]), ALIAS].map((chosen) => [chosen] as [string[]]),
        endOnFailure: true,
      },
    );
    expect([...met].toSorted()).toEqual(CERTAIN_FIXES);
  });

  it('a record that is proposed with certainty is none where nothing is wrong', async () => {
    const world = healthy(`z${(worlds += 1)}.example`);
    publish(world);
    expect(await look(world)).toEqual([]);
  });
});

function mailHost(text: string): readonly [number, string] {
  const [preference, host = ''] = text.split(' ');
  return [Number(preference), host.replace(/\.$/, '')];
}

/** The world after the fix was published as it stands. */
function fixed(world: World, { name, type, current, value }: DnsFix): World {
  const next = structuredClone(world);
  const at = name.replace(/\.$/, '');
  const gone = (current ?? '').split('\n');
  const replaced = (records: readonly string[]) => [
    ...records.filter((record) => !gone.includes(record)),
    ...(value === null ? [] : [value]),
  ];
  if (type === 'file') next.policy = value!;
  else if (type === 'MX') next.mx = replaced(next.mx);
  else if (/^v=spf1( |$)/i.test(value ?? current ?? '')) next.spf = value!.split(' ').slice(1);
  else next.texts[at] = replaced(next.texts[at] ?? []);
  return next;
}
