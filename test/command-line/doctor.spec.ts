import { describe, expect, it } from 'vitest';
import { createDomainFactsReader } from '../../src/cli/doctor/domain-facts-reader.js';
import { examine, type ExaminationOptions } from '../../src/cli/doctor/examination.js';
import { examineSources } from '../../src/cli/doctor/identity-checks.js';
import type { CheckResult } from '../../src/cli/doctor/check-result.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { createOutside } from '../../src/sending/sources/watch/outside.js';
import { checkDns, openResolverJudge } from '../../src/resolver/own-resolver.js';
import { nodePorts } from '../../src/verify/ports/node-ports.js';
import { runCommand } from '../support/command.js';
import { selfSigned } from '../support/certificate.js';
import { startCommandWorld } from '../support/command-world.js';
import { KNOWN_DOMAIN, type DnsReply } from '../support/dns-server.js';
import { freePort } from '../support/process.js';
import type { SmtpScript } from '../support/scripted-smtp-server.js';

const healthy: Readonly<Record<string, DnsReply>> = {
  'probe.example.net': { A: ['192.0.2.1'] },
  '1.2.0.192.in-addr.arpa': { PTR: ['Probe.Example.NET'] },
  'example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'], MX: [[10, 'mx.example.com']] },
};

interface Case {
  readonly zones?: Readonly<Record<string, DnsReply>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly options?: Partial<ExaminationOptions>;
  readonly smtp?: SmtpScript;
  readonly asksOthers?: boolean;
}

/** Examined with real DNS packets and a mail host on loopback. */
async function examined({ zones = {}, variables = {}, options = {}, smtp = {}, asksOthers = false }: Case = {}) {
  const world = await startCommandWorld(smtp, { ...healthy, ...zones });
  const env = loadEnv({ ...world.variables, ...variables });
  const findings = await examine(env, {
    port25Target: null,
    outgoing: null,
    verify: null,
    lookAtDomain: createDomainFactsReader(env, openResolverJudge(env), asksOthers),
    outside: createOutside(env, openResolverJudge(env)),
    sources: [],
    checkDns: () => checkDns(env),
    dialer: nodePorts(env).dialer,
    maxOpenFiles: 20_000,
    ...options,
  });
  return { findings: new Map(findings.map((finding) => [finding.name, finding])), world };
}

async function finding(name: CheckResult['name'], what: Case): Promise<CheckResult | undefined> {
  return (await examined(what)).findings.get(name);
}

describe('the resolver', () => {
  it('the resolver passes when it knows what it must and nothing that nobody knows', async () => {
    expect(await finding('dns', {})).toMatchObject({ state: 'pass', text: expect.stringContaining(KNOWN_DOMAIN) });
  });

  it.each<['fail' | 'skipped', string, string, DnsReply, DnsReply]>([
    ['fail', 'none of domain.known.test exists', 'DNS_KNOWN_DOMAINS', 'nxdomain', 'nxdomain'],
    ['fail', 'nobody has registered', 'DNS_SERVERS', { MX: [[10, 'mx.test']] }, { A: ['192.0.2.80'] }],
    ['skipped', 'did not answer', 'DNS_SERVERS', 'servfail', 'nxdomain'],
  ])('%s: %s', async (state, words, advice, known, madeUp) => {
    const dns = await finding('dns', { zones: { [KNOWN_DOMAIN]: known, '*.known.test': madeUp } });
    expect(dns).toMatchObject({ state });
    expect(dns!.text).toContain(words);
    expect(dns!.advice).toContain(advice);
  });
});

describe('the files that a process may open', () => {
  it.each<[string, CheckResult['state'], number | null]>([
    ['a process may open 20000 files and sockets, enough for SMTP_CONNECTIONS=1500', 'pass', 20_000],
    ['half of them to mail hosts: 512 instead of SMTP_CONNECTIONS=1500', 'fail', 1_024],
    ['does not say', 'skipped', null],
  ])('%s', async (words, state, maxOpenFiles) => {
    const sockets = await finding('sockets', { options: { maxOpenFiles } });
    expect(sockets).toMatchObject({ state, text: expect.stringContaining(words) });
  });
});

