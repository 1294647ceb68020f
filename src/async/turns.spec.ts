import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

function drain(turns: Turns<string>): string[] {
  const all: string[] = [];
  for (let next = turns.take(); next !== null; next = turns.take()) all.push(next);
  return all;
}

describe('turns', () => {
  it('let one waiter of each go after the other, in order within a turn', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) turns.add(waiter, waiter[0]!);
    expect(turns.size).toBe(6);
    expect([turns.first, ...turns]).toEqual(['a1', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(drain(turns)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect([turns.size, turns.first]).toEqual([0, null]);
  });

  it('let a newcomer go after one waiter of each other turn at most', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) turns.add(waiter, waiter[0]!);
    turns.take();
    turns.add('new', 'n');
    expect(drain(turns).indexOf('new')).toBe(2);
  });

  it('let waiters without a turn go first', () => {
    const turns = new Turns<string>();
    turns.add('a1', 'a');
    turns.add('now', null);
    expect(drain(turns)).toEqual(['now', 'a1']);
  });

  it('forget a waiter that has gone, once', () => {
    const turns = new Turns<string>();
    for (const waiter of ['a1', 'a2']) turns.add(waiter, 'a');
    turns.add('now', null);
    turns.delete('a1', 'a');
    turns.delete('a1', 'a');
    turns.delete('now', null);
    turns.delete('b1', 'b');
    expect([turns.size, ...drain(turns)]).toEqual([1, 'a2']);
    turns.add('a3', 'a');
    turns.clear();
    expect([turns.size, turns.first]).toEqual([0, null]);
  });
});
