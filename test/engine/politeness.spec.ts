import { describe, expect, it } from 'vitest';

import { held } from '../support/held.js';
import {
  budgetMs,
  localPartOf,
  mailboxes,
  numbered,
  recipients,
  recipientsPerTransaction,
  verdictAndReason,
  verbs,
  verifyAll,
} from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { ScriptedConnection } from '../support/scripted-smtp-server.js';

const MICROSOFT = {
  'contoso.com': { MX: [[0, 'contoso-com.mail.protection.outlook.com']] },
  'contoso-com.mail.protection.outlook.com': { A: ['127.0.0.1'] },
} as const;

function refusals(connection: ScriptedConnection, known: readonly string[]): number {
  return connection.lines.filter((line) => {
    const localPart = localPartOf(line);
    return localPart !== null && !known.includes(localPart);
  }).length;
}

describe('politeness to mail hosts', () => {
  it('politeness to mail hosts names one recipient a transaction to Microsoft, and keeps the connection for the next', async () => {
    const { engine, smtp } = await startMailWorld({ zones: MICROSOFT, smtp: { onLine: mailboxes('jane', 'john') } });
    const all = await verifyAll(engine, ['jane@contoso.com', 'nobody@contoso.com', 'john@contoso.com']);
    expect(all.map(verdictAndReason)).toEqual([
      'valid mailbox_exists',
      'invalid mailbox_not_found',
      'valid mailbox_exists',
    ]);
    expect(all[0]!.provider).toBe('Microsoft 365');
    expect(smtp.connections).toHaveLength(1);
    expect(new Set(recipientsPerTransaction(smtp.connections[0]!))).toEqual(new Set([1]));
  });

  it('politeness to mail hosts names several recipients in a transaction where the operator has no rule against it', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('a', 'b', 'c') } });
    await verifyAll(engine, ['a@example.com', 'b@example.com', 'c@example.com']);
    expect(recipientsPerTransaction(smtp.connections[0]!)[0]).toBe(3);
    expect(smtp.connections).toHaveLength(1);
  });

  it('politeness to mail hosts stays within ten recipients a transaction', async () => {
    const known = numbered(40, (index) => `user${index}`);
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes(...known) } });
    const all = await verifyAll(
      engine,
      known.map((name) => `${name}@example.com`),
    );
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['valid mailbox_exists']));
    for (const connection of smtp.connections) {
      expect(Math.max(...recipientsPerTransaction(connection))).toBeLessThanOrEqual(10);
    }
  });

  it('politeness to mail hosts takes at most 8 refusals on a connection, then a fresh one', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes() } });
    const all = await verifyAll(
      engine,
      numbered(50, (index) => `nobody${index}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(numbered(50, () => 'invalid mailbox_not_found'));
    for (const connection of smtp.connections) expect(refusals(connection, [])).toBeLessThanOrEqual(8);
    expect(smtp.connections.length).toBeGreaterThanOrEqual(7);
    expect(smtp.connections.length).toBeLessThanOrEqual(10);
  });

  it('politeness to mail hosts counts refusals of a command-by-command server in the same way', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes(), extensions: [] } });
    await verifyAll(
      engine,
      numbered(20, (index) => `nobody${index}@example.com`),
    );
    for (const connection of smtp.connections) expect(refusals(connection, [])).toBeLessThanOrEqual(8);
  });

  it('politeness to mail hosts waits for each reply where PIPELINING is not offered', async () => {
    let unanswered = 0;
    const { engine, smtp } = await startMailWorld({
      smtp: {
        extensions: ['8BITMIME'],
        onLine: async (line) => {
          unanswered += 1;
          expect(unanswered).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          unanswered -= 1;
          return mailboxes('jane', 'john')(line, smtp.connections[0]!);
        },
      },
    });
    const all = await verifyAll(engine, ['jane@example.com', 'nobody@example.com', 'john@example.com']);
    expect(all.map(verdictAndReason)).toEqual([
      'valid mailbox_exists',
      'invalid mailbox_not_found',
      'valid mailbox_exists',
    ]);
  });

  /** Verifies 50 that do not exist, which takes a fresh connection after every eight. @param pauseMs by which each recipient is answered later */
  async function acquisitionsFor(domain: string, pauseMs: number) {
    const clock = new ManualClock();
    const { connectionLimiter } = timedPorts(clock);
    let acquisitions = 0;
    const counting: typeof connectionLimiter = {
      acquire: (...request) => {
        acquisitions += 1;
        return connectionLimiter.acquire(...request);
      },
    };
    const { engine, smtp } = await startMailWorld({
      ...(domain === 'contoso.com' && { zones: MICROSOFT }),
      smtp: {
        onLine: (line, connection) => {
          if (localPartOf(line) !== null) clock.advance(pauseMs);
          return mailboxes()(line, connection);
        },
      },
      ports: { clock, connectionLimiter: counting },
    });
    await verifyAll(
      engine,
      numbered(50, (index) => `nobody${index}@${domain}`),
    );
    return { acquisitions, connections: smtp.connections.length };
  }

  it('politeness to mail hosts goes on to a fresh connection with the same permit, for half a second', async () => {
    const quick = await acquisitionsFor('example.com', 0);
    // 50 in the queue are worth two connections at once.
    expect(quick.acquisitions).toBe(2);
    expect(quick.connections).toBeGreaterThanOrEqual(7);
    const slow = await acquisitionsFor('example.com', 500);
    expect(slow.acquisitions).toBe(slow.connections);
  });

  it('politeness to mail hosts acquires a permit for each connection where connections a minute are counted', async () => {
    const { acquisitions, connections } = await acquisitionsFor('contoso.com', 0);
    expect(connections).toBeGreaterThanOrEqual(7);
    expect(acquisitions).toBe(connections);
  });

  it('politeness to mail hosts ends its connections with QUIT', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    await engine.verify('jane@example.com', { budgetMs });
    engine.close();
    await smtp.until(() => smtp.connections[0]!.closed);
    expect(verbs(smtp.connections[0]!)).toBe('EHLO MAIL RCPT RSET MAIL RCPT QUIT');
  });

  it('politeness to mail hosts opens no more connections at once than the operator tolerates', async () => {
    const banner = held<undefined>();
    const { engine, smtp } = await startMailWorld({
      zones: MICROSOFT,
      smtp: { onConnect: () => banner.promise, onLine: mailboxes() },
    });
    const many = verifyAll(
      engine,
      numbered(200, (index) => `nobody${index}@contoso.com`),
    );
    await smtp.until(() => smtp.connections.length === 2);
    // A third would have come by the time that other questions are asked and answered.
    for (let other = 0; other < 5; other += 1) await engine.verify(`jane@other${other}.com`, { budgetMs });
    expect(smtp.connections).toHaveLength(2);
    banner.resolve(undefined);
    expect((await many).map(verdictAndReason)).toEqual(numbered(200, () => 'invalid mailbox_not_found'));
  });

  it('politeness to mail hosts asks about a recipient again, alone, when the server has had enough of several in a transaction', async () => {
    let inTransaction = 0;
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line) => {
          if (line.startsWith('MAIL')) inTransaction = 0;
          if (!line.startsWith('RCPT')) return undefined;
          inTransaction += 1;
          if (inTransaction > 2) return '452 4.5.3 Too many recipients';
          return localPartOf(line)!.startsWith('user') ? undefined : '550 5.1.1 User unknown';
        },
      },
    });
    const all = await verifyAll(
      engine,
      numbered(6, (index) => `user${index}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(numbered(6, () => 'valid mailbox_exists'));
    expect(smtp.connections.length).toBeLessThanOrEqual(2);
  });

  it('politeness to mail hosts asks about a recipient on a fresh connection when the server has had enough of several on one', async () => {
    const named = new Map<unknown, number>();
    const { engine, smtp } = await startMailWorld({
      smtp: recipients((localPart, connection) => {
        const before = named.get(connection) ?? 0;
        named.set(connection, before + 1);
        if (before >= 4) return '452 4.5.3 Too many recipients';
        return localPart.startsWith('user') ? undefined : '550 5.1.1 User unknown';
      }),
    });
    const all = await verifyAll(
      engine,
      numbered(6, (index) => `user${index}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(numbered(6, () => 'valid mailbox_exists'));
    expect(smtp.connections.length).toBeLessThanOrEqual(4);
  });

  it('politeness to mail hosts believes a server that has too many recipients on each fresh connection, and asks it no more', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: recipients((localPart) => (localPart === 'first' ? undefined : '452 4.5.3 Too many recipients')),
    });
    const all = await verifyAll(engine, ['first@example.com', 'jane@example.com']);
    expect(verdictAndReason(all[1]!)).toBe('unknown rate_limited');
    expect(smtp.recipients.filter((recipient) => recipient === 'jane@example.com').length).toBeLessThanOrEqual(4);
  });

  it('politeness to mail hosts goes on with one connection at a host that takes only one, and does not storm it', async () => {
    let open = 0;
    const known = numbered(120, (index) => `user${index}`);
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onConnect: (connection) => {
          open += 1;
          if (open === 1) return undefined;
          open -= 1;
          connection.mute();
          connection.write('421 4.7.0 Too many connections\r\n');
          connection.end();
          return null;
        },
        onLine: (line, connection) => {
          if (line === 'QUIT') open -= 1;
          return new Promise((resolve) => setImmediate(() => resolve(mailboxes(...known)(line, connection))));
        },
      },
    });
    const all = await verifyAll(
      engine,
      known.map((name) => `${name}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
    expect(smtp.connections.length).toBeLessThanOrEqual(12);
  });
});
