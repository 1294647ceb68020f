import { describe, expect, it } from 'vitest';

import { budgetMs, localPartOf, numbered, recipients, told, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';
import { ManualClock, timedPorts } from '../support/manual-clock.js';

const NOBODY = 'nobody@example.com';
const HOUR_MS = 60 * 60_000;

describe('a refusal that gives no reason', () => {
  it('means no such mailbox where made-up names get the same words and postmaster is accepted', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: recipients((localPart) =>
        ['postmaster', 'jane'].includes(localPart) ? undefined : `550 <${localPart}@example.com>: rejected`,
      ),
    });
    const verification = await engine.verify(NOBODY, { budgetMs });
    expect(told(verification)).toBe('invalid mailbox_not_found');
    expect(verification).toMatchObject({ score: 6, confidence: 0.85, evidence: { code: 550 } });
    expect(smtp.recipients).toHaveLength(3);
    expect(smtp.recipients).toContain('postmaster@example.com');
  });

  it('means us where postmaster is refused as well', async () => {
    const { engine } = await startMailWorld({ smtp: recipients(() => '550 Rejected') });
    expect(told(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('stays open where postmaster gets no clear answer', async () => {
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) => (localPart === 'postmaster' ? '451 4.3.0 Later' : '550 Rejected')),
    });
    expect(told(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('stays open where made-up names are refused in other words, or accepted', async () => {
    for (const madeUp of ['550 5.1.1 User unknown', '554 Rejected', undefined]) {
      const { engine } = await startMailWorld({
        smtp: recipients((localPart) => {
          if (localPart === 'postmaster') return undefined;
          return localPart === 'nobody' ? '550 Rejected' : madeUp;
        }),
      });
      expect(told(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown ambiguous_refusal');
    }
  });

  it('is held against one pair of controls for all addresses of the domain', async () => {
    const { engine, smtp } = await startMailWorld({
      smtp: recipients((localPart) => (localPart === 'postmaster' ? undefined : '550 Rejected')),
    });
    const all = await verifyAll(
      engine,
      numbered(20, (index) => `nobody${index}@example.com`),
    );
    expect(new Set(all.map(told))).toEqual(new Set(['invalid mailbox_not_found']));
    expect(smtp.recipients).toHaveLength(22);
  });

  it('that names the recipient, a session or a time is still the same refusal', async () => {
    let session = 1_000;
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) =>
        localPart === 'postmaster'
          ? undefined
          : `550 ${localPart.toUpperCase()}@EXAMPLE.COM rejected [id ${(session += 7)}.qk]`,
      ),
    });
    expect(told(await engine.verify(NOBODY, { budgetMs }))).toBe('invalid mailbox_not_found');
  });
});

describe('a denial of relaying', () => {
  const DENIED = '554 5.7.1 Relay access denied';
  const zones = {
    'example.com': {
      MX: [
        [10, 'mx1.example.com'],
        [20, 'mx2.example.com'],
      ],
    },
    'mx1.example.com': { A: ['127.0.0.1'] },
    'mx2.example.com': { A: ['127.0.0.2'] },
  } as const;

  it('by every mail host, for postmaster too, means that nobody serves the domain', async () => {
    const { engine, smtp, addHost } = await startMailWorld({ zones, smtp: recipients(() => DENIED) });
    const backup = await addHost(
      '127.0.0.2',
      recipients(() => DENIED),
    );
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('invalid domain_not_served');
    expect(smtp.recipients).toEqual(['jane@example.com', 'postmaster@example.com']);
    expect(backup.recipients).toEqual(['postmaster@example.com']);
  });

  it('by one of two says nothing of the address', async () => {
    const { engine, addHost } = await startMailWorld({ zones, smtp: recipients(() => DENIED) });
    await addHost('127.0.0.2');
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('by one while the other is down says nothing either', async () => {
    const { engine } = await startMailWorld({ zones, smtp: recipients(() => DENIED) });
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('of the address while postmaster is taken says nothing of the domain', async () => {
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) => (localPart === 'postmaster' ? undefined : DENIED)),
    });
    expect(told(await engine.verify('jane@example.com', { budgetMs }))).toBe('unknown ambiguous_refusal');
  });

  it('is found out once for a domain, with a cap of one connection too', async () => {
    const { engine, smtp } = await startMailWorld({
      zones: { 'shop.com': { MX: [[10, 'smtp-in.orange.fr']] }, 'smtp-in.orange.fr': { A: ['127.0.0.1'] } },
      smtp: recipients(() => DENIED),
    });
    const all = await verifyAll(
      engine,
      numbered(5, (index) => `user${index}@shop.com`),
    );
    expect(new Set(all.map(told))).toEqual(new Set(['invalid domain_not_served']));
    expect(smtp.recipients.filter((recipient) => recipient.startsWith('postmaster'))).toHaveLength(1);
  });
});

describe('a temporary "no such user"', () => {
  it('is believed when it comes again an hour later, with less confidence', async () => {
    const clock = new ManualClock();
    const { engine } = await startMailWorld({
      smtp: {
        onLine: (line) => (localPartOf(line) === null ? undefined : '450 4.1.1 User unknown in local recipient table'),
      },
      ports: timedPorts(clock),
    });
    const verify = () => engine.verify(NOBODY, { budgetMs });
    const first = await verify();
    expect(told(first)).toBe('unknown temporary_failure');
    expect(first.retryAfterSeconds).toBe(3_600);
    clock.advance(HOUR_MS - 60_000);
    expect(told(await verify())).toBe('unknown temporary_failure');
    clock.advance(60_000);
    const later = await verify();
    expect(told(later)).toBe('invalid mailbox_not_found');
    expect(later).toMatchObject({ score: 8, confidence: 0.8 });
  });

  it('is forgotten after a day', async () => {
    const clock = new ManualClock();
    const { engine } = await startMailWorld({
      smtp: { onLine: (line) => (localPartOf(line) === null ? undefined : '450 4.1.1 User unknown') },
      ports: timedPorts(clock),
    });
    await engine.verify(NOBODY, { budgetMs });
    clock.advance(25 * HOUR_MS);
    expect(told(await engine.verify(NOBODY, { budgetMs }))).toBe('unknown temporary_failure');
  });
});