describe('the greeting name', () => {
  it('the greeting name passes when it leads to an address and the address back to it', async () => {
    expect(await finding('helo', {})).toEqual({
      name: 'helo',
      state: 'pass',
      text: 'probe.example.net → 192.0.2.1 → probe.example.net',
      advice: null,
    });
  });

  it.each<[string, string, string, Case]>([
    ['without an address', 'has no address', 'A record', { zones: { 'probe.example.net': 'nxdomain' } }],
    ['whose address has no name', '→ no name', 'PTR record', { zones: { '1.2.0.192.in-addr.arpa': 'nxdomain' } }],
    [
      'whose address has another name',
      '→ host1.provider.example',
      'PTR record to probe.example.net',
      { zones: { '1.2.0.192.in-addr.arpa': { PTR: ['host1.provider.example'] } } },
    ],
    [
      'one of whose addresses has no name',
      'probe.example.net → 2001:db8::1 → no name',
      'PTR record',
      { zones: { 'probe.example.net': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] } } },
    ],
    ['of another machine', 'leave from 198.51.100.9', 'Publish', { options: { outgoing: '198.51.100.9' } }],
    ['that is no full name', 'no full host name', 'Set HELO_NAME', { variables: { HELO_NAME: 'probe' } }],
  ])('%s fails, with what to do', async (_, words, advice, what) => {
    const helo = await finding('helo', what);
    expect(helo).toMatchObject({ state: 'fail' });
    expect(helo!.text).toContain(words);
    expect(helo!.advice).toContain(advice);
  });

  it('the greeting name is not judged when the DNS does not answer', async () => {
    const servfail: Case = { zones: { 'probe.example.net': 'servfail' } };
    expect(await finding('helo', servfail)).toMatchObject({ state: 'skipped' });
  });
});

describe('SPF', () => {
  it('SPF is read at the sender’s domain, for the addresses of the greeting name', async () => {
    const spf = await finding('spf', {});
    expect(spf).toMatchObject({ state: 'pass' });
    expect(spf!.text).toContain('192.0.2.1 pass');
    expect(await finding('spf', { options: { outgoing: '198.51.100.9' } })).toMatchObject({ state: 'fail' });
  });

  it('SPF is read at the greeting name for the null sender', async () => {
    const spf = await finding('spf', { variables: { MAIL_FROM: '' } });
    expect(spf).toMatchObject({ state: 'fail' });
    expect(spf!.text).toMatch(/^probe\.example\.net; The domain has no SPF record/);
  });

  it('SPF is joined from the strings of a long record', async () => {
    const zones = { 'example.net': { TXT: [['v=spf1 ip4:192', '.0.2.1 -all']] } };
    expect(await finding('spf', { zones })).toMatchObject({ state: 'pass' });
  });
});

describe('block lists', () => {
  const OURS = '45.33.32.10';
  const listed = { A: ['127.0.0.2'], TXT: ['Seen sending spam'] };
  const from = (zones: Readonly<Record<string, DnsReply>>) =>
    finding('block_lists', { zones, options: { outgoing: OURS } });
  const proven = { '2.0.0.127.psbl.surriel.com': listed };

  it('block lists fail when one that is in order has our address, in its own words', async () => {
    const found = await from({ ...proven, '10.32.33.45.psbl.surriel.com': listed });
    expect(found).toMatchObject({ state: 'fail', advice: expect.stringContaining('take it off') });
    expect(found!.text).toContain(`${OURS} is on psbl`);
    expect(found!.text).toContain('Seen sending spam');
  });

  it('block lists pass when one that is in order does not', async () => {
    expect(await from(proven)).toMatchObject({
      state: 'pass',
      text: expect.stringContaining(`psbl do not have ${OURS}`),
    });
  });

  it('block lists say nothing while their test points are not right, nor of an address that is not public', async () => {
    expect(await from({ '10.32.33.45.psbl.surriel.com': listed })).toMatchObject({ state: 'skipped' });
    expect(await finding('block_lists', {})).toMatchObject({ state: 'skipped' });
  });
});

describe('a source of EGRESS_FILE', () => {
  it('a source of EGRESS_FILE is examined with its own names', async () => {
    const source = { name: 'south', address: '45.33.32.10', helo: 'south.example.net', mailFrom: 'probe@example.net' };
    const rest = { socks5: null, region: null, weight: 1, since: null, operators: null };
    const zones = { 'south.example.net': { A: ['45.33.32.10'] } };
    const world = await startCommandWorld({}, { ...healthy, ...zones });
    const env = loadEnv(world.variables);
    const outside = createOutside(env, openResolverJudge(env));
    const findings = await examineSources([{ ...source, ...rest }], outside);
    expect(findings.map(({ name, state }) => [name, state])).toEqual([
      ['source', 'pass'],
      ['source', 'fail'],
      ['source', 'fail'],
      ['block_lists', 'skipped'],
    ]);
    expect(findings[0]!.text).toBe('south, HELO name: south.example.net leads to 45.33.32.10');
  });

  it('a source of EGRESS_FILE is examined in the place of HELO_NAME and MAIL_FROM, which are then nobody’s, and each sender once', async () => {
    const rest = { address: null, socks5: null, region: null, weight: 1, since: null, operators: null };
    const sources = ['a', 'b', 'c'].map((name) => {
      return { name, helo: `${name}.example.net`, mailFrom: name === 'c' ? '' : 'probe@example.net', ...rest };
    });
    const world = await startCommandWorld({}, healthy);
    const env = loadEnv({ ...world.variables, HELO_NAME: 'nobody.invalid' });
    const options = { port25Target: null, outgoing: null, verify: null, sources, maxOpenFiles: 20_000 };
    const names = (
      await examine(env, {
        ...options,
        lookAtDomain: createDomainFactsReader(env, openResolverJudge(env), false),
        outside: createOutside(env, openResolverJudge(env)),
        checkDns: () => checkDns(env),
        dialer: nodePorts(env).dialer,
      })
    ).map(({ name }) => name);
    expect(names).not.toContain('helo');
    expect(names.filter((name) => name === 'source')).toHaveLength(9);
    expect(names.filter((name) => name === 'bounces' || name === 'mailboxes')).toEqual([
      'bounces',
      'mailboxes',
      'bounces',
    ]);
  });
});

