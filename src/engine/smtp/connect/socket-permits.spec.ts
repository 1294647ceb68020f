import { describe, expect, it } from 'vitest';

import type { Permit } from '../../../lib/semaphore.js';
import { AbortFlag } from './permit-waits.js';
import { SocketPermits } from './socket-permits.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for so many permits. @returns those that were granted, also later */
async function ask(permits: SocketPermits, turn: string | null, count: number, signal = new AbortFlag()) {
  const granted: Permit[] = [];
  for (let i = 0; i < count; i += 1)
    void permits.acquire(signal, turn).then(
      (permit) => granted.push(permit),
      () => undefined,
    );
  await settled();
  return granted;
}

describe('the sockets of a process', () => {
  it('the sockets of a process are shared between lists, so that some are left for the next one, and a tenth for single verifications', async () => {
    const permits = new SocketPermits(1_000);
    const counts: number[] = [];
    for (const turn of ['a', 'b', 'c', 'd']) counts.push((await ask(permits, turn, 1_000)).length);
    expect(counts).toEqual([675, 169, 42, 11]);
    expect(await ask(permits, null, 110)).toHaveLength(103);
    expect(permits.isWaitedFor).toBe(true);
  });

  it('the sockets of a process go to a single verification first, and in turn to the lists that have not their share yet', async () => {
    const permits = new SocketPermits(10);
    const first = await ask(permits, 'a', 10);
    expect(first).toHaveLength(7);
    const single = await ask(permits, null, 4);
    expect(single).toHaveLength(3);
    const other = await ask(permits, 'b', 2);
    first.splice(0, 1)[0]!.release();
    await settled();
    expect([single.length, other.length, first.length]).toEqual([4, 0, 6]);
    for (const permit of single.splice(0)) permit.release();
    await settled();
    expect([other.length, first.length]).toEqual([2, 6]);
    for (const permit of other) permit.release();
    await settled();
    expect(first).toHaveLength(7);
  });

  it('the sockets of a process are all for one list where there is one', async () => {
    const permits = new SocketPermits(1);
    const held = await ask(permits, 'a', 2);
    expect(held).toHaveLength(1);
    held[0]!.release();
    held[0]!.release();
    await settled();
    expect(held).toHaveLength(2);
    expect(permits.isWaitedFor).toBe(false);
  });

  it('the sockets of a process are not given to who waits no more', async () => {
    const permits = new SocketPermits(1);
    const held = await ask(permits, 'a', 1);
    let waits = 0;
    const signal = new AbortFlag();
    const waiting = permits.acquire(signal, 'b').finally(() => (waits += 1));
    signal.abort(new Error('nobody waits'));
    await expect(waiting).rejects.toThrow('nobody waits');
    await expect(permits.acquire(signal, 'b')).rejects.toThrow('nobody waits');
    held[0]!.release();
    expect([waits, permits.isWaitedFor]).toEqual([1, false]);
    expect(await ask(permits, null, 1)).toHaveLength(1);
  });

  it('the sockets of a process are asked back from who does not need them when somebody waits, and not otherwise', async () => {
    const held: Permit[] = [];
    let asked = 0;
    const permits = new SocketPermits(1, () => {
      asked += 1;
      held.pop()?.release();
    });
    held.push(...(await ask(permits, 'a', 1)));
    const gone = new AbortFlag();
    gone.abort(new Error('gone'));
    expect(await ask(permits, 'b', 1, gone)).toEqual([]);
    expect(asked).toBe(0);
    expect(await ask(permits, 'b', 1)).toHaveLength(1);
    expect(asked).toBe(1);
  });
});
