import { createHook } from 'node:async_hooks';
import type { SecureContextOptions } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { createSocketDialer } from '../../src/engine/index.js';
import { budgetMs, mailboxes, verdictAndReason, verbs } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import { startScriptedSmtpServer, type ScriptedConnection, type SmtpScript } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';
const extensions = ['PIPELINING', 'STARTTLS', 'SMTPUTF8'];
/** The row of Google says that a clear connection is of no use. */
const GOOGLE = {
  'example.com': { MX: [[5, 'aspmx.l.google.com']] },
  'aspmx.l.google.com': { A: ['127.0.0.1'] },
} as const;

/** Does so at STARTTLS, and is honest to whoever does without. */
function breaks(starttls: (connection: ScriptedConnection) => string | null): SmtpScript {
  return {
    extensions,
    onLine: (line, connection) => (line === 'STARTTLS' ? starttls(connection) : mailboxes('jane')(line, connection)),
  };
}

/** 220 in plain bytes, so that the server does not go on to TLS by itself. */
const ready = (connection: ScriptedConnection) => connection.write('220 2.0.0 Ready\r\n');

const broken: [string, SmtpScript][] = [
  [
    'it says something else than a reply',
    breaks((connection) => {
      connection.write('what?\r\n');
      return null;
    }),
  ],
  [
    'more comes after its 220',
    breaks((connection) => {
      connection.write('220 2.0.0 Ready\r\n250 Ok\r\n');
      connection.mute();
      return null;
    }),
  ],
  [
    'the handshake fails',
    breaks((connection) => {
      ready(connection);
      // Not in one packet with the 220, of which it would be a part.
      setTimeout(() => connection.write(Buffer.from([21, 3, 1, 0, 2, 2, 40])), 5);
      connection.mute();
      return null;
    }),
  ],
  [
    'the handshake is answered in clear',
    breaks((connection) => {
      ready(connection);
      setImmediate(() => connection.write('500 5.5.1 What is this?\r\n'));
      connection.mute();
      return null;
    }),
  ],
  [
    'it closes instead of a 220',
    breaks((connection) => {
      connection.end();
      connection.mute();
      return null;
    }),
  ],
  [
    'it closes after its 220',
    breaks((connection) => {
      ready(connection);
      connection.end();
      connection.mute();
      return null;
    }),
  ],
  [
    'it resets after its 220',
    breaks((connection) => {
      ready(connection);
      setImmediate(() => connection.reset());
      connection.mute();
      return null;
    }),
  ],
  [
    'it says goodbye',
    breaks((connection) => {
      connection.write('421 4.7.0 TLS broken\r\n');
      connection.end();
      connection.mute();
      return null;
    }),
  ],
  [
    'EHLO is refused inside',
    {
      extensions,
      onLine: (line, connection) =>
        connection.secure && /^(EHLO|HELO)/.test(line) ? '550 5.7.1 Go away' : mailboxes('jane')(line, connection),
    },
  ],
  [
    'it closes at EHLO inside',
    {
      extensions,
      onLine: (line, connection) => {
        if (!connection.secure || !line.startsWith('EHLO')) return mailboxes('jane')(line, connection);
        connection.end();
        return null;
      },
    },
  ],
];

