import { afterEach, describe, expect, it } from 'vitest';
import { createFactDns } from '../../src/deliverability/domains/fact-dns.js';
import type { FactDns } from '../../src/engine/domain/facts.js';
import { openResolverJudge } from '../../src/resolver/own-resolver.js';
import { type DnsServer, type DnsZone, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';

let server: DnsServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

const BOGUS: DnsZone = { A: ['8.8.4.1'], NS: ['ns.example.net'], DS: [4711], dnssec: 'bogus' };

const SIGNED: DnsZone = { NS: ['a0.org.example'], dnssec: 'secure' };

/** What is said of `domain`, by a resolver that validates if `org` is signed for it. */
async function dnssecOf(
  zones: Readonly<Record<string, DnsZone>>,
  { domain = 'example.com', org = SIGNED }: { readonly domain?: string; readonly org?: DnsZone } = {},
): Promise<string> {
  server = await startDnsServer({ zones: { org, ...zones } });
  return throughResolver(server).dnssec(domain);
}

function throughResolver({ address }: DnsServer): FactDns {
  return createFactDns([address], openResolverJudge({ dnsServers: [address], dnsKnownDomains: [KNOWN_DOMAIN] }));
}

describe('signatures that are wrong', () => {
  it('signatures that are wrong are found where the resolver validates, the parent vouches for a key, and only unchecked answers come', async () => {
    expect(await dnssecOf({ 'example.com': BOGUS })).toBe('bogus');
  });

  it('signatures that are wrong are found at a name within the zone', async () => {
    const zones = { 'example.com': BOGUS, 'mail.example.com': { A: ['8.8.4.2'], dnssec: 'bogus' as const } };
    expect(await dnssecOf(zones, { domain: 'mail.example.com' })).toBe('bogus');
  });

  it('signatures that are wrong are none where the parent vouches for no key', async () => {
    expect(await dnssecOf({ 'example.com': { ...BOGUS, DS: 'nodata' } })).toBe('unknown');
    const below = { 'example.com': BOGUS, 'mail.example.com': { ...BOGUS, DS: 'nodata' as const } };
    await server!.close();
    expect(await dnssecOf(below, { domain: 'mail.example.com' })).toBe('unknown');
  });

  it('signatures that are wrong are none where the resolver validates nothing', async () => {
    expect(await dnssecOf({ 'example.com': BOGUS }, { org: { NS: ['a0.org.example'] } })).toBe('unknown');
  });

  it.each([
    [2, 0],
    [3, 0],
    [3, 1],
    [3, 2],
  ])(
    'signatures that are wrong are none of a signed zone whose name server fails every %ith time',
    async (every, from) => {
      let asked = from;
      server = await startDnsServer({
        zones: { org: SIGNED },
        answer: (name, type) => {
          if (name !== 'example.com') return undefined;
          if (type !== 'A') return { NS: ['ns.example.net'], DS: [4711] };
          asked += 1;
          return asked % every === 1 ? 'servfail' : { A: ['8.8.4.1'] };
        },
      });
      expect(await throughResolver(server).dnssec('example.com')).not.toBe('bogus');
    },
  );
});
