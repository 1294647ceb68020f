import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../../../test/support/manual-clock.js';
import { Port25, type Port25Trial } from './port25.js';

const MINUTE = 60_000;
const RETRY_MS = 30_000;

function openPort(found: Port25Trial) {
  const clock = new ManualClock();
  const seen = { found, trials: 0, blocked: 0, opened: 0, meanwhile: () => {} };
  const port25 = new Port25({
    clock,
    trial: async () => {
      seen.trials += 1;
      seen.meanwhile();
      return seen.found;
    },
    onBlocked: () => (seen.blocked += 1),
    onOpened: () => (seen.opened += 1),
  });
  /** Lets half a minute pass, and the trial that it began come to its end. */
  const retry = async () => {
    clock.advance(RETRY_MS);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { clock, port25, seen, retry };
}

describe('port 25', () => {
  it('port 25 is blocked when a host is silent and those of our own choosing are too, which is told once', async () => {
    const { port25, seen } = openPort('silent');
    expect(await Promise.all([port25.explainsSilence(), port25.explainsSilence()])).toEqual([true, true]);
    expect(await port25.explainsSilence()).toBe(true);
    expect(seen).toMatchObject({ trials: 1, blocked: 1, opened: 0 });
  });

  it('port 25 is not tried while an answer is younger than a minute', async () => {
    const { clock, port25, seen } = openPort('silent');
    port25.recordAnswer();
    clock.advance(MINUTE - 1);
    expect(await port25.explainsSilence()).toBe(false);
    expect(seen.trials).toBe(0);
    clock.advance(1);
    expect(await port25.explainsSilence()).toBe(true);
  });

  it('port 25 is tried once a minute where the trial shows nothing', async () => {
    const { clock, port25, seen } = openPort('unclear');
    for (let time = 0; time < 5; time += 1) expect(await port25.explainsSilence()).toBe(false);
    expect(seen.trials).toBe(1);
    clock.advance(MINUTE);
    await port25.explainsSilence();
    expect(seen.trials).toBe(2);
    expect(port25.report.state).toBe('unknown');
  });

  it('port 25 is open where a host answers while the others of the trial are silent', async () => {
    const { port25, seen } = openPort('silent');
    seen.meanwhile = () => port25.recordAnswer();
    expect(await port25.explainsSilence()).toBe(false);
    expect(seen.blocked).toBe(0);
  });

  it('port 25 that is blocked is tried each half minute, and open when a host of the trial answers', async () => {
    const { port25, seen, retry } = openPort('silent');
    await port25.explainsSilence();
    await retry();
    await retry();
    expect([seen.trials, port25.isBlocked]).toEqual([3, true]);
    seen.found = 'answered';
    await retry();
    expect(port25.isBlocked).toBe(false);
    await retry();
    expect(seen).toMatchObject({ trials: 4, blocked: 1, opened: 1 });
  });

  it('port 25 is not known any more where what blocked it cannot be tried again', async () => {
    const { port25, seen, retry } = openPort('silent');
    await port25.explainsSilence();
    seen.found = 'unclear';
    await retry();
    expect([port25.report.state, seen.opened]).toEqual(['unknown', 0]);
  });

  it('port 25 that another process found blocked is tried after half a minute, and stays open once it was found so', async () => {
    const { clock, port25, seen, retry } = openPort('answered');
    port25.adopt(clock.now(), false);
    const told = clock.now();
    expect(port25.isBlocked).toBe(true);
    await retry();
    expect([port25.isBlocked, seen.trials]).toEqual([false, 1]);
    clock.advance(10 * MINUTE);
    port25.adopt(told, false);
    expect(port25.isBlocked).toBe(false);
  });

  it('port 25 is tried no more once it is closed', async () => {
    const { clock, port25 } = openPort('silent');
    await port25.explainsSilence();
    port25.close();
    expect(clock.pending).toBe(0);
  });

  it('port 25 tells its state, since when it is so, and when a host answered last', async () => {
    const { clock, port25, seen, retry } = openPort('silent');
    const began = clock.now();
    expect(port25.report).toEqual({ state: 'unknown', since: null, answeredAt: null });
    await port25.explainsSilence();
    expect(port25.report).toEqual({ state: 'blocked', since: began, answeredAt: null });
    seen.found = 'answered';
    await retry();
    clock.advance(1_000);
    port25.recordAnswer();
    const opened = began + RETRY_MS;
    expect(port25.report).toEqual({ state: 'open', since: opened, answeredAt: opened + 1_000 });
  });
});
