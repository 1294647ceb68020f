import { describe, expect, it } from 'vitest';

import { budgetMs, localPartOf, mailboxes, numbered, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, TWO_HOSTS } from '../support/mail-world.js';
import type { ScriptedConnection, SmtpScript } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';

type Cut = 'end' | 'reset';

/** Closes instead of answering the command. */
function cutsAt(verb: string, how: Cut): SmtpScript {
  return {
    extensions: ['PIPELINING', 'STARTTLS'],
    onConnect: (connection) => (verb === '' ? cut(connection, how) : undefined),
    onLine: (line, connection) => (verb !== '' && line.startsWith(verb) ? cut(connection, how) : undefined),
  };
}

function cut(connection: ScriptedConnection, how: Cut): null {
  connection.mute();
  connection[how]();
  return null;
}

describe.each(['end', 'reset'] as const)('a server that closes by %s', (how) => {
  it.each([
    ['instead of a banner', '', 'unknown smtp_unreachable'],
    ['at EHLO', 'EHLO', 'unknown smtp_unreachable'],
    ['at MAIL', 'MAIL', 'unknown temporary_failure'],
    ['at RCPT', 'RCPT', 'unknown temporary_failure'],
  ])('%s leaves the verdict open', async (_when, verb, verdict) => {
    const { engine, smtp } = await startMailWorld({ smtp: cutsAt(verb, how) });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(verification)).toBe(verdict);
    expect(verification.retryAfterSeconds).toBeGreaterThan(0);
    expect(smtp.connections.length).toBeLessThanOrEqual(4);
  });

  it('a server that closes at each recipient but one on a connection still gets all of them answered', async () => {
    const known = numbered(12, (index) => `user${index}`);
    const { engine } = await startMailWorld({
      smtp: cutsAfter(1, how, mailboxes(...known)),
    });
    const all = await verifyAll(
      engine,
      known.map((name) => `${name}@example.com`),
    );
    expect(all.map(({ verdict }) => verdict)).toEqual(known.map(() => 'valid'));
  });

  it('a server that closes in the middle of a pipelined batch keeps the answers that came', async () => {
    const known = numbered(16, (index) => `user${index}`);
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) => {
          if (localPartOf(line) === 'user5' && connection.index === 0) {
            // What is written must have left before the cut.
            return new Promise((resolve) => setTimeout(() => resolve(cut(connection, how)), 20));
          }
          return mailboxes(...known)(line, connection);
        },
      },
    });
    const all = await verifyAll(
      engine,
      known.map((name) => `${name}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual(known.map(() => 'valid mailbox_exists'));
    expect(smtp.recipients.filter((recipient) => recipient === 'user0@example.com')).toHaveLength(1);
  });

  it('a server that closes whenever one recipient is named does not take the others with it', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) =>
          localPartOf(line) === 'poison' ? cut(connection, how) : mailboxes('a', 'b', 'c', 'd')(line, connection),
      },
    });
    const all = await verifyAll(
      engine,
      ['a', 'b', 'poison', 'c', 'd'].map((name) => `${name}@example.com`),
    );
    expect(all.map(({ verdict }) => verdict)).toEqual(['valid', 'valid', 'unknown', 'valid', 'valid']);
    expect(smtp.connections.length).toBeLessThanOrEqual(6);
  });
});

describe('two hosts', () => {
  it.each(['EHLO', 'MAIL', 'RCPT'])('two hosts of which the first closes at %s: the second is asked', async (verb) => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: cutsAt(verb, 'end') });
    await addHost('127.0.0.2', { onLine: mailboxes('jane') });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(verification)).toBe('valid mailbox_exists');
    expect(verification.evidence.mxHost).toBe('mx2.example.com');
  });

  it.each(['421', 'close'])(
    'two hosts that cannot tolerate one recipient (%s) answer for all the others',
    async (how) => {
      const script = (): SmtpScript => ({
        onLine: (line, connection) => {
          const localPart = localPartOf(line);
          if (localPart !== 'poison') return localPart === null ? undefined : '550 5.1.1 User unknown';
          if (how === '421') connection.write('421 4.3.0 Internal error\r\n');
          return cut(connection, 'end');
        },
      });
      const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: script() });
      await addHost('127.0.0.2', script());
      const addresses = ['poison@example.com', ...numbered(300, (index) => `user${index}@example.com`)];
      const [poison, ...others] = await verifyAll(engine, addresses);
      expect(poison!.verdict).toBe('unknown');
      expect(new Set(others.map(verdictAndReason))).toEqual(new Set(['invalid mailbox_not_found']));
    },
  );
});

/** Answers so many recipients on a connection and closes at the next. */
function cutsAfter(recipients: number, how: Cut, answer: NonNullable<SmtpScript['onLine']>): SmtpScript {
  const answered = new Map<ScriptedConnection, number>();
  return {
    onLine: (line, connection) => {
      if (localPartOf(line) === null) return undefined;
      const before = answered.get(connection) ?? 0;
      answered.set(connection, before + 1);
      return before < recipients ? answer(line, connection) : cut(connection, how);
    },
  };
}

describe('many addresses at a server that is no use', () => {
  const addresses = numbered(100, (index) => `user${index}@example.com`);

  it.each([
    ['greets with a refusal', { onConnect: () => '554 5.3.2 No mail here' }],
    ['greets with a refusal when it likes', { onConnect: staggered('554 5.3.2 No mail here') }],
    ['closes instead of a banner', cutsAt('', 'end')],
    ['closes at RCPT', cutsAt('RCPT', 'end')],
    ['says nonsense', { onConnect: () => 'nonsense' }],
  ] satisfies [string, SmtpScript][])(
    'many addresses at a server that is no use gets few connections: %s',
    async (_what, smtp) => {
      const world = await startMailWorld({ smtp });
      const all = await verifyAll(world.engine, addresses);
      expect(new Set(all.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
      expect(world.smtp.connections.length).toBeLessThanOrEqual(15);
    },
  );
});

/** Each connection waits until the next has come: failures never come all at once. */
function staggered(banner: string): NonNullable<SmtpScript['onConnect']> {
  let release: (banner: string) => void = () => {};
  return () => {
    release(banner);
    return new Promise((resolve) => {
      release = resolve;
      setTimeout(() => resolve(banner), 20);
    });
  };
}
