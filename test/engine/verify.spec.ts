import { describe, expect, it } from 'vitest';

import type { Verification } from '../../src/engine/types.js';
import { startMailWorld } from '../support/mail-world.js';

/** An honest server with these mailboxes at any domain. */
function mailboxes(...known: string[]) {
  return (line: string) => {
    const localPart = /^RCPT TO:<([^@>]+)@/i.exec(line)?.[1];
    if (localPart === undefined || known.includes(localPart)) return undefined;
    return '550 5.1.1 User unknown';
  };
}

const told = ({ verdict, reason }: Verification) => `${verdict} ${reason}`;
const budgetMs = 5_000;

describe('the engine', () => {
  it('the engine finds a mailbox that exists, on a server that refuses a made-up name', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    const verification = await engine.verify('jane@example.com', { budgetMs });
    expect(verification).toMatchObject({
      verdict: 'valid',
      reason: 'mailbox_exists',
      score: 98,
      normalizedEmail: 'jane@example.com',
      mxHost: 'mx.example.com',
      checks: { syntax: 'pass', mx: 'pass', smtp: 'pass', catchAll: 'no' },
      evidence: { stage: 'rcpt', mxHost: 'mx.example.com', mxAddress: '127.0.0.1', code: 250 },
    });
    expect(smtp.recipients[0]).toBe('jane@example.com');
    expect(smtp.recipients).toHaveLength(2);
  });

  it('the engine says that a mailbox does not exist when the server says so', async () => {
    const { engine, smtp } = await startMailWorld({ smtp: { onLine: mailboxes('jane') } });
    const verification = await engine.verify('nobody@example.com', { budgetMs });
    expect(verification).toMatchObject({
      verdict: 'invalid',
      reason: 'mailbox_not_found',
      checks: { smtp: 'fail', catchAll: null },
      evidence: { code: 550, enhanced: '5.1.1', text: 'User unknown' },
    });
    expect(smtp.recipients).toEqual(['nobody@example.com']);
  });

  it('the engine calls a domain that accepts two made-up names of different shape a catch-all', async () => {
    const { engine, smtp } = await startMailWorld();
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('risky catch_all');
    expect(smtp.recipients).toHaveLength(3);
    expect(told(await engine.verify('john@example.com', { budgetMs }))).toBe('risky catch_all');
    expect(smtp.recipients).toHaveLength(4);
  });

  it('the engine keeps what the DNS says apart', async () => {
    const { engine } = await startMailWorld({
      zones: {
        'null.test': { MX: [[0, '.']] },
        'empty.test': { TXT: ['nothing else'] },
        'broken.test': 'servfail',
        'dead.test': { MX: [[10, 'gone.dead.test']] },
        'private.test': { MX: [[10, 'mx.private.test']] },
        'mx.private.test': { A: ['10.0.0.1'] },
      },
    });
    const verdictOf = async (domain: string) => told(await engine.verify(`jane@${domain}`, { budgetMs }));
    expect(await verdictOf('nowhere.test')).toBe('invalid domain_not_found');
    expect(await verdictOf('null.test')).toBe('invalid null_mx');
    expect(await verdictOf('empty.test')).toBe('invalid no_mail_server');
    expect(await verdictOf('dead.test')).toBe('invalid no_mail_server');
    expect(await verdictOf('private.test')).toBe('invalid unroutable_mail_server');
    expect(await verdictOf('broken.test')).toBe('unknown dns_error');
  });

  it('the engine does not mistake a refusal of us for a verdict on the mailbox', async () => {
    const refusals: Record<string, string> = {
      greylisted: '451 4.7.1 Greylisting in action, please come back later',
      ip_blocked: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      policy_rejected: '554 5.7.1 Message content rejected, UBE, id=00000-00-000',
    };
    const { engine } = await startMailWorld({
      smtp: { onLine: (line) => refusals[/^RCPT TO:<([^@>]+)@/.exec(line)?.[1] ?? ''] },
    });
    for (const reason of Object.keys(refusals)) {
      expect(told(await engine.verify(`${reason}@example.com`, { budgetMs }))).toBe(`unknown ${reason}`);
    }
  });

  it('the engine says unknown for a closed port', async () => {
    const { engine } = await startMailWorld({ smtp: null });
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown smtp_unreachable');
  });

  it('the engine gives up when the time budget is used up, and says what it waited for', async () => {
    const { engine } = await startMailWorld({ smtp: { onConnect: () => null } });
    const verification = await engine.verify('jane@example.com', { budgetMs: 50 });
    expect(verification).toMatchObject({ verdict: 'unknown', reason: 'smtp_timeout', retryAfterSeconds: 300 });
  });
});
