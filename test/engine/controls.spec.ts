import { describe, expect, it } from 'vitest';

import { HOUR_MS } from '../../src/lib/durations.js';
import type { Verification } from '../../src/engine/types.js';
import type { DnsReply } from '../support/dns-server.js';
import type { ScriptedConnection, SmtpScript } from '../support/scripted-smtp-server.js';
import { budgetMs, localPartOf, numbered, recipients, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld, TWO_HOSTS } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const NOBODY = 'nobody@example.com';

const HOSTED = Object.fromEntries(
  ['example.com', 'example.org', 'example.net'].map((domain) => [domain, { MX: [[10, 'mx.example.com']] }]),
) as Record<string, DnsReply>;

/** Lets postmaster in, as Exim's shipped configuration does, and answers the others as `answer` says. */
function exemptingPostmaster(answer: Parameters<typeof recipients>[0]): SmtpScript {
  return recipients((localPart, connection) =>
    localPart === 'postmaster' ? undefined : answer(localPart, connection),
  );
}

const TWO = ['jane@example.com', 'joe@example.com'];

const isOneOfTwo = (localPart: string) => ['jane', 'joe'].includes(localPart);
const rejectingOthers = (localPart: string) => (isOneOfTwo(localPart) ? undefined : '550 Rejected');

function settledBy({ evidence: { witness } }: Verification): string | null {
  return witness;
}

