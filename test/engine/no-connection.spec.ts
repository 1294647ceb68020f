import { describe, expect, it } from 'vitest';

import { budgetMs, mailboxes, numbered, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

describe('who is never connected to', () => {
  it('who is never connected to does not connect anywhere for a null MX, not even to this machine', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'null.com': { MX: [[0, '.']], A: ['127.0.0.1'] }, 'empty.com': { MX: [[0, '']], A: ['127.0.0.1'] } },
    });
    for (const domain of ['null.com', 'empty.com']) {
      const verification = await engine.verify(`jane@${domain}`, { budgetMs });
      expect(verdictAndReason(verification)).toBe('invalid null_mx');
      expect(verification.evidence).toMatchObject({ stage: 'dns', code: null });
    }
    expect(smtp.connections).toHaveLength(0);
  });

  it.each([
    ['a loopback address', { 'mx.evil.com': { A: ['127.0.0.1'] } }],
    ['an IPv4-mapped IPv6 address', { 'mx.evil.com': { AAAA: ['::ffff:127.0.0.1'] } }],
    ['IPv6 loopback', { 'mx.evil.com': { AAAA: ['::1'] } }],
    ['the unspecified address', { 'mx.evil.com': { A: ['0.0.0.0'], AAAA: ['::'] } }],
    [
      'an alias of a loopback address',
      { 'mx.evil.com': { CNAME: 'in.evil.com' }, 'in.evil.com': { A: ['127.0.0.1'] } },
    ],
    ['an address for a host name', { 'evil.com': { MX: [[0, '127.0.0.1']] } }],
    ['localhost', { 'evil.com': { MX: [[0, 'localhost']] } }],
    ['localhost by alias', { 'mx.evil.com': { CNAME: 'localhost' }, localhost: { A: ['127.0.0.1'] } }],
    ['a private network', { 'mx.evil.com': { A: ['10.0.0.1', '192.168.1.1', '172.16.0.1', '169.254.169.254'] } }],
    ['itself without MX', { 'evil.com': { A: ['127.0.0.1'] } }],
  ] as const)('who is never connected to does not connect to %s', async (_what, zones) => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'evil.com': { MX: [[0, 'mx.evil.com']] }, ...zones } as never,
      engine: { mxAllowedNetworks: [] },
    });
    const verification = await engine.verify('jane@evil.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('invalid unroutable_mail_server');
    expect(verification.checks.mx).toBe('fail');
    expect(smtp.connections).toHaveLength(0);
  });

  it.each(['localhost', 'localhost.', 'LocalHost', 'mx.localhost'])(
    'who is never connected to does not connect to a mail host named %s although the operator allows loopback addresses',
    async (host) => {
      const { engine, dns, smtp } = await startMailWorld({
        zones: {
          'evil.com': { MX: [[0, host]] },
          localhost: { A: ['127.0.0.1'] },
          'mx.localhost': { A: ['127.0.0.1'] },
        },
        smtp: { onLine: mailboxes('jane') },
        engine: { mxAllowedNetworks: ['127.0.0.0/8', '::1/128'] },
      });
      const verification = await engine.verify('jane@evil.com', { budgetMs });
      expect(verdictAndReason(verification)).toBe('invalid unroutable_mail_server');
      expect(dns.questions.map(({ name }) => name)).toEqual(['evil.com']);
      expect(smtp.connections).toHaveLength(0);
    },
  );

  it('who is never connected to goes on to the next mail host when the first is named localhost', async () => {
    const { engine } = await startMailWorld({
      zones: {
        'example.com': {
          MX: [
            [0, 'localhost'],
            [10, 'mx.example.com'],
          ],
        },
      },
      smtp: { onLine: mailboxes('jane') },
    });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
  });

  it('who is never connected to does not connect to an address literal that is not public', async () => {
    const { engine, smtp } = await startMailWorld({ engine: { mxAllowedNetworks: [] } });
    for (const literal of ['[127.0.0.1]', '[IPv6:::1]', '[IPv6:::ffff:127.0.0.1]']) {
      expect(verdictAndReason(await engine.verify(`jane@${literal}`, { budgetMs }))).toBe(
        'invalid unroutable_mail_server',
      );
    }
    expect(smtp.connections).toHaveLength(0);
  });

  it('who is never connected to connects to the public address of a host only, when it has private ones too', async () => {
    const { engine, smtp, addHost } = await startMailWorld({
      zones: { 'mx.example.com': { A: ['127.0.0.1', '127.0.7.1'] } },
      engine: { mxAllowedNetworks: ['127.0.7.0/24'] },
    });
    const allowed = await addHost('127.0.7.1', { onLine: mailboxes('jane') });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('valid mailbox_exists');
    expect([smtp.connections.length, allowed.connections.length]).toEqual([0, 1]);
  });

  it('who is never connected to does not connect to operators that accept every name at first', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: {
        'yahoo.com': { MX: [[1, 'mta5.am0.yahoodns.net']] },
        'mta5.am0.yahoodns.net': { A: ['127.0.0.1'] },
        'shop.com': { MX: [[1, 'mta7.am0.yahoodns.net']] },
        'mta7.am0.yahoodns.net': { A: ['127.0.0.1'] },
      },
    });
    for (const domain of ['yahoo.com', 'shop.com']) {
      const verification = await engine.verify(`jane@${domain}`, { budgetMs });
      expect(verdictAndReason(verification)).toBe('unknown provider_hides_mailboxes');
      expect(verification).toMatchObject({ provider: 'Yahoo', retryAfterSeconds: null });
      expect(verification.checks).toMatchObject({ mx: 'pass', smtp: 'skipped', catchAll: null });
    }
    expect(smtp.connections).toHaveLength(0);
  });

  it('who is never connected to asks no server about malformed addresses, or about names that never resolve', async () => {
    const { engine, dns, smtp } = await startMailWorld();
    expect(verdictAndReason(await engine.verify('jane', { budgetMs }))).toBe('invalid invalid_syntax');
    expect(verdictAndReason(await engine.verify('jane@box.invalid', { budgetMs }))).toBe('invalid domain_not_found');
    expect(dns.questions).toHaveLength(0);
    expect(smtp.connections).toHaveLength(0);
  });
});

