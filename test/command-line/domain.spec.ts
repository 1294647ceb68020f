import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command.js';
import { type DnsServer, KNOWN_DOMAIN, startDnsServer } from '../support/dns-server.js';

let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer({
    zones: {
      'example.com': {
        A: ['127.0.0.1'],
        MX: [
          [10, 'mx1.example.com'],
          [20, 'mx2.example.com'],
        ],
        TXT: ['v=spf1 mx include:gone.example.com -all'],
      },
      'mx1.example.com': { A: ['127.0.0.1'] },
      'mx2.example.com': { A: ['127.0.0.2'] },
      '1.0.0.127.in-addr.arpa': { PTR: ['mx1.example.com'] },
      '2.0.0.127.in-addr.arpa': { PTR: ['mx2.example.com'] },
      '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject; pct=100; rua=mailto:r@example.com'] },
      'silent.example.org': 'silent',
    },
  });
});

afterAll(() => dns.close());

const domain = (...args: string[]) =>
  runCommand('cli/mailsonde.js', ['domain', ...args], {
    DNS_SERVERS: dns.address,
    DNS_KNOWN_DOMAINS: KNOWN_DOMAIN,
  });

describe('mailsonde domain', () => {
  it('mailsonde domain shows a person what is wrong, the worst first, and the record to publish', async () => {
    const { exit, stdout } = await domain('Example.com', '--no-color');
    expect(exit).toBe(1);
    expect(stdout).toContain('include:gone.example.com (1, missing)');
    expect(stdout).toContain('- v=spf1 mx include:gone.example.com -all');
    expect(stdout).toContain('+ v=spf1 mx -all');
    expect(stdout).toContain('+ v=DMARC1; p=reject; rua=mailto:r@example.com');
    expect(stdout.indexOf('spf_include_missing')).toBeLessThan(stdout.indexOf('dmarc_tag_retired'));
  });

  it('mailsonde domain looks at the areas that are named only, and connects to no address that is not public', async () => {
    const { stdout } = await domain('example.com', '--json', '--check', 'dmarc');
    expect(JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)).toEqual(['dmarc_tag_retired']);
    const { facts } = JSON.parse((await domain('example.com', '--json', '--check', 'starttls')).stdout);
    expect(facts.mx.hosts[0].startTls).toEqual({ outcome: 'unknown', why: 'not_public' });
    expect((await domain('example.com', '--check', 'weather')).exit).toBe(64);
  });

  it('mailsonde domain prints facts and findings for a program', async () => {
    const { exit, stdout } = await domain('example.com', '--json', '--sender', '8.8.4.9', '--selector', 's1');
    expect(exit).toBe(1);
    const { facts, findings } = JSON.parse(stdout);
    expect(facts).toMatchObject({ domain: 'example.com', spf: { lookups: 2 }, dmarc: { policy: 'reject' } });
    const codes = findings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['ptr_missing', 'dkim_key_gone', 'spf_include_missing']));
  });

  it('mailsonde domain takes nothing that a lying resolver denies for a fact, and says so in one line', async () => {
    const liar = await startDnsServer({ zones: { [KNOWN_DOMAIN]: 'nxdomain' } });
    try {
      const variables = { DNS_SERVERS: liar.address, DNS_KNOWN_DOMAINS: KNOWN_DOMAIN };
      const { exit, stdout, stderr } = await runCommand('cli/mailsonde.js', ['domain', 'a.com', '--json'], variables);
      expect(exit).toBe(69);
      expect(stderr).toMatch(
        /^The DNS resolver lies: it says that .* does not exist \(one of domain\.known\.test\), .*\n$/,
      );
      const { facts, findings, unansweredWhy } = JSON.parse(stdout);
      expect(unansweredWhy).toMatch(
        /^This service's own DNS resolver .* not a fault of what you asked about\. Try again in a minute\.$/,
      );
      expect(findings.filter(({ severity }: { severity: string }) => severity !== 'info')).toEqual([]);
      expect(facts.unanswered).toEqual(expect.arrayContaining(['a.com']));
      const told = (await runCommand('cli/mailsonde.js', ['domain', 'a.com', '--no-color'], variables)).stdout;
      for (const title of ['MX', 'SPF', 'DMARC', 'DKIM', 'MTA-STS', 'TLS-RPT', 'BIMI'])
        expect(told).toMatch(new RegExp(`^${title} +not known$`, 'm'));
      expect(told).toContain(`\n– ${unansweredWhy}\n`);
    } finally {
      await liar.close();
    }
  });

  it('mailsonde domain says so when there is no answer, and refuses what is no domain', async () => {
    expect((await domain('silent.example.org', '--json')).exit).toBe(69);
    for (const wrong of ['co.uk', '192.0.2.1', 'jane@example.com'])
      expect(await domain(wrong)).toMatchObject({ exit: 64, stderr: expect.stringContaining('no domain') });
    expect((await domain('example.com', '--sender', 'here')).exit).toBe(64);
    expect((await domain()).exit).toBe(64);
  });
});
