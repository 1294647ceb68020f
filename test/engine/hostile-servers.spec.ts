import { describe, expect, it } from 'vitest';

import {
  budgetMs,
  localPartOf,
  mailboxes,
  numbered,
  recipients,
  verdictAndReason,
  verifyAll,
} from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { ScriptedConnection, SmtpScript } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';

async function world(smtp: SmtpScript) {
  const clock = new ManualClock();
  return { clock, ...(await startMailWorld({ smtp, ports: timedPorts(clock) })) };
}

/** Writes so as long as the peer reads. */
function flood(connection: ScriptedConnection, bytes: string): null {
  const write = () => {
    if (connection.closed) return;
    connection.write(bytes);
    setImmediate(write);
  };
  write();
  return null;
}

describe('slow servers', () => {
  it('slow servers waits 30 seconds for a banner that is held back', async () => {
    const release: ((banner: undefined) => void)[] = [];
    const { engine, clock } = await world({
      onConnect: () => new Promise((resolve) => release.push(resolve)),
      onLine: mailboxes('jane'),
    });
    const verifying = engine.verify(JANE, { budgetMs });
    await clock.armed(35_000);
    clock.advance(30_000);
    release[0]!(undefined);
    expect(verdictAndReason(await verifying)).toBe('valid mailbox_exists');
  });

  it('slow servers waits 30 seconds for the answer to a recipient', async () => {
    const { engine, clock } = await world({
      onLine: async (line, connection) => {
        if (localPartOf(line) !== null) {
          await clock.armed(35_000);
          clock.advance(30_000);
        }
        return mailboxes('jane')(line, connection);
      },
    });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
  });

  it.each([
    ['a banner that never comes', { onConnect: () => null }],
    ['no answer to EHLO', { onLine: (line) => (line.startsWith('EHLO') ? null : undefined) }],
    ['no answer to MAIL', { onLine: (line) => (line.startsWith('MAIL') ? null : undefined) }],
    ['no answer to RCPT', { onLine: (line) => (line.startsWith('RCPT') ? null : undefined) }],
  ] satisfies [string, SmtpScript][])('slow servers gives up after a bounded time: %s', async (_what, smtp) => {
    const { engine, clock, smtp: server } = await world(smtp);
    const verifying = engine.verify(JANE, { budgetMs });
    let verdict: string | null = null;
    void verifying.then((verification) => (verdict = verdictAndReason(verification)));
    for (let tries = 0; tries < 5 && verdict === null; tries += 1) {
      await Promise.race([clock.armed(35_000), verifying]);
      if (verdict === null) clock.advance(35_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(verdictAndReason(await verifying)).toBe('unknown smtp_timeout');
    expect(server.connections.length).toBeLessThanOrEqual(3);
    await server.until(() => server.connections.every(({ closed }) => closed));
  });

  it('slow servers earns no time by dribbling a banner byte by byte', async () => {
    const { engine, clock, smtp } = await world({ onConnect: () => null });
    const verifying = engine.verify(JANE, { budgetMs });
    await clock.armed(35_000);
    for (let byte = 0; byte < 40; byte += 1) {
      smtp.connections[0]!.write('2');
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    expect(verdictAndReason(await verifying)).toBe('unknown smtp_timeout');
  });

  it('slow servers reads a reply that comes byte by byte in time', async () => {
    const dribble = (text: string, connection: ScriptedConnection) =>
      new Promise<null>((resolve) => {
        const bytes = `${text}\r\n`.split('');
        const next = () => {
          const byte = bytes.shift();
          if (byte === undefined) return resolve(null);
          connection.write(byte);
          setImmediate(next);
        };
        next();
      });
    const { engine } = await world(
      recipients((localPart, connection) =>
        dribble(localPart === 'jane' ? '250-2.1.5 Yes\r\n250 2.1.5 indeed' : '550 5.1.1 User unknown', connection),
      ),
    );
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
  });

  it('slow servers closes the connection to a tarpit that answers each command just before its time is up', async () => {
    const { engine, clock, smtp } = await world({
      extensions: [],
      onLine: async (line, connection) => {
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(34_000);
        return mailboxes()(line, connection);
      },
    });
    const all = await verifyAll(
      engine,
      numbered(6, (index) => `nobody${index}@example.com`),
    );
    expect(all.every(({ verdict }) => verdict === 'invalid' || verdict === 'unknown')).toBe(true);
    for (const { lines } of smtp.connections) expect(lines.length).toBeLessThanOrEqual(9);
  });
});

describe('servers that say what they should not', () => {
  const protocol: [string, SmtpScript][] = [
    ['an endless line', { onConnect: (connection) => flood(connection, '220'.repeat(1_000)) }],
    ['an endless multi-line reply', { onConnect: (connection) => flood(connection, '220-more\r\n'.repeat(10)) }],
    ['a flood of replies', { onConnect: (connection) => flood(connection, '220 hello\r\n'.repeat(10)) }],
    ['a greeting that is no reply', { onConnect: () => 'SSH-2.0-OpenSSH_9.6' }],
    ['a greeting in HTTP', { onConnect: () => 'HTTP/1.1 400 Bad Request' }],
    ['a code that changes within a reply', { onConnect: () => '220-a\r\n250 b' }],
    ['binary noise', { onConnect: (c) => (c.write(Buffer.from([0xff, 0xfe, 0, 10, 13, 10])), null) }],
    ['two greetings', { onConnect: () => '220 one\r\n220 two' }],
    [
      'an answer before the question',
      {
        onLine: (line) => (line.startsWith('EHLO') ? '250 mx.test\r\n250 2.1.0 Ok\r\n250 2.1.5 Ok' : undefined),
      },
    ],
    ['a flood after a recipient', recipients((_localPart, connection) => flood(connection, '250 ok\r\n'.repeat(10)))],
    ['a code of 1xx', { onConnect: () => '150 wait' }],
    ['a code of 6xx', recipients(() => '650 5.1.1 User unknown')],
  ];

  it.each(protocol)(
    'servers that say what they should not ends in an unknown and a closed connection: %s',
    async (_what, script) => {
      const { engine, smtp } = await world(script);
      const verification = await engine.verify(JANE, { budgetMs });
      expect(verdictAndReason(verification)).toBe('unknown smtp_protocol_error');
      engine.close();
      await smtp.until(() => smtp.connections.every(({ closed }) => closed));
      expect(smtp.connections.length).toBeLessThanOrEqual(3);
    },
  );

  it('servers that say what they should not does not believe an acceptance that came before the question', async () => {
    const { engine } = await world({
      onLine: (line) => (line.startsWith('MAIL') ? '250 2.1.0 Ok\r\n250 2.1.5 Ok\r\n250 2.1.5 Ok' : undefined),
    });
    expect((await engine.verify(JANE, { budgetMs })).verdict).toBe('unknown');
  });

  it('servers that say what they should not reads eight-bit texts, long texts and many lines, and keeps 512 printable bytes of them', async () => {
    const texts: Record<string, string> = {
      latin: '550 5.1.1 Bo\u00eete inconnue \u0007\u202e',
      long: `550 5.1.1 User unknown ${'x'.repeat(1_900)}`,
      lines: `${'550-5.1.1 User unknown\r\n'.repeat(60)}550 5.1.1 User unknown`,
    };
    const { engine } = await world(recipients((localPart) => texts[localPart]));
    for (const localPart of Object.keys(texts)) {
      const { verdict, evidence } = await engine.verify(`${localPart}@example.com`, { budgetMs });
      expect(verdict).toBe('invalid');
      expect(Buffer.byteLength(evidence.text!)).toBeLessThanOrEqual(512);
      expect(evidence.text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});
