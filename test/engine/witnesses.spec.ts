import { describe, expect, it } from 'vitest';

import type { Verification } from '../../src/engine/types.js';
import { budgetMs, recipients, verdictAndReason, verifyAll } from '../support/mail-scripts.js';
import { startMailWorld } from '../support/mail-world.js';

const INVALID = 'invalid mailbox_not_found';
const UNKNOWN = 'unknown ambiguous_refusal';
const PLAIN = '550 5.1.1 User unknown';

/** A host that lets some names in, says plainly of others that it has no such mailbox, and refuses all the rest in the same words. */
function hostWith(letIn: readonly string[], refusal = '550 Access denied', plainlyUnknown: readonly string[] = []) {
  return startMailWorld({
    lists: { role: 'abuse\ninfo\n' },
    smtp: recipients((localPart) => {
      if (['postmaster', ...letIn].includes(localPart)) return undefined;
      return plainlyUnknown.includes(localPart) ? PLAIN : refusal;
    }),
  });
}

/** In one list, and one after the other with the last name of all asked at the end; as verdicts of that last name. */
async function verdictsOfLast(start: () => ReturnType<typeof hostWith>, names: readonly string[]) {
  const emails = names.map((name) => `${name}@example.com`);
  const last = emails.at(-1)!;
  const found: Verification[] = [];
  for (const order of [emails, emails.toReversed()]) {
    const { engine } = await start();
    found.push((await verifyAll(engine, order))[order.indexOf(last)]!);
  }
  const { engine } = await start();
  for (const email of emails.slice(0, -1)) await engine.verify(email, { budgetMs });
  found.push(await engine.verify(last, { budgetMs }));
  return found;
}

async function toldOfLast(start: () => ReturnType<typeof hostWith>, names: readonly string[]) {
  const found = await verdictsOfLast(start, names);
  return [...new Set(found.map((one) => `${verdictAndReason(one)} ${one.evidence.witness}`))];
}

describe('a name that is let in beside one that is refused without a reason', () => {
  it('a name that is let in beside one that is refused without a reason proves nothing when it is a role name, which hosts exempt from what they have against a client', async () => {
    const start = () => hostWith(['abuse', 'info']);
    expect(await toldOfLast(start, ['abuse', 'info', 'jane'])).toEqual([`${UNKNOWN} null`]);
  });

  it('a name that is let in beside one that is refused without a reason proves nothing alone, because the host may exempt a person', async () => {
    expect(await toldOfLast(() => hostWith(['robin']), ['robin', 'jane'])).toEqual([`${UNKNOWN} null`]);
    expect(await toldOfLast(() => hostWith(['robin', 'abuse']), ['robin', 'abuse', 'jane'])).toEqual([
      `${UNKNOWN} null`,
    ]);
  });

  it('a name that is let in beside one that is refused without a reason is one witness, however it is written', async () => {
    const start = () => hostWith(['robin', 'Robin', 'robin+news']);
    expect(await toldOfLast(start, ['robin', 'Robin', 'robin+news', 'jane'])).toEqual([`${UNKNOWN} null`]);
  });

  it('a name that is let in beside one that is refused without a reason shows that there is no such mailbox together with another one that is let in', async () => {
    const start = () => hostWith(['robin', 'kim']);
    expect(await toldOfLast(start, ['robin', 'kim', 'jane'])).toEqual([`${INVALID} accepted_name`]);
  });

  it('a name that is let in beside one that is refused without a reason shows it after one of the two was asked about forty times more', async () => {
    const { engine } = await hostWith(['robin', 'kim']);
    for (const name of ['robin', ...Array.from({ length: 40 }, () => 'kim')])
      await engine.verify(`${name}@example.com`, { budgetMs });
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe(INVALID);
  });

  it('a name that is let in beside one that is refused without a reason shows it together with a name that the host plainly says it does not have', async () => {
    const start = () => hostWith(['robin'], '550 Rejected', ['gone']);
    expect(await toldOfLast(start, ['robin', 'gone', 'jane'])).toEqual([`${INVALID} accepted_name`]);
  });

  it('a name that is let in beside one that is refused without a reason proves nothing together with a role name that the host does not have', async () => {
    const start = () => hostWith(['robin'], '550 Rejected', ['abuse']);
    expect(await toldOfLast(start, ['robin', 'abuse', 'jane'])).toEqual([`${UNKNOWN} null`]);
  });

  it('a name that is let in beside one that is refused without a reason proves nothing when the name that was plainly unknown before is refused without a reason now', async () => {
    let isBlocking = false;
    const { engine } = await startMailWorld({
      smtp: recipients((localPart) => {
        if (localPart === 'postmaster' || localPart === 'robin') return undefined;
        return isBlocking ? '550 Rejected' : PLAIN;
      }),
    });
    for (const name of ['robin', 'gone']) await engine.verify(`${name}@example.com`, { budgetMs });
    isBlocking = true;
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe(UNKNOWN);
  });

  it('a name that is let in beside one that is refused without a reason proves nothing when one of two is refused now', async () => {
    const letIn = ['robin', 'kim'];
    const { engine } = await hostWith(letIn);
    for (const name of ['robin', 'kim']) await engine.verify(`${name}@example.com`, { budgetMs });
    letIn.pop();
    expect(verdictAndReason(await engine.verify('jane@example.com', { budgetMs }))).toBe(UNKNOWN);
  });
});

describe('a refusal whose words speak of something else than the mailbox', () => {
  it.each([
    ['a policy', '550 Refused, see our rules'],
    ['a sender', '550 Not from there'],
    ['a client', '550 Unknown source 192.0.2.1'],
    ['a connection', '554 Closing this session'],
    ['a country', '550 Not for foreign countries'],
    ['security', '550 Not trusted'],
    ['a protocol', '550 Bad sequence'],
    ['a quota', '550 Over the hourly allotment, size counts'],
    ['a format', '550 Bad characters'],
  ])(
    'a refusal whose words speak of something else than the mailbox is not settled by any witness where they speak of %s, and nobody is asked for one',
    async (_, refusal) => {
      const { engine, smtp } = await hostWith(['robin', 'kim'], refusal);
      for (const name of ['robin', 'kim']) await engine.verify(`${name}@example.com`, { budgetMs });
      const asked = smtp.recipients.length;
      const verification = await engine.verify('jane@example.com', { budgetMs });
      expect([verification.verdict, verification.evidence.witness]).toEqual(['unknown', null]);
      expect(smtp.recipients.slice(asked)).toEqual(['jane@example.com']);
    },
  );

  it.each(['550 5.1.1 Avsändaren okänd', '550 Émetteur inconnu', '550 发信人不存在', '550 寄件人不存在'])(
    'a name that is let in beside one that is refused because the sender is unknown, "%s", proves nothing, and no more does a code',
    async (refusal) => {
      const found = await verdictsOfLast(() => hostWith(['robin', 'kim'], refusal), ['robin', 'kim', 'jane']);
      expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
    },
  );
});