describe('what is inside an address', () => {
  const hostile = [
    'jane\r\nRSET@example.com',
    'jane@example.com\r\nDATA',
    'jane@example.com\nMAIL FROM:<x@y.z>',
    'ja\0ne@example.com',
    '"jane\r\nQUIT"@example.com',
    '"jane\\\nQUIT"@example.com',
    'jane@exam\rple.com',
    'jane@example.com\u2028QUIT',
    'jane>@example.com',
    'jane@example.com> SMTPUTF8',
    'jane%0d%0aQUIT@example.com\r',
    '\u0085jane@exa\u0085mple.com',
  ];

  it('what is inside an address never lets CR, LF or NUL reach a server', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    const all = await verifyAll(engine, [...hostile, 'jane@example.com']);
    expect(verdictAndReason(all.at(-1)!)).toBe('valid mailbox_exists');
    const lines = smtp.connections.flatMap((connection) => connection.lines);
    const allowed =
      /^(EHLO probe\.example\.net|RSET|QUIT|MAIL FROM:<probe@example\.net>|RCPT TO:<[^<>\s]+@example\.com>)$/;
    expect(lines.filter((line) => !allowed.test(line))).toEqual([]);
  });

  it('what is inside an address keeps a quoted local part with brackets inside its command', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes() } });
    await engine.verify('"a> b<c@d"@example.com', { budgetMs });
    expect(smtp.connections[0]!.lines).toContain('RCPT TO:<"a> b<c@d"@example.com>');
  });

  it('what is inside an address survives every single byte in a local part', async () => {
    const { engine } = await startMailWorld({ smtp: { onLine: mailboxes() } });
    const all = await verifyAll(
      engine,
      numbered(256, (code) => `a${String.fromCharCode(code)}b@example.com`),
    );
    expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(['invalid']));
  });
});
