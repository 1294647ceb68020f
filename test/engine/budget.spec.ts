import { describe, expect, it } from 'vitest';

import { localPartOf, mailboxes, numbered, verdictAndReason } from '../support/mail-scripts.js';
import { startMailWorld, type MailWorldOptions } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import type { SmtpScript } from '../support/scripted-smtp-server.js';

const JANE = 'jane@example.com';
const budgetMs = 15_000;

async function timedWorld(options: MailWorldOptions) {
  const clock = new ManualClock();
  const world = await startMailWorld({ ...options, ports: timedPorts(clock) });
  const isSaid = (verb: string) => () =>
    world.smtp.connections.some(({ lines }) => lines.some((line) => line.startsWith(verb)));
  /** Everything is shut a while later, and no timer is left. */
  const becomesQuiet = async () => {
    const isOpen = () => clock.pending > 0 || world.smtp.connections.some(({ closed }) => !closed);
    for (let turn = 0; turn < 200 && isOpen(); turn += 1) {
      clock.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(isOpen()).toBe(false);
  };
  return { clock, isSaid, becomesQuiet, ...world };
}

const silentAt = (verb: string): SmtpScript => ({
  extensions: ['PIPELINING', 'STARTTLS'],
  onConnect: () => (verb === '' ? null : undefined),
  onLine: (line, connection) => (verb !== '' && line.startsWith(verb) ? null : mailboxes()(line, connection)),
});

const STAGES = ['', 'EHLO', 'STARTTLS', 'MAIL', 'RCPT'];

describe('the time budget', () => {
  it.each(STAGES)(
    'the time budget that ends while the server is silent (after "%s") gives unknown at once',
    async (verb) => {
      const { engine, clock, smtp, isSaid, becomesQuiet } = await timedWorld({ smtp: silentAt(verb) });
      const verifying = engine.verify(JANE, { budgetMs });
      await smtp.until(verb === '' ? () => smtp.connections.length > 0 : isSaid(verb));
      clock.advance(budgetMs);
      const verification = await verifying;
      expect(verdictAndReason(verification)).toBe('unknown smtp_timeout');
      expect(verification).toMatchObject({ retryAfterSeconds: 300, checks: { mx: 'pass', smtp: 'unknown' } });
      expect(verification.evidence.stage).toBe(['MAIL', 'RCPT'].includes(verb) ? 'rcpt' : 'connect');
      await becomesQuiet();
    },
  );

  it.each(STAGES)(
    'the time budget that is cancelled while the server is silent (after "%s") leaves no connection open',
    async (verb) => {
      const { engine, clock, smtp, isSaid } = await timedWorld({ smtp: silentAt(verb) });
      const controller = new AbortController();
      const verifying = engine.verify(JANE, { budgetMs, signal: controller.signal });
      await smtp.until(verb === '' ? () => smtp.connections.length > 0 : isSaid(verb));
      controller.abort();
      expect((await verifying).verdict).toBe('unknown');
      // Without a tick of the clock.
      await smtp.until(() => smtp.connections.every(({ closed }) => closed));
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(clock.pending).toBe(0);
      expect(smtp.connections).toHaveLength(1);
    },
  );

  it('the time budget that ends in the DNS says dns_error', async () => {
    const { engine, clock, dns } = await timedWorld({});
    dns.set('slow.com', 'silent');
    const verifying = engine.verify('jane@slow.com', { budgetMs });
    await clock.armed(budgetMs);
    clock.advance(budgetMs);
    const verification = await verifying;
    expect(verdictAndReason(verification)).toBe('unknown dns_error');
    expect(verification).toMatchObject({ evidence: { stage: 'dns' }, checks: { mx: 'unknown', smtp: 'skipped' } });
  });

  it('the time budget that ends while a made-up name is asked keeps the acceptance as evidence', async () => {
    const { engine, clock, smtp, becomesQuiet } = await timedWorld({
      smtp: {
        onLine: (line) => {
          const localPart = localPartOf(line);
          return localPart === null || localPart === 'jane' ? undefined : null;
        },
      },
    });
    const verifying = engine.verify(JANE, { budgetMs });
    await smtp.until(() => smtp.recipients.length === 2);
    clock.advance(budgetMs);
    const verification = await verifying;
    expect(verification.verdict).toBe('unknown');
    expect(verification.evidence).toMatchObject({ stage: 'rcpt', code: 250 });
    await becomesQuiet();
  });

  it('the time budget of nothing still gets an answer', async () => {
    const { engine, clock } = await timedWorld({});
    const verifying = engine.verify(JANE, { budgetMs: 0 });
    clock.advance(0);
    expect((await verifying).verdict).toBe('unknown');
    expect((await engine.verify(JANE, { budgetMs, signal: AbortSignal.abort() })).verdict).toBe('unknown');
    expect(verdictAndReason(await engine.verify('no address', { budgetMs, signal: AbortSignal.abort() }))).toBe(
      'invalid invalid_syntax',
    );
  });

  it('the time budget is not waited for when the answer is there', async () => {
    const { engine, becomesQuiet } = await timedWorld({ smtp: { onLine: mailboxes('jane') } });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    await becomesQuiet();
  });
});

describe('who is not waited for any more', () => {
  it('who is not waited for any more gets no connection when the question was given up before it left', async () => {
    const { engine, smtp, dns } = await timedWorld({ smtp: { onLine: mailboxes() } });
    const controller = new AbortController();
    await engine.verify('first@example.com', { budgetMs });
    dns.set('other.com', { MX: [[0, 'mx.other.com']] });
    dns.set('mx.other.com', { A: ['127.0.0.2'] });
    const before = smtp.connections.length;
    await engine.verify('x@other.com', { budgetMs: 1 });
    const verifying = engine.verify('y@other.com', { budgetMs, signal: controller.signal });
    controller.abort();
    await verifying;
    await engine.verify('second@example.com', { budgetMs });
    expect(smtp.connections).toHaveLength(before);
  });

  it('who is not waited for any more does not hold up the next question to the same host', async () => {
    const { engine, clock, smtp, isSaid } = await timedWorld({
      smtp: {
        onLine: (line, connection) => (localPartOf(line) === 'slow' ? null : mailboxes('jane')(line, connection)),
      },
    });
    const slow = engine.verify('slow@example.com', { budgetMs });
    await smtp.until(isSaid('RCPT'));
    clock.advance(budgetMs);
    expect((await slow).verdict).toBe('unknown');
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs: 600_000 }))).toBe('valid mailbox_exists');
  });

  it('who is not waited for any more does not wait long for the slow answer to somebody else, at the same host', async () => {
    const { engine, clock, smtp, isSaid } = await timedWorld({
      smtp: {
        onLine: (line, connection) => (localPartOf(line) === 'slow' ? null : mailboxes('jane')(line, connection)),
      },
    });
    const slow = engine.verify('slow@example.com', { budgetMs });
    await smtp.until(isSaid('RCPT'));
    const next = engine.verify(JANE, { budgetMs });
    await clock.armed(1_000);
    clock.advance(1_000);
    expect(verdictAndReason(await next)).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(2);
    clock.advance(budgetMs);
    expect((await slow).verdict).toBe('unknown');
  });

  it('who is not waited for any more ends with the engine, in every phase', async () => {
    const { engine, clock, smtp } = await timedWorld({ smtp: silentAt('RCPT') });
    const verifying = Promise.all(
      numbered(3, (index) => engine.verify(`user${index}@example.com`, { budgetMs: 600_000 })),
    );
    await smtp.until(() => smtp.recipients.length > 0);
    engine.close();
    expect((await verifying).map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unknown']);
    await smtp.until(() => smtp.connections.every(({ closed }) => closed));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.pending).toBe(0);
  });
});
