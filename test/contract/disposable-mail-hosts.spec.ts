import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { onTestFinished, describe, expect, it } from 'vitest';
import { startDnsServer, type DnsReply } from '../support/dns-server.js';
import { numbered } from '../support/mail-scripts.js';

interface MailHostsModule {
  workingResolver(options: { servers: string[]; knownDomain?: string }): Promise<object | null>;
  countMailHosts(domains: readonly string[], resolver: object): Promise<Map<string, number> | null>;
}

const path = join(import.meta.dirname, '../../config/lists/mail-hosts.mjs');
const { workingResolver, countMailHosts } = (await import(pathToFileURL(path).href)) as MailHostsModule;

async function resolverOf(zones: Readonly<Record<string, DnsReply>>) {
  const dns = await startDnsServer({ zones: { 'gmail.com': { MX: [[5, 'mx.google.com']] }, ...zones } });
  onTestFinished(() => dns.close());
  return workingResolver({ servers: [dns.address] });
}

describe('the count of throw-away domains at mail hosts', () => {
  it('the count of throw-away domains at mail hosts takes the hosts of the first preference, and names below one registrable domain once', async () => {
    const resolver = await resolverOf({
      'one.com': {
        MX: [
          [10, 'MX.service.com'],
          [10, 'mx2.service.com'],
          [20, 'mx.backup.com'],
        ],
      },
      'two.com': { MX: [[1, 'mx.service.com']] },
      'a.two.com': { MX: [[1, 'mx.service.com']] },
      'gone.com': 'nxdomain',
      'web.com': 'nodata',
    });
    const counts = await countMailHosts(['one.com', 'two.com', 'a.two.com', 'gone.com', 'web.com'], resolver!);
    expect(Object.fromEntries(counts!)).toEqual({ 'mx.service.com': 2, 'mx2.service.com': 1 });
  });

  it('the count of throw-away domains at mail hosts is none when too many questions stay without an answer', async () => {
    const broken = numbered(4, (index) => `broken${index}.com`);
    const zones = Object.fromEntries(broken.map((name) => [name, 'servfail'] as const));
    const resolver = await resolverOf({ ...zones, 'one.com': { MX: [[10, 'mx.service.com']] } });
    expect(await countMailHosts(['one.com', ...broken], resolver!)).toBeNull();
  });

  it('the count of throw-away domains at mail hosts is not begun with a resolver that knows nothing, or that knows what does not exist', async () => {
    expect(await resolverOf({ 'gmail.com': 'servfail' })).toBeNull();
    expect(await resolverOf({ '*.com': { MX: [[10, 'mx.liar.com']] } })).toBeNull();
  });
});
