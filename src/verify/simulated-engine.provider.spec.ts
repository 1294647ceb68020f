import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../engine/verification/engine.js';
import type { Verification } from '../engine/types.js';
import { SCENARIOS, type Scenario } from '../simulator/scenarios.js';
import { openSimulatedEngine, type SimulatedEngine } from './simulated-engine.provider.js';

const BUDGET = { budgetMs: 10_000 };
const WORDS: [word: string, scenario: Scenario][] = Object.entries(SCENARIOS);

let engine: SimulatedEngine;

beforeAll(() => {
  engine = openSimulatedEngine();
});

afterAll(() => engine.close());

const verify = (email: string) => engine.verify(email, BUDGET);
const summary = ({ verdict, reason }: Verification) => ({ verdict, reason });

/** Without what the time of day decides. */
const timeless = (verification: Verification) => ({
  ...verification,
  checkedAt: 0,
  evidence: { ...verification.evidence, at: 0 },
});

async function all(addresses: Iterable<string>, engineOfTest: Engine = engine): Promise<Verification[]> {
  const verdicts: Verification[] = [];
  for await (const { index, verification } of engineOfTest.verifyMany(addresses)) {
    expect(verdicts[index]).toBeUndefined();
    verdicts[index] = verification;
  }
  return verdicts;
}