describe('bounces', () => {
  it.each<['pass' | 'fail' | 'skipped', string, DnsReply]>([
    ['pass', 'goes to mx.example.com', healthy['example.net']!],
    ['pass', 'its own address', { A: ['192.0.2.1'] }],
    ['fail', 'null MX', { MX: [[0, '.']] }],
    ['fail', 'has an address', { MX: [[10, 'nowhere.example.net']] }],
    ['fail', 'neither mail hosts nor an address', 'nxdomain'],
    ['skipped', 'did not answer', 'servfail'],
  ])('%s when the DNS says: %s', async (state, words, zone) => {
    const bounces = await finding('bounces', { zones: { 'example.net': zone } });
    expect(bounces).toMatchObject({ state });
    expect(bounces!.text).toContain(words);
  });
});

describe('port 25', () => {
  it('port 25 is never tried at anybody who was not named, and it is said how to', async () => {
    const { findings, world } = await examined();
    expect(findings.get('port25')).toMatchObject({ state: 'skipped', text: expect.stringContaining('not tried') });
    expect(findings.get('port25')!.advice).toContain('--port25-target');
    expect(findings.get('mailboxes')!.advice).toContain('--ask-own-host');
    expect(world.smtp.connections).toHaveLength(0);
  });

  it('port 25 passes when the host that was named greets, and is left with QUIT', async () => {
    const world = await startCommandWorld({}, healthy);
    const target = { host: 'mx.example.com', port: world.smtp.port };
    const { findings } = await examined({ options: { port25Target: target } });
    expect(findings.get('port25')).toMatchObject({ state: 'pass', text: expect.stringContaining('220 mx.test ESMTP') });
    await world.smtp.until(() => world.smtp.connections[0]?.closed ?? false);
    expect(world.smtp.connections[0]!.lines).toEqual(['QUIT']);
  });

  it('port 25 fails when nothing takes the connection, and when what takes it is no mail host', async () => {
    const nobody = { host: '127.0.0.1', port: await freePort() };
    expect(await finding('port25', { options: { port25Target: nobody } })).toMatchObject({
      state: 'fail',
      // A refusal has come from there and back: the port is not closed here.
      advice: expect.stringMatching(
        /^No mail host listens there, or a firewall refuses port \d+ for every host\. .* --port25-target/,
      ),
    });
    const world = await startCommandWorld({ onConnect: () => 'HTTP/1.1 400 Bad Request' });
    const web = { host: '127.0.0.1', port: world.smtp.port };
    expect(await finding('port25', { options: { port25Target: web } })).toMatchObject({ state: 'fail' });
  });
});