describe('STARTTLS', () => {
  it('is used when it is offered, and EHLO is said again', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { extensions, onLine: mailboxes('jane') } });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
    expect(smtp.connections[0]!.secure).toBe(true);
    expect(verbs(smtp.connections[0]!)).toBe('EHLO STARTTLS EHLO MAIL RCPT RSET MAIL RCPT');
  });

  it.each<[string, SecureContextOptions]>([
    ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ['TLS 1.2 with a cipher of old', { maxVersion: 'TLSv1.2', ciphers: 'AES256-SHA' }],
    ['TLS 1.2 with Diffie-Hellman over integers', { maxVersion: 'TLSv1.2', ciphers: 'DHE', dhparam: 'auto' }],
    ['TLS 1.3', { minVersion: 'TLSv1.3' }],
    ['TLS 1.3 with ChaCha20', { minVersion: 'TLSv1.3', ciphers: 'TLS_CHACHA20_POLY1305_SHA256' }],
    ['TLS 1.3 with P-521', { minVersion: 'TLSv1.3', ecdhCurve: 'P-521' }],
  ])('is used with a host that speaks nothing but %s', async (_what, tls) => {
    const { engine, smtp } = await startMailWorld({ smtp: { extensions, tls, onLine: mailboxes('jane') } });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
    expect(smtp.connections[0]!.secure).toBe(true);
  });

  it('makes the extensions announced in clear void', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: {
        extensions,
        onLine: (line, connection) => {
          if (line.startsWith('EHLO') && connection.secure) return '250 mx.test';
          return mailboxes('jane')(line, connection);
        },
      },
    });
    expect(verdictAndReason(await engine.verify('j\u00f6rg@example.com', { budgetMs }))).toBe(
      'unknown smtputf8_unsupported',
    );
    expect(smtp.recipients).toEqual([]);
  });

  it('that is refused does not harm the connection', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: breaks(() => '454 4.7.0 TLS not available') });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
  });

  it.each(broken)('falls back to a clear connection once when %s', async (_how, script) => {
    const { engine, smtp } = await startMailWorld({ smtp: script });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(2);
    expect(verbs(smtp.connections[1]!)).not.toContain('STARTTLS');
  });

  it.each(broken)('stays unknown at an operator that requires it when %s', async (_how, script) => {
    const { engine, smtp } = await startMailWorld({ zones: GOOGLE, smtp: script });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verification.verdict).toBe('unknown');
    expect(verification.evidence.stage).toMatch(/^(starttls|ehlo)$/);
    expect(smtp.connections).toHaveLength(1);
  });

  it('that stalls is given up by the clock, even if single bytes come', async () => {
    const clock = new ManualClock();
    const { engine, smtp } = await startMailWorld({
      smtp: breaks((connection) => {
        ready(connection);
        connection.mute();
        return null;
      }),
      ports: timedPorts(clock),
    });
    const verifying = engine.verify(JANE, { budgetMs });
    await clock.armed(10_000);
    // A handshake record that never ends (RFC 8446 section 5.1).
    smtp.connections[0]!.write(Buffer.from([22, 3, 3, 64, 0]));
    for (let second = 0; second < 10; second += 1) {
      smtp.connections[0]!.write(Buffer.from([0]));
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    expect(verdictAndReason(await verifying)).toBe('valid mailbox_exists');
    await smtp.until(() => smtp.connections[0]!.closed);
    expect(smtp.connections).toHaveLength(2);
  });

  it('is not tried again for an hour at a host where it failed', async () => {
    const clock = new ManualClock();
    const [, script] = broken[2]!;
    const { engine, smtp } = await startMailWorld({ smtp: script, ports: timedPorts(clock) });
    const afresh = async () => {
      await engine.verify(JANE, { budgetMs });
      await clock.armed(5_000);
      clock.advance(5_000);
      await smtp.until(() => smtp.connections.every(({ closed }) => closed));
    };
    await afresh();
    await afresh();
    expect(smtp.connections).toHaveLength(3);
    clock.advance(60 * 60_000);
    await afresh();
    expect(smtp.connections).toHaveLength(5);
  });

  it('begins few handshakes in one turn of the event loop, so that others have theirs', async () => {
    let begun = 0;
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'TLSWRAP') begun += 1;
      },
    });
    const smtp = await startScriptedSmtpServer({ onConnect: () => null });
    const dialer = createSocketDialer();
    const connecting = Array.from({ length: 40 }, () =>
      dialer.connect({ address: smtp.host, port: smtp.port, timeoutMs: 5_000 }),
    );
    const wires = await Promise.all(connecting);
    for (const wire of wires) wire.listen({ data: () => {}, closed: () => {} });
    hook.enable();
    const handshakes = wires.map((wire) => wire.startTls('mx.example.com').catch(() => 'ended'));
    let most = 0;
    for (let before = 0; begun < wires.length; before = begun) {
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, begun - before);
    }
    hook.disable();
    await smtp.close();
    await Promise.all([...handshakes, ...wires.map((wire) => wire.close())]);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('that was asked for is given up when the connection is closed before its turn', async () => {
    const smtp = await startScriptedSmtpServer({ onConnect: () => null });
    const wire = await createSocketDialer().connect({ address: smtp.host, port: smtp.port, timeoutMs: 5_000 });
    wire.listen({ data: () => {}, closed: () => {} });
    const handshake = wire.startTls('mx.example.com');
    const closing = wire.close();
    await expect(handshake).rejects.toMatchObject({ kind: 'tls' });
    await smtp.close();
    await closing;
  });

  it('that stalls ends with the budget', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: breaks((connection) => {
        ready(connection);
        connection.mute();
        return null;
      }),
    });
    const { signal, abort } = aborting();
    const verifying = engine.verify(JANE, { budgetMs, signal });
    await smtp.until(() => smtp.connections[0]?.lines.includes('STARTTLS') ?? false);
    abort();
    expect((await verifying).verdict).toBe('unknown');
    await smtp.until(() => smtp.connections.every(({ closed }) => closed));
    expect(smtp.connections).toHaveLength(1);
  });
});

function aborting() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
}
