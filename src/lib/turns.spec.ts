import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.js';
import { Turns } from './turns.js';

function drain(turns: Turns<string>): string[] {
  const all: string[] = [];
  for (let next = turns.take(); next !== null; next = turns.take()) all.push(next);
  return all;
}

describe('turns', () => {
  it('turns let one waiter of each go after the other, in order within a turn', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) turns.add(waiter, waiter[0]!);
    expect(turns.size).toBe(6);
    expect([turns.first, ...turns]).toEqual(['a1', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(drain(turns)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([turns.size, turns.first]).toEqual([0, null]);
  });

  it('turns let a newcomer go after one waiter of each other turn at most', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) turns.add(waiter, waiter[0]!);
    turns.take();
    turns.add('new', 'n');
    expect(drain(turns).indexOf('new')).toBe(2);
  });

  it('turns let waiters without a turn go first', () => {
    const turns = new Turns<string>();
    turns.add('a1', 'a');
    turns.add('now', null);
    expect(drain(turns)).toEqual(['now', 'a1']);
  });

  it('turns forget a waiter that has gone, once', () => {
    const turns = new Turns<string>();
    const [first, , third] = ['a1', 'a2', 'a3'].map((waiter) => turns.add(waiter, 'a'));
    const now = turns.add('now', null);
    for (const gone of [first!, first!, third!, now]) turns.delete(gone);
    expect([turns.size, turns.hasUrgent, ...drain(turns)]).toEqual([1, false, 'a2']);
    turns.delete(turns.add('b1', 'b'));
    expect([turns.size, turns.first]).toEqual([0, null]);
  });

  it('turns let one waiter with a turn go after four without, so that a flood of these keeps nobody waiting for ever', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2', 'b1']) turns.add(waiter, waiter[0]!);
    for (let i = 1; i <= 11; i++) turns.add(String(i), null);
    expect(drain(turns).join(' ')).toBe('1 2 3 4 a1 5 6 7 8 b1 9 10 11 a2');
  });

  it('turns take as long to empty a long line as a short one', () => {
    const turns = new Turns<string>();
    for (let i = 0; i < 200_000; i++) turns.add('a', 'a');
    const empty = () => {
      while (turns.take() !== null);
    };
    expect(cpuMs(empty)).toBeLessThan(1000);
  });
});
