import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import { Port25 } from './port25.js';

function openPort() {
  const clock = new ManualClock();
  const blockedAt: number[] = [];
  const port25 = new Port25(clock, () => blockedAt.push(clock.now()));
  const silence = (from: number, count: number) => {
    for (let host = from; host < from + count; host += 1) port25.recordSilence(`192.0.2.${host}`);
  };
  return { clock, port25, blockedAt, silence };
}

describe('port 25', () => {
  it('is blocked when five different hosts in a row were silent, which is reported once', () => {
    const { port25, blockedAt, silence } = openPort();
    silence(1, 4);
    expect([port25.isBlocked, port25.takeAttempt()]).toEqual([false, true]);
    silence(5, 1);
    expect([port25.isBlocked, port25.takeAttempt()]).toEqual([true, false]);
    silence(6, 20);
    expect(blockedAt).toHaveLength(1);
  });

  it('is not blocked by one host, however often that host is silent', () => {
    const { port25, silence } = openPort();
    for (let time = 0; time < 20; time += 1) silence(1, 1);
    expect(port25.takeAttempt()).toBe(true);
  });

  it('is open as soon as any host answers', () => {
    const { port25, silence } = openPort();
    silence(1, 5);
    expect(port25.takeAttempt()).toBe(false);
    port25.recordAnswer();
    expect([port25.isBlocked, port25.takeAttempt()]).toEqual([false, true]);
  });

  it('stays open for ten minutes after an answer, however many hosts are silent', () => {
    const { clock, port25, silence } = openPort();
    port25.recordAnswer();
    clock.advance(10 * 60_000 - 1);
    silence(1, 20);
    expect(port25.takeAttempt()).toBe(true);
    clock.advance(1);
    silence(21, 5);
    expect(port25.takeAttempt()).toBe(false);
  });

  it('tells its state, since when it is so, and when a host answered last', () => {
    const { clock, port25, silence } = openPort();
    const began = clock.now();
    silence(1, 4);
    expect(port25.report).toEqual({ state: 'unknown', since: null, answeredAt: null });
    silence(5, 1);
    expect(port25.report).toEqual({ state: 'blocked', since: began, answeredAt: null });
    clock.advance(1_000);
    port25.recordAnswer();
    clock.advance(1_000);
    port25.recordAnswer();
    expect(port25.report).toEqual({ state: 'open', since: began + 1_000, answeredAt: began + 2_000 });
    clock.advance(10 * 60_000);
    silence(1, 5);
    expect(port25.report).toEqual({ state: 'blocked', since: began + 602_000, answeredAt: began + 2_000 });
    clock.advance(1_000);
    port25.recordAnswer();
    expect(port25.report).toMatchObject({ state: 'open', since: began + 603_000 });
  });

  it('gives one attempt a minute while it is blocked, and none to a caller who only looks', () => {
    const { clock, port25, silence } = openPort();
    silence(1, 5);
    clock.advance(59_999);
    expect(port25.takeAttempt()).toBe(false);
    clock.advance(1);
    expect([port25.isBlocked, port25.isBlocked]).toEqual([true, true]);
    expect([port25.takeAttempt(), port25.takeAttempt()]).toEqual([true, false]);
  });
});
