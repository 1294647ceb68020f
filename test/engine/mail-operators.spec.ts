import { describe, expect, it } from 'vitest';
import { ManualClock, timedPorts } from '../support/manual-clock.js';
import { startMailWorld } from '../support/mail-world.js';

const patienceMs = 5_000;

const zones = {
  'one.com': { MX: [[10, 'aspmx.l.google.com']] },
  'two.com': {
    MX: [
      [20, 'alt1.aspmx.l.google.com'],
      [10, 'aspmx.l.google.com'],
    ],
  },
  'own.com': {
    MX: [
      [10, 'b.own.com'],
      [10, 'a.own.com'],
    ],
  },
  'guest.com': { MX: [[5, 'a.own.com']] },
  'bare.com': { A: ['127.0.0.1'] },
  'xn--bcher-kva.com': { MX: [[5, 'a.own.com']] },
  'null.com': { MX: [[0, '.']] },
  'failing.com': 'servfail',
} as const;

describe('whose caps domains come under', () => {
  it('whose caps domains come under is one provider for all of its hosts, else the first host, for every domain', async () => {
    const { engine, smtp } = await startMailWorld({ zones });
    const asked = ['one.com', 'TWO.com', 'own.com', 'guest.com', 'bare.com', 'bücher.com'];
    expect(await engine.mailOperators(asked, { patienceMs, turn: '' })).toEqual(
      new Map([
        ['one.com', 'google'],
        ['TWO.com', 'google'],
        ['own.com', 'a.own.com'],
        ['guest.com', 'a.own.com'],
        ['bare.com', 'bare.com'],
        ['bücher.com', 'a.own.com'],
      ]),
    );
    expect(smtp.connections).toHaveLength(0);
  });

  it('whose caps domains come under has no domains without mail hosts, and asks about each domain once', async () => {
    const { engine, dns } = await startMailWorld({ zones });
    const asked = ['null.com', 'failing.com', 'gone.com', 'not a domain', '', 'a.invalid', '[127.0.0.1', 'one.com'];
    expect(await engine.mailOperators(asked, { patienceMs, turn: '' })).toEqual(new Map([['one.com', 'google']]));
    await engine.mailOperators(['one.com', 'null.com', 'gone.com'], { patienceMs, turn: '' });
    expect(dns.questions.filter(({ name, type }) => name === 'one.com' && type === 'MX')).toHaveLength(1);
  });

  it('whose caps domains come under has no domains that are still unknown when the patience ends', async () => {
    const clock = new ManualClock();
    const { engine, dns } = await startMailWorld({
      zones: { ...zones, 'mute.com': 'silent' },
      ports: timedPorts(clock),
    });
    await engine.mailOperators(['one.com'], { patienceMs, turn: '' });
    const known = engine.mailOperators(['mute.com', 'one.com'], { patienceMs, turn: '' });
    await clock.armed(patienceMs);
    await expect.poll(() => dns.questions.some(({ name }) => name === 'mute.com')).toBe(true);
    clock.advance(patienceMs);
    expect(await known).toEqual(new Map([['one.com', 'google']]));
  });

  it('whose caps domains come under is not returned to a caller who has gone', async () => {
    const { engine } = await startMailWorld({ zones: { 'mute.com': 'silent' } });
    const controller = new AbortController();
    const known = engine.mailOperators(['mute.com'], { patienceMs, signal: controller.signal, turn: '' });
    controller.abort(new Error('gone'));
    await expect(known).rejects.toThrow('gone');
    await expect(
      engine.mailOperators(['mute.com'], { patienceMs, signal: controller.signal, turn: '' }),
    ).rejects.toThrow('gone');
  });
});
