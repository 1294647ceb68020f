import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  isKept,
  measureAccuracy,
  MEASURES,
  measureSet,
  type Accuracy,
  type Measure,
} from '../../bench/accuracy/measure.js';
import { judgeAsPeer, PEERS } from '../../bench/accuracy/peers.js';
import { WAYS } from '../../bench/accuracy/replay.js';
import { withFigures } from '../../bench/accuracy/report.js';
import { wilsonInterval } from '../../bench/accuracy/share.js';
import { HONEST, REFUSES_ALL, type World } from '../../bench/accuracy/worlds.js';
import { readReplySet, REPLY_SETS, type CorpusRecord } from './smtp-corpus.js';

const PROMISES = Object.values<Measure>(MEASURES).filter(({ promised }) => promised !== undefined);

describe('npm run accuracy', () => {
  let accuracy: Accuracy;
  beforeAll(async () => {
    accuracy = await measureAccuracy();
  });

  describe.each(Object.keys(REPLY_SETS))('on the replies of %s', (set) => {
    describe.each(WAYS)('asked as a %s', (way) => {
      it.each(PROMISES)(
        'the measure of accuracy keeps what is promised of replies; $what, by a host: $world.name',
        (measure) => {
          const measured = accuracy.replies.find(
            (one) => one.measure === measure && one.set === set && one.way === way,
          )!;
          const missed = measured.missed.map(({ record, verification }) => `${verification.reason}: ${record.reply}`);
          expect(isKept(measured), missed.join('\n')).toBe(true);
        },
      );
    });
  });

  it('npm run accuracy finds each address of the syntax corpus read or refused as it should be, and no common provider called disposable', () => {
    const { syntax, falselyDisposable } = accuracy;
    expect([syntax.read.hits, syntax.refused.hits]).toEqual([syntax.read.of, syntax.refused.of]);
    expect(falselyDisposable.hits).toBe(0);
  });

  it('npm run accuracy finds 19 of 20 typing slips in long names corrected to what was meant, and at most 1 in 200 domains to something else', () => {
    const { longNames, wrong, meddling } = accuracy.suggestions;
    expect(longNames.hits / longNames.of).toBeGreaterThanOrEqual(0.95);
    expect(wrong.hits / wrong.of).toBeLessThanOrEqual(0.005);
    expect(meddling.hits / meddling.of).toBeLessThanOrEqual(0.005);
  });

  it('npm run accuracy finds the figures that docs/accuracy.md gives; with --write it puts them there', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/accuracy.md'), 'utf8');
    expect(page).toBe(withFigures(page, accuracy));
  });
});

describe('npm run accuracy -- --set FILE', () => {
  const written = (records: unknown) => {
    const file = join(mkdtempSync(join(tmpdir(), 'accuracy-')), 'own.json');
    writeFileSync(file, JSON.stringify(records));
    return file;
  };

  it('npm run accuracy -- --set FILE measures labelled replies of any file with every host and in both ways', async () => {
    const records = readReplySet(
      written([
        { reply: '550 5.7.1 Blocked by local policy', truth: 'not_about_mailbox' },
        { reply: '550 5.1.1 User unknown', truth: 'not_found' },
        { reply: '450 Not today', truth: 'full' },
      ]),
    );
    const measured = await measureSet('own.json', records);
    const figures = measured.map(({ measure, way, share }) => [measure, way, share.hits, share.of]);
    const wanted = [
      [MEASURES.refusedByAll, 0],
      [MEASURES.refusedBesidePostmaster, 0],
      [MEASURES.refusedBesideExempt, 0],
      [MEASURES.notFound, 1],
      [MEASURES.full, 0],
    ].flatMap(([measure, hits]) => WAYS.map((way) => [measure, way, hits, 1]));
    expect(figures).toHaveLength(wanted.length);
    expect(figures).toEqual(expect.arrayContaining(wanted));
  });

  it.each([
    ['no truth', { reply: '550 Blocked' }, 'reply 0 has no truth of not_about_mailbox, not_found'],
    ['an unknown truth', { reply: '550 Blocked', truth: 'spam' }, 'reply 0 has no truth of'],
    ['no code', { reply: 'Blocked', truth: 'not_found' }, 'reply 0 does not begin with its code'],
    ['no reply', { truth: 'not_found' }, 'reply 0 does not begin with its code'],
  ])('npm run accuracy -- --set FILE says which reply has %s', (_, record, fault) => {
    expect(() => readReplySet(written([record]))).toThrow(fault);
  });
});

describe('a 95% interval', () => {
  // R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('a 95% interval of %d of %d is the one that the literature gives', (hits, of, low, high) => {
    const interval = wilsonInterval({ hits, of });
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });
});

describe('the rules of other engines', () => {
  /** By Reacher, AfterShip, email-check-app, truemail with and without `smtp_safe_check`, zytzagoo and deep-email-validator. */
  const answers = (world: World, truth: CorpusRecord['truth'], reply: string) =>
    PEERS.map((peer) => judgeAsPeer(peer, { provider: 'any', source: 'RFC 5321', reply, truth }, world));

  it('the rules of other engines agree that a user who is unknown makes the address invalid', () => {
    expect(answers(HONEST, 'not_found', '550 5.1.1 User unknown')).toEqual(Array(7).fill('invalid'));
  });

  it('the rules of other engines read a block of the client as far as each knows the words', () => {
    expect(answers(REFUSES_ALL, 'not_about_mailbox', '554 Blocked using zen.example')).toEqual(
      'unknown unknown unknown valid invalid invalid invalid'.split(' '),
    );
    expect(answers(REFUSES_ALL, 'not_about_mailbox', '550 5.7.1 Rejected by policy')).toEqual(
      'invalid invalid unknown valid invalid invalid invalid'.split(' '),
    );
  });

  it('the rules of other engines read the first line, each line or all lines together as their sources do', () => {
    expect(answers(HONEST, 'not_found', '550-Sorry\n550 there is no such user')).toEqual(
      'invalid invalid invalid valid invalid invalid invalid'.split(' '),
    );
  });

  it('the rules of other engines tell full and disabled mailboxes where they have words for them', () => {
    expect(answers(HONEST, 'full', '452 4.2.2 user is over quota')).toEqual(
      'full invalid full valid invalid valid invalid'.split(' '),
    );
    expect(answers(HONEST, 'disabled', '554 This account is disabled')).toEqual(
      'disabled invalid unknown valid invalid invalid invalid'.split(' '),
    );
  });
});