describe('our own domain', () => {
  const NAMED = { MX: [[10, 'mx.example.com']], TXT: ['v=spf1 ip4:192.0.2.1 -all'] } as const;
  const signed = (days: number) => {
    return { extensions: ['STARTTLS'], tls: selfSigned({ names: ['mx.example.com'], days }) };
  };

  it('our own domain has mail hosts that encrypt, whose certificates hold, which only --ask-own-host looks at', async () => {
    const { findings } = await examined({ smtp: signed(200), asksOthers: true });
    expect(findings.get('certificates')).toMatchObject({
      state: 'pass',
      text: expect.stringMatching(/^mx\.example\.com TLSv1\.[23] until 20\d\d-\d\d-\d\d$/),
    });
    const unasked = await examined({ smtp: signed(200) });
    expect(unasked.world.smtp.connections).toEqual([]);
    for (const name of ['certificates', 'registration'] as const)
      expect(unasked.findings.get(name)).toMatchObject({
        state: 'skipped',
        advice: expect.stringContaining('--ask-own-host'),
      });
  });

  it.each<[string, SmtpScript]>([
    ['ends on', signed(5)],
    ['does not offer STARTTLS', { extensions: ['PIPELINING'] }],
  ])('our own domain fails with a mail host whose certificate or encryption %s', async (_, smtp) => {
    expect((await finding('certificates', { smtp, asksOthers: true }))!.state).toBe('fail');
  });

  it('our own domain fails with a logo that no receiver shows, by the DNS alone', async () => {
    const zones = {
      'example.net': NAMED,
      'default._bimi.example.net': { TXT: ['v=BIMI1; l=https://brand.example.net/logo.svg'] },
      '_dmarc.example.net': { TXT: ['v=DMARC1; p=none'] },
    };
    expect(await finding('bimi', { zones })).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('--check bimi'),
    });
    expect(await finding('bimi', {})).toMatchObject({ state: 'skipped', text: expect.stringContaining('needs none') });
  });

  it('our own domain is no fault where nobody answers: mail hosts, registry, DNS', async () => {
    const zones = { 'mx.example.com': 'silent', 'example.net': 'servfail' } as const;
    const { findings } = await examined({ zones, asksOthers: true });
    for (const name of ['certificates', 'registration', 'bimi'] as const)
      expect(findings.get(name)).toMatchObject({ state: 'skipped' });
    const lookAtDomain = () => Promise.reject(new Error('out of order'));
    const broken = (await examined({ options: { lookAtDomain } })).findings;
    expect(broken.get('bimi')).toMatchObject({ state: 'skipped', text: expect.stringContaining('out of order') });
  });
});

describe('npm run doctor', () => {
  it('npm run doctor ends with 0 when nothing is wrong, having asked what it was allowed to ask', async () => {
    const encrypts = { extensions: ['STARTTLS'], tls: selfSigned({ names: ['mx.example.com'], days: 200 }) };
    const world = await startCommandWorld(encrypts, healthy);
    const args = ['--port25-target', 'mx.example.com', '--ask-own-host'];
    const result = await runCommand('cli/doctor.js', args, world.variables);
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    expect(result.stdout.match(/^✓/gm)).toHaveLength(8);
    expect(world.smtp.recipients.slice(0, 1)).toEqual(['probe@example.net']);
    expect(world.smtp.recipients).toContain('postmaster@example.net');
  });

  it('npm run doctor ends with 1 when something is, also for a program', async () => {
    const postmasterless: SmtpScript = {
      extensions: ['STARTTLS'],
      tls: selfSigned({ names: ['mx.example.com'], days: 200 }),
      onLine: (line) => (/^RCPT TO:<postmaster@/i.test(line) ? '550 5.1.1 User unknown' : undefined),
    };
    const world = await startCommandWorld(postmasterless, healthy);
    const result = await runCommand('cli/doctor.js', ['--json', '--ask-own-host'], world.variables);
    expect(result).toMatchObject({ exit: 1, stderr: '' });
    const { ok, checks } = JSON.parse(result.stdout) as { ok: boolean; checks: CheckResult[] };
    expect(ok).toBe(false);
    expect(checks.filter(({ state }) => state === 'fail').map(({ name }) => name)).toEqual(['mailboxes']);
  });

  it.each([
    [['--port25-target', 'a:b:c'], 64, 'no host[:port]'],
    [['--address', 'probe.example.net'], 64, 'no IP address'],
    [['--fast'], 64, "unknown option '--fast'"],
  ])('npm run doctor refuses %j', async (args, exit, words) => {
    const result = await runCommand('cli/doctor.js', args);
    expect(result).toMatchObject({ exit, stdout: '' });
    expect(result.stderr).toContain(words);
  });
});

describe('reports of other domains', () => {
  const variables = { INBOUND_DOMAIN: 'in.example.net' };

  it('reports of other domains may come when the host of our address says so for every domain', async () => {
    const zones = { '*._report._dmarc.in.example.net': { TXT: ['v=DMARC1'] } };
    expect(await finding('reports', { zones, variables })).toMatchObject({ state: 'pass' });
    const wrong = { '*._report._dmarc.in.example.net': { TXT: ['v=spf1 -all'] } };
    expect(await finding('reports', { zones: wrong, variables })).toMatchObject({ state: 'fail' });
  });

  it('reports of other domains do not come without, which is said with the record to publish', async () => {
    expect(await finding('reports', { variables })).toMatchObject({
      state: 'fail',
      advice: 'Publish a TXT record at *._report._dmarc.in.example.net: v=DMARC1',
    });
    const silent = { '*._report._dmarc.in.example.net': 'silent' as const };
    expect(await finding('reports', { zones: silent, variables })).toMatchObject({ state: 'skipped' });
  });

  it('reports of other domains are not asked about where mail is received for this machine only', async () => {
    expect(await finding('reports', {})).toMatchObject({
      state: 'skipped',
      advice: expect.stringContaining('INBOUND_DOMAIN'),
    });
  });
});