describe('in test mode', () => {
  it.each(WORDS)('%s decides as local part and as tag, at any domain', async (word, { verdict, reason }) => {
    for (const email of [`${word}@acme.com`, `jane+${word}@gmail.com`, `${word}@yahoo.com`, `Ann.B+${word}@acme.co.uk`])
      expect(summary(await verify(email)), email).toEqual({ verdict, reason });
  });

  it.each([
    'jane@acme.com',
    'info@outlook.com',
    'x@mailinator.com',
    'postmaster@acme.com',
    'jörg@acme.com',
    '"a b"@acme.com',
  ])('%s is valid, as everything without a word', async (email) => {
    expect(summary(await verify(email))).toEqual({ verdict: 'valid', reason: 'mailbox_exists' });
  });

  it.each([
    ['no address', 'invalid_syntax'],
    ['valid@', 'invalid_syntax'],
    ['valid@acme.invalid', 'domain_not_found'],
  ])('"%s" is judged as ever', async (email, reason) => {
    expect(summary(await verify(email))).toEqual({ verdict: 'invalid', reason });
  });

  it('the reply names the address as it was given', async () => {
    expect(await verify(' Jane+Full@GMIAL.com ')).toMatchObject({
      email: ' Jane+Full@GMIAL.com ',
      normalizedEmail: 'Jane+Full@gmial.com',
      didYouMean: 'Jane+Full@gmail.com',
      mxHost: 'mx.simulated.test',
      evidence: { stage: 'rcpt', mxAddress: '192.0.2.25', code: 552, enhanced: '5.2.2', fromCache: false },
    });
  });

  it('in test mode flags are the ones the word asks for, and whether the domain is a free provider', async () => {
    const flags = async (email: string) => {
      const { disposable, role, spamTrap, free, catchAll } = (await verify(email)).checks;
      return { disposable, role, spamTrap, free, catchAll };
    };
    const none = { disposable: false, role: false, spamTrap: false, free: false, catchAll: 'no' };
    expect(await flags('disposable@acme.com')).toEqual({ ...none, disposable: true });
    expect(await flags('role@acme.com')).toEqual({ ...none, role: true });
    expect(await flags('spam-trap@acme.com')).toEqual({ ...none, spamTrap: true });
    expect(await flags('catch-all@gmail.com')).toEqual({ ...none, free: true, catchAll: 'yes' });
    expect(await flags('support@mailinator.com')).toEqual(none);
  });

  it('in test mode unknowns that a later try may settle say when', async () => {
    for (const word of ['greylisted', 'timeout', 'blocked', 'unreachable'])
      expect((await verify(`${word}@acme.com`)).retryAfterSeconds, word).toBeGreaterThan(0);
  });

  it.each(WORDS)('%s gets the same answer each time', async (word) => {
    const [first, ...later] = await Promise.all(Array.from({ length: 8 }, () => verify(`jane+${word}@acme.com`)));
    for (const verification of [...later, await verify(`jane+${word}@acme.com`)])
      expect(timeless(verification)).toEqual(timeless(first!));
  });

  it('nothing leaves the process', async () => {
    // Sockets and questions of other specs of this process are not counted.
    const ours = new AsyncLocalStorage<true>();
    const outside: string[] = [];
    const watch = createHook({
      init: (_, type) => void (ours.getStore() && /TCP|UDP|QUERYWRAP|GETADDRINFO/.test(type) && outside.push(type)),
    }).enable();
    try {
      await ours.run(true, async () => {
        for (const [word] of WORDS) await verify(`${word}@gmail.com`);
        expect(outside).toEqual([]);
        connect(0, '127.0.0.1').on('error', () => {});
        await new Resolver({ timeout: 1, tries: 1 }).resolveMx('seen.invalid').catch(() => {});
        expect(outside).toEqual(expect.arrayContaining(['TCPWRAP', 'QUERYWRAP']));
      });
    } finally {
      watch.disable();
    }
  });

  it('a silent host costs the caller no time', async () => {
    const startedAt = performance.now();
    await verify('timeout@acme.com');
    await all(Array.from({ length: 50 }, (_, index) => `u${index}+timeout@acme.com`));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('many addresses in test mode', () => {
  it('many addresses in test mode get each its own verdict, in chunks and with every word at the same domains', async () => {
    const addresses = Array.from({ length: 2_500 }, (_, index) => {
      return `user${index}+${WORDS[index % WORDS.length]![0]}@acme${index % 7}.com`;
    });
    const verdicts = await all(addresses);
    expect(verdicts.map((verification) => verification.email)).toEqual(addresses);
    expect(verdicts.map(summary)).toEqual(
      addresses.map((_, index) => {
        const { verdict, reason } = WORDS[index % WORDS.length]![1];
        return { verdict, reason };
      }),
    );
  });

  it('many addresses in test mode may hold malformed addresses, and may be empty', async () => {
    expect((await all(['no address', 'full@acme.com'])).map(({ reason }) => reason)).toEqual([
      'invalid_syntax',
      'mailbox_full',
    ]);
    expect(await all([])).toEqual([]);
  });

  it('many addresses in test mode are not read further once the consumer has stopped', async () => {
    let read = 0;
    const addresses = function* () {
      for (;;) yield `u${read++}@acme.com`;
    };
    for await (const { verification } of engine.verifyMany(addresses(), { maxInFlight: 10 })) {
      expect(verification.verdict).toBe('valid');
      break;
    }
    expect(read).toBe(10);
  });

  it('many addresses in test mode end with the reason of the signal', async () => {
    const controller = new AbortController();
    const addresses = function* () {
      for (;;) yield 'full@acme.com';
    };
    const reading = (async () => {
      for await (const { verification } of engine.verifyMany(addresses(), { signal: controller.signal })) {
        expect(verification.reason).toBe('mailbox_full');
        controller.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
  });

  it('many addresses in test mode are all answered, as unknown where it was too late, when the engine is closed meanwhile', async () => {
    const own = openSimulatedEngine();
    const verdicts = new Set<string>();
    let answers = 0;
    const addresses = Array.from({ length: 900 }, (_, index) => `u${index}@acme.com`);
    for await (const { verification } of own.verifyMany(addresses)) {
      if (answers++ === 0) own.close();
      verdicts.add(verification.verdict);
    }
    expect(answers).toBe(900);
    expect([...verdicts].sort()).toEqual(['unknown', 'valid']);
  });
});