describe('a refusal that gives no reason', () => {
  it('a refusal that gives no reason is about us where everybody but postmaster gets it', async () => {
    for (const words of ['550 Rejected', '554 5.7.1 Blocked', '554 Transaction failed', '550 No']) {
      const { engine } = await startMailWorld({ smtp: exemptingPostmaster(() => words) });
      const verification = await engine.verify(NOBODY, { budgetMs });
      expect([verdictAndReason(verification), settledBy(verification)]).toEqual(['unknown ambiguous_refusal', null]);
      const all = await verifyAll(
        engine,
        numbered(5, (index) => `nobody${index}@example.com`),
      );
      expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ambiguous_refusal']));
    }
  });

  it('a refusal that gives no reason is about us where postmaster is refused as well, whoever was accepted before', async () => {
    let isBlocking = false;
    const { engine } = await startMailWorld({ smtp: recipients(() => (isBlocking ? '550 Rejected' : undefined)) });
    await engine.verify('jane@example.com', { budgetMs });
    isBlocking = true;
    const verification = await engine.verify(NOBODY, { budgetMs });
    expect([verdictAndReason(verification), settledBy(verification)]).toEqual([
      'unknown ambiguous_refusal',
      'postmaster',
    ]);
  });

  it('a refusal that gives no reason means no such mailbox where two other names are accepted before and again', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: exemptingPostmaster(rejectingOthers) });
    await verifyAll(engine, TWO);
    const verification = await engine.verify(NOBODY, { budgetMs });
    expect([verdictAndReason(verification), settledBy(verification)]).toEqual([
      'invalid mailbox_not_found',
      'accepted_name',
    ]);
    expect(verification).toMatchObject({ score: 6, confidence: 0.85, evidence: { code: 550 } });
    const askedOfTwo = () => smtp.recipients.filter((recipient) => TWO.includes(recipient));
    expect(askedOfTwo()).toHaveLength(4);
    await engine.verify('nemo@example.com', { budgetMs });
    expect(askedOfTwo()).toHaveLength(4);
  });

  it('a refusal that gives no reason is about us where the names that were accepted before are refused now', async () => {
    let isBlocking = false;
    const { engine } = await startMailWorld({
      smtp: exemptingPostmaster(() => (isBlocking ? '550 Rejected' : undefined)),
    });
    await verifyAll(engine, TWO);
    isBlocking = true;
    expect(verdictAndReason(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a refusal that gives no reason is not held against names that were accepted more than an hour ago', async () => {
    const clock = new ManualClock();
    const { engine } = await startMailWorld({
      smtp: exemptingPostmaster(rejectingOthers),
      ports: timedPorts(clock),
    });
    await verifyAll(engine, TWO);
    clock.advance(HOUR_MS);
    expect(verdictAndReason(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a refusal that gives no reason says nothing of the mailbox where a made-up name gets another answer, also beside accepted names', async () => {
    for (const madeUp of [
      '550 5.1.1 User unknown',
      '550 Unrouteable address',
      '550 Blocked',
      '451 4.3.0 Later',
      undefined,
    ]) {
      const { engine } = await startMailWorld({
        smtp: exemptingPostmaster((localPart) =>
          isOneOfTwo(localPart) ? undefined : localPart === 'nobody' ? '550 Rejected' : madeUp,
        ),
      });
      await verifyAll(engine, TWO);
      const verification = await engine.verify(NOBODY, { budgetMs });
      expect([verdictAndReason(verification), settledBy(verification)]).toEqual([
        'unknown ambiguous_refusal',
        'made_up_name',
      ]);
    }
  });

  it('a refusal that gives no reason is the same for each name whatever address, session or time it holds', async () => {
    let session = 1_000;
    const { engine } = await startMailWorld({
      smtp: exemptingPostmaster((localPart) =>
        isOneOfTwo(localPart) ? undefined : `554 ${localPart.toUpperCase()}@EXAMPLE.COM no [id ${(session += 7)}.qk]`,
      ),
    });
    await verifyAll(engine, TWO);
    expect(settledBy(await engine.verify(NOBODY, { budgetMs }))).toBe('accepted_name');
  });

  it('a refusal that gives no reason is not mixed up by a server that lifts its block when postmaster is named', async () => {
    const lifted = new WeakSet<ScriptedConnection>();
    const { engine } = await startMailWorld({
      smtp: recipients((localPart, connection) => {
        if (localPart === 'postmaster') lifted.add(connection);
        return lifted.has(connection) ? undefined : '550 Rejected';
      }),
    });
    const all = await verifyAll(engine, ['jane@example.com', 'joe@example.com']);
    expect(all.map(verdictAndReason)).toEqual(['unknown ambiguous_refusal', 'unknown ambiguous_refusal']);
    expect(verdictAndReason(await engine.verify('jim@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a refusal that gives no reason means no such mailbox, with less certainty, where its words speak of the recipient and of nothing else', async () => {
    for (const words of ['550 <nobody@example.com>: rejected', '550 5.0.0 Recipient refused']) {
      const { engine } = await startMailWorld({ smtp: exemptingPostmaster(() => words) });
      const verification = await engine.verify(NOBODY, { budgetMs });
      expect([verdictAndReason(verification), settledBy(verification)], words).toEqual([
        'invalid mailbox_not_found',
        'reply_text',
      ]);
      expect(verification).toMatchObject({ score: 9, confidence: 0.7 });
    }
  });

  it('a refusal that gives no reason is about us where its words speak of more than the recipient', async () => {
    for (const [words, reason] of [
      ['550 5.7.1 <nobody@example.com>: Recipient address rejected: Rejected', 'ambiguous_refusal'],
      ['550 <nobody@example.com>: Recipient address rejected: Access denied', 'ambiguous_refusal'],
      ['550 Recipient rejected by rule 7 for your host', 'policy_rejected'],
      ['550 Mailbox rejected by our rules', 'policy_rejected'],
    ] as const) {
      const { engine } = await startMailWorld({ smtp: exemptingPostmaster(() => words) });
      expect(verdictAndReason(await engine.verify(NOBODY, { budgetMs })), words).toBe(`unknown ${reason}`);
    }
  });

  it('a refusal that gives no reason is about us where names of unrelated domains get the same words from the same hosts', async () => {
    const { engine } = await startMailWorld({
      zones: HOSTED,
      smtp: exemptingPostmaster((localPart) => `550 <${localPart}>: recipient rejected`),
    });
    const all = await verifyAll(engine, ['nobody@example.com', 'nemo@example.org']);
    expect(all.map(verdictAndReason)).toEqual(['unknown ambiguous_refusal', 'unknown ambiguous_refusal']);
    expect(all.map(settledBy)).toEqual(['unrelated_domains', 'unrelated_domains']);
  });

  it('a refusal that gives no reason is held against names of the same domain only, because hosts that serve many have rules for each', async () => {
    const { engine } = await startMailWorld({
      zones: HOSTED,
      smtp: exemptingPostmaster(rejectingOthers),
    });
    await verifyAll(engine, ['jane@example.org', 'joe@example.org', 'jane@example.com']);
    expect(verdictAndReason(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
    await engine.verify('joe@example.com', { budgetMs });
    expect(settledBy(await engine.verify(NOBODY, { budgetMs }))).toBe('accepted_name');
  });

  it('a refusal that gives no reason is not settled where postmaster gets no clear answer', async () => {
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) => {
        if (localPart === 'postmaster') return '451 4.3.0 Later';
        return isOneOfTwo(localPart) ? undefined : `550 <${localPart}@example.com>: rejected`;
      }),
    });
    await verifyAll(engine, TWO);
    const verification = await engine.verify(NOBODY, { budgetMs });
    expect([verdictAndReason(verification), settledBy(verification)]).toEqual(['unknown ambiguous_refusal', null]);
  });

  it('a refusal that gives no reason is settled in a list when the host has answered the rest', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: exemptingPostmaster(rejectingOthers) });
    const names = [...numbered(3, (index) => `nobody${index}`), 'jane', 'joe'];
    const all = await verifyAll(
      engine,
      names.map((name) => `${name}@example.com`),
    );
    expect(all.map(verdictAndReason)).toEqual([
      ...Array<string>(3).fill('invalid mailbox_not_found'),
      ...Array<string>(2).fill('valid mailbox_exists'),
    ]);
    expect(all.map(settledBy)).toEqual([...Array<string>(3).fill('accepted_name'), null, null]);
    const asked = smtp.recipients.map((recipient) => recipient.split('@')[0]);
    expect(asked.slice(0, 5)).toEqual(names);
  });

  it('a refusal that gives no reason is held against one set of controls for all addresses of the domain', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: exemptingPostmaster(() => '550 Rejected') });
    const all = await verifyAll(
      engine,
      numbered(250, (index) => `nobody${index}@example.com`),
    );
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['unknown ambiguous_refusal']));
    expect(smtp.recipients).toHaveLength(252);
  });
});

