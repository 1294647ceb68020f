import { describe, expect, it } from 'vitest';

import { budgetMs, mailboxes, verdictAndReason, verbs, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const JANE = 'jane@example.com';

describe('how we introduce ourselves', () => {
  it('how we introduce ourselves says HELO where EHLO is refused, and goes on command by command', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) =>
          line.startsWith('EHLO') ? '502 5.5.1 Not implemented' : mailboxes('jane')(line, connection),
      },
    });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections[0]!.lines.slice(0, 2)).toEqual(['EHLO probe.example.net', 'HELO probe.example.net']);
  });

  it('how we introduce ourselves leaves it open when both are refused', async () => {
    const { engine } = await startMailWorld({
      smtp: {
        onLine: (line) => (/^(EHLO|HELO)/.test(line) ? '550 5.7.1 Access denied, bad helo' : undefined),
      },
    });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verification.verdict).toBe('unknown');
    expect(verification.evidence).toMatchObject({ stage: 'ehlo', code: 550 });
  });

  it('how we introduce ourselves asks as <> where our sender is refused at MAIL', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) => {
          if (line === 'MAIL FROM:<probe@example.net>') return '550 5.1.8 Sender address rejected: Domain not found';
          return mailboxes('jane')(line, connection);
        },
      },
    });
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.connections).toHaveLength(1);
    expect(smtp.connections[0]!.lines).toContain('MAIL FROM:<>');
  });

  it('how we introduce ourselves asks as <> where our sender is refused at RCPT', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) => {
          const sender = connection.lines.filter((said) => said.startsWith('MAIL'));
          if (line.startsWith('RCPT') && !sender.includes('MAIL FROM:<>')) {
            return '550 5.1.8 <probe@example.net>: Sender address rejected: Domain not found';
          }
          return mailboxes('jane')(line, connection);
        },
      },
    });
    const all = await verifyAll(engine, [JANE, 'nobody@example.com']);
    expect(all.map(verdictAndReason)).toEqual(['valid mailbox_exists', 'invalid mailbox_not_found']);
    expect(smtp.connections).toHaveLength(1);
  });

  it('how we introduce ourselves says sender_rejected when <> is refused as well', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: { onLine: (line) => (line.startsWith('MAIL') ? '550 5.1.8 Sender address rejected' : undefined) },
    });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(verification)).toBe('unknown sender_rejected');
    expect(verification.evidence).toMatchObject({ stage: 'mail', code: 550, enhanced: '5.1.8' });
    expect(smtp.connections[0]!.lines.filter((line) => line.startsWith('MAIL'))).toHaveLength(2);
  });

  it.each(['MAIL', 'RCPT'])(
    'how we introduce ourselves keeps its sender where %s is refused for now, and says when to come back',
    async (verb) => {
      const refusal = '450 4.1.8 <probe@example.net>: Sender address rejected: Domain not found';
      const { engine, smtp } = await startMailWorld({
        smtp: { onLine: (line) => (line.startsWith(verb) ? refusal : undefined) },
      });
      const verification = await engine.verify(JANE, { budgetMs });
      expect(verdictAndReason(verification)).toBe('unknown sender_rejected');
      expect(verification.retryAfterSeconds).toBe(900);
      expect(smtp.connections[0]!.lines.filter((line) => line.startsWith('MAIL'))).toEqual([
        'MAIL FROM:<probe@example.net>',
      ]);
    },
  );

  it('how we introduce ourselves comes back as the same sender to a greylist that speaks of the sender', async () => {
    // greylistd-setup-exim4 of Debian's greylistd
    const tooEarly =
      '451 127.0.0.1 is not yet authorized to deliver mail from <probe@example.net> to <jane@example.com>. Please try later.';
    let seen = 0;
    const { engine, smtp } = await startMailWorld({
      smtp: {
        onLine: (line, connection) => {
          if (line.startsWith('RCPT') && seen++ === 0) return tooEarly;
          return mailboxes('jane')(line, connection);
        },
      },
    });
    const first = await engine.verify(JANE, { budgetMs });
    expect(verdictAndReason(first)).toBe('unknown greylisted');
    expect(first.retryAfterSeconds).toBe(300);
    expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('valid mailbox_exists');
    const senders = smtp.connections.flatMap(({ lines }) => lines.filter((line) => line.startsWith('MAIL')));
    expect(new Set(senders)).toEqual(new Set(['MAIL FROM:<probe@example.net>']));
  });

  it.each(['530 5.7.0 Authentication required', '550 5.7.1 Authentication required', '535 5.7.8 No'])(
    'how we introduce ourselves learns nothing about mailbox and domain from a host that wants a login: %s',
    async (refusal) => {
      const { engine, smtp } = await startMailWorld({
        smtp: { onLine: (line) => (line.startsWith('RCPT') ? refusal : undefined) },
      });
      expect(verdictAndReason(await engine.verify(JANE, { budgetMs }))).toBe('unknown sender_rejected');
      expect(new Set(smtp.recipients)).toEqual(new Set([JANE]));
    },
  );

  it('how we introduce ourselves does not judge the mailbox by a refusal of MAIL, even if its text names one', async () => {
    const { engine } = await startMailWorld({
      smtp: { onLine: (line) => (line.startsWith('MAIL') ? '550 5.1.1 User unknown' : undefined) },
    });
    const verification = await engine.verify(JANE, { budgetMs });
    expect(verification.verdict).toBe('unknown');
    expect(verification.evidence.stage).toBe('mail');
  });

  it('how we introduce ourselves asks for SMTPUTF8 where the local part needs it, in a transaction of its own', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane', 'j\u00f6rg') } });
    const all = await verifyAll(engine, [JANE, 'j\u00f6rg@example.com']);
    expect(all.map(verdictAndReason)).toEqual(['valid mailbox_exists', 'valid mailbox_exists']);
    const lines = smtp.connections.flatMap((connection) => connection.lines);
    const of = (address: string) => lines[lines.indexOf(`RCPT TO:<${address}>`) - 1];
    expect(of('j\u00f6rg@example.com')).toBe('MAIL FROM:<probe@example.net> SMTPUTF8');
    expect(of(JANE)).toBe('MAIL FROM:<probe@example.net>');
  });

  it('how we introduce ourselves names no such local part to a server that does not offer SMTPUTF8', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { extensions: ['PIPELINING'] } });
    const verification = await engine.verify('j\u00f6rg@example.com', { budgetMs });
    expect(verdictAndReason(verification)).toBe('unknown smtputf8_unsupported');
    expect(verification.evidence).toMatchObject({ stage: 'ehlo', mxHost: 'mx.example.com' });
    expect(verification.retryAfterSeconds).toBeNull();
    expect(smtp.recipients).toEqual([]);
  });

  it('how we introduce ourselves writes an international domain as A-labels, without SMTPUTF8', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'xn--bcher-kva.com': { MX: [[10, 'mx.example.com']] } },
      smtp: { extensions: ['PIPELINING'], onLine: mailboxes('jane') },
    });
    expect(verdictAndReason(await engine.verify('jane@b\u00fccher.com', { budgetMs }))).toBe('valid mailbox_exists');
    expect(smtp.recipients[0]).toBe('jane@xn--bcher-kva.com');
  });

  it('how we introduce ourselves probes the tag and the case as they were given', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('Jane+news') } });
    const verification = await engine.verify('Jane+news@EXAMPLE.com', { budgetMs });
    expect(verification.normalizedEmail).toBe('Jane+news@example.com');
    expect(smtp.recipients[0]).toBe('Jane+news@example.com');
    expect(verbs(smtp.connections[0]!)).toMatch(/^EHLO MAIL RCPT RSET MAIL RCPT/);
  });
});
