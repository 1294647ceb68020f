import { describe, expect, it } from 'vitest';

import type { Asker, MailboxAnswer, RecipientProbe } from './recipient-probe.js';
import { ProbeQueue } from './probe-queue.js';

const ANSWER = { kind: 'connection_lost' } as MailboxAnswer;

function newProbe(name: string, { turn = '', urgent = false, ...other }: Partial<RecipientProbe & Asker> = {}) {
  const answers: MailboxAnswer[] = [];
  const probe: RecipientProbe = {
    address: name,
    needsSmtpUtf8: false,
    ownTransaction: false,
    asker: { turn, account: turn, urgent, keepWarmMs: 0 },
    isCancelled: false,
    wasSent: false,
    source: null,
    failedOver: false,
    allowance: null,
    lostConnections: 0,
    triedNullSender: false,
    faultyHosts: 0,
    crowdedConnections: 0,
    next: null,
    answer: (answer) => answers.push(answer),
    ...other,
  };
  return { probe, answers };
}

function drain(queue: ProbeQueue): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) names.push(next.address);
  return names;
}

describe('the queue of probes', () => {
  it('the queue of probes is first in, first out, with urgent probes before the others', () => {
    const queue = new ProbeQueue();
    for (const name of ['a', 'b']) queue.push(newProbe(name).probe);
    for (const name of ['now', 'then']) queue.push(newProbe(name, { urgent: true }).probe);
    queue.push(newProbe('c').probe);
    expect(queue.length).toBe(5);
    expect(drain(queue)).toEqual(['now', 'then', 'a', 'b', 'c']);
    expect(queue.length).toBe(0);
  });

  it('the queue of probes takes one probe of each turn after the other, so that nobody waits for the end of a long list', () => {
    const queue = new ProbeQueue();
    for (let i = 1; i <= 4; i++) queue.push(newProbe(`a${i}`, { turn: 'a' }).probe);
    for (let i = 1; i <= 2; i++) queue.push(newProbe(`b${i}`, { turn: 'b' }).probe);
    expect(queue.nextTurn).toBe('a');
    expect(queue.take()!.address).toBe('a1');
    queue.push(newProbe('c1', { turn: 'c' }).probe);
    expect(drain(queue)).toEqual(['b1', 'a2', 'c1', 'b2', 'a3', 'a4']);
    queue.push(newProbe('a5', { turn: 'a' }).probe);
    queue.push(newProbe('now', { urgent: true, turn: null }).probe);
    expect(queue.nextTurn).toBeNull();
    expect(drain(queue)).toEqual(['now', 'a5']);
  });

  it('the queue of probes lets a probe of a list go after a few urgent ones, so that a flood of these stops no list', () => {
    const queue = new ProbeQueue();
    for (const name of ['a', 'b']) queue.push(newProbe(name).probe);
    for (let i = 1; i <= 9; i++) queue.push(newProbe(String(i), { urgent: true, turn: null }).probe);
    expect(drain(queue).join(' ')).toBe('1 2 3 4 a 5 6 7 8 b 9');
  });

  it('the queue of probes opens a connection in the turn of a list for its control probes, and before all for a single verification', () => {
    const queue = new ProbeQueue();
    queue.push(newProbe('a1', { turn: 'a' }).probe);
    queue.push(newProbe('made-up', { turn: 'b', urgent: true }).probe);
    expect(queue.nextTurn).toBe('b');
    const single = newProbe('now', { turn: null, urgent: true });
    queue.push(single.probe);
    expect(queue.nextTurn).toBeNull();
    single.probe.isCancelled = true;
    queue.probeCancelled();
    expect(queue.nextTurn).toBe('b');
  });

  it('the queue of probes gives probes that were put back before all others, in their order', () => {
    const queue = new ProbeQueue();
    for (const name of ['a', 'b', 'c']) queue.push(newProbe(name).probe);
    const [first, second] = [queue.take()!, queue.take()!];
    queue.putBack(first, second);
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('the queue of probes skips cancelled probes, and never answers them', () => {
    const queue = new ProbeQueue();
    const [gone, there] = [newProbe('gone'), newProbe('there')];
    for (const { probe } of [gone, there]) queue.push(probe);
    gone.probe.isCancelled = true;
    queue.probeCancelled();
    expect(queue.unanswered).toBe(1);
    expect(queue.take()).toBe(there.probe);
    queue.answer(gone.probe, ANSWER);
    queue.answer(there.probe, ANSWER);
    expect([gone.answers, there.answers]).toEqual([[], [ANSWER]]);
    expect(queue.unanswered).toBe(0);
  });

  it('the queue of probes becomes empty when the last probe is cancelled', () => {
    const queue = new ProbeQueue();
    const all = ['a', 'b', 'c'].map((name) => newProbe(name).probe);
    for (const probe of all) queue.push(probe);
    for (const probe of all) {
      probe.isCancelled = true;
      queue.probeCancelled();
    }
    expect([queue.unanswered, queue.length]).toEqual([0, 0]);
  });

  it('the queue of probes answers all probes, each once', () => {
    const queue = new ProbeQueue();
    const all = ['a', 'b', 'c'].map((name) => newProbe(name, { urgent: name === 'b' }));
    for (const { probe } of all) queue.push(probe);
    queue.answerAll(ANSWER);
    queue.answerAll(ANSWER);
    expect(all.map(({ answers }) => answers.length)).toEqual([1, 1, 1]);
  });

  it('the queue of probes keeps its order, however long it gets', () => {
    const queue = new ProbeQueue();
    let given = 0;
    let taken = 0;
    for (let time = 0; time < 50; time += 1) {
      for (let index = 0; index < 300; index += 1) queue.push(newProbe(String(given++)).probe);
      for (let index = 0; index < 250; index += 1) expect(queue.take()!.address).toBe(String(taken++));
    }
    expect(queue.length).toBe(given - taken);
    expect(drain(queue)).toHaveLength(given - taken);
  });
});