describe('a denial of relaying', () => {
  const DENIED = '554 5.7.1 Relay access denied';
  it('a denial of relaying by every mail host, for postmaster too, means that nobody serves the domain', async () => {
    const { engine, smtp, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: recipients(() => DENIED) });
    const backup = await addHost(
      '127.0.0.2',
      recipients(() => DENIED),
    );
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('invalid domain_not_served');
    expect(smtp.recipients).toEqual(['jane@example.com', 'postmaster@example.com']);
    expect(backup.recipients).toEqual(['postmaster@example.com']);
  });

  it('a denial of relaying by one of two says nothing of the address', async () => {
    const { engine, addHost } = await startMailWorld({ zones: TWO_HOSTS, smtp: recipients(() => DENIED) });
    await addHost('127.0.0.2');
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a denial of relaying by one while the other is down says nothing either', async () => {
    const { engine } = await startMailWorld({ zones: TWO_HOSTS, smtp: recipients(() => DENIED) });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a denial of relaying of the address while postmaster is taken says nothing of the domain', async () => {
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) => (localPart === 'postmaster' ? undefined : DENIED)),
    });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('a denial of relaying is found out once for a domain, with a cap of one connection too', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'shop.com': { MX: [[10, 'smtp-in.orange.fr']] }, 'smtp-in.orange.fr': { A: ['127.0.0.1'] } },
      smtp: recipients(() => DENIED),
    });
    const all = await verifyAll(
      engine,
      numbered(5, (index) => `user${index}@shop.com`),
    );
    expect(new Set(all.map(verdictAndReason))).toEqual(new Set(['invalid domain_not_served']));
    expect(smtp.recipients.filter((recipient) => recipient.startsWith('postmaster'))).toHaveLength(1);
  });
});

describe('a temporary "no such user"', () => {
  it('a temporary "no such user" is believed when it comes again an hour later, with less confidence', async () => {
    const clock = new ManualClock();
    const { engine } = await startMailWorld({
      smtp: {
        onLine: (line) => (localPartOf(line) === null ? undefined : '450 4.1.1 User unknown in local recipient table'),
      },
      ports: timedPorts(clock),
    });
    const verify = () => engine.verify(NOBODY, { budgetMs });
    const first = await verify();
    expect(verdictAndReason(first)).toBe('unknown temporary_failure');
    expect(first.retryAfterSeconds).toBe(3_600);
    clock.advance(HOUR_MS - 60_000);
    expect(verdictAndReason(await verify())).toBe('unknown temporary_failure');
    clock.advance(60_000);
    const later = await verify();
    expect(verdictAndReason(later)).toBe('invalid mailbox_not_found');
    expect(later).toMatchObject({ score: 8, confidence: 0.8 });
  });

  it('a temporary "no such user" is forgotten after a day', async () => {
    const clock = new ManualClock();
    const { engine } = await startMailWorld({
      smtp: { onLine: (line) => (localPartOf(line) === null ? undefined : '450 4.1.1 User unknown') },
      ports: timedPorts(clock),
    });
    await engine.verify(NOBODY, { budgetMs });
    clock.advance(25 * HOUR_MS);
    expect(verdictAndReason(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown temporary_failure');
  });
});
