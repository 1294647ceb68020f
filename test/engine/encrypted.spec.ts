import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../src/lib/durations.js';
import { budgetMs, mailboxes, verdictAndReason, verbs } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { ScriptedConnection, SmtpScript } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';
const JOHN = 'john@example.com';
const TLS_MS = 10_000;
const OFFERED: SmtpScript = { extensions: ['PIPELINING', 'STARTTLS'], onLine: mailboxes('jane') };

/** Answers STARTTLS in its own way, everything else honestly. */
const atStartTls = (answer: (connection: ScriptedConnection) => string | null): SmtpScript => ({
  ...OFFERED,
  onLine: (line, connection) => (line === 'STARTTLS' ? answer(connection) : mailboxes('jane')(line, connection)),
});

const hangsUp = atStartTls((connection) => {
  connection.write('220 2.0.0 Ready\r\n');
  connection.mute();
  connection.end();
  return null;
});
/** Sends an alert: it knows no cipher that we offer. */
const refuses: SmtpScript = { ...OFFERED, tls: { maxVersion: 'TLSv1.2', ciphers: 'PSK' } };
const speaksOnInClear = atStartTls((connection) => {
  connection.write('220 2.0.0 Ready\r\n250 2.1.5 Ok\r\n');
  return null;
});

const asked = (connection: ScriptedConnection) => connection.lines.some((line) => line.startsWith('RCPT'));
const startedTls = (connection: ScriptedConnection) => connection.lines.includes('STARTTLS');

describe('a mail host that offers STARTTLS', () => {
  it('a mail host that offers STARTTLS is asked in encrypted words only, after a new EHLO', async () => {
    const inClear: string[] = [];
    const { engine, smtp } = await startMailWorld({
      smtp: {
        ...OFFERED,
        onLine: (line, connection) => {
          if (!connection.secure) inClear.push(line);
          return mailboxes('jane')(line, connection);
        },
      },
    });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(verdictAndReason(await engine.verify(JOHN, { budgetMs }))).toBe('invalid mailbox_not_found');
    expect(inClear).toEqual(smtp.connections.flatMap(() => ['EHLO probe.example.net', 'STARTTLS']));
    for (const connection of smtp.connections) expect(verbs(connection)).toMatch(/^EHLO STARTTLS EHLO MAIL RCPT/);
  });

  it('a mail host that offers STARTTLS is not believed in what somebody writes behind its 220 before the handshake', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: atStartTls((connection) => {
        // The end of a line that comes encrypted would make a reply of it.
        connection.write('220 2.0.0 Ready\r\n250-PIPELINING\r\n250 injected');
        connection.startTls();
        return null;
      }),
    });
    expect(verdictAndReason(await engine.verify(JOHN, { budgetMs }))).toBe('invalid mailbox_not_found');
    expect(verbs(smtp.connections[0]!)).toMatch(/^EHLO STARTTLS EHLO MAIL RCPT/);
  });

  it.each([
    ['hangs up in the handshake', hangsUp],
    ['refuses it by an alert', refuses],
    ['goes on in clear', speaksOnInClear],
  ])(
    'a mail host that offers STARTTLS and %s is asked on a new connection in clear, for an hour',
    async (_what, smtpScript) => {
      const clock = new ManualClock();
      const { engine, smtp } = await startMailWorld({ smtp: smtpScript, ports: timedPorts(clock) });
      expect(verdictAndReason(await engine.verify(JOHN, { budgetMs }))).toBe('invalid mailbox_not_found');
      expect(smtp.connections.map(startedTls)).toEqual([true, false]);
      expect(smtp.connections.map(asked)).toEqual([false, true]);

      clock.advance(HOUR_MS - 1);
      await engine.verify(JANE, { budgetMs });
      expect(smtp.connections.slice(2).some(startedTls)).toBe(false);
      const before = smtp.connections.length;
      clock.advance(HOUR_MS);
      await engine.verify(JANE, { budgetMs });
      expect(startedTls(smtp.connections[before]!)).toBe(true);
    },
  );

  it('a mail host that offers STARTTLS and is silent in the handshake has ten seconds for it', async () => {
    const clock = new ManualClock();
    const { engine, smtp } = await startMailWorld({
      smtp: atStartTls((connection) => {
        connection.write('220 2.0.0 Ready\r\n');
        return null;
      }),
      ports: timedPorts(clock),
    });
    const verifying = engine.verify(JOHN, { budgetMs });
    await smtp.until(() => smtp.connections.some(startedTls));
    await clock.armed(TLS_MS);
    clock.advance(TLS_MS - 1);
    expect(smtp.connections).toHaveLength(1);
    clock.advance(1);
    expect(verdictAndReason(await verifying)).toBe('invalid mailbox_not_found');
    expect(smtp.connections.map(asked)).toEqual([false, true]);
  });

  it.each([
    ['hangs up in the handshake', hangsUp],
    ['refuses it by an alert', refuses],
    ['goes on in clear', speaksOnInClear],
  ])(
    'a mail host that offers STARTTLS and %s is never asked in clear where its operator is known to encrypt',
    async (_what, smtpScript) => {
      const { engine, smtp } = await startMailWorld({
        smtp: smtpScript,
        zones: {
          'example.com': { MX: [[10, 'aspmx.l.google.com']] },
          'aspmx.l.google.com': { A: ['127.0.0.1'] },
        },
      });
      const verification = await engine.verify(JOHN, { budgetMs });
      expect(verification.verdict).toBe('unknown');
      expect(smtp.connections.some(startedTls)).toBe(true);
      expect(smtp.connections.some(asked)).toBe(false);
    },
  );
});
