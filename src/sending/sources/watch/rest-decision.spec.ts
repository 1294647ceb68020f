import { describe, expect, it } from 'vitest';
import { decideRest, type SourceObservation, type Rest } from './rest-decision.js';

const NOW = new Date('2026-11-23T12:00:00Z');
const LISTED: SourceObservation = { listedOn: ['spamhaus-zen'], isComplete: true, hasOther: true };
const CLEAN: SourceObservation = { listedOn: [], isComplete: true, hasOther: true };
const SILENT: SourceObservation = { ...CLEAN, isComplete: false };

/** What becomes of a source over several checks. */
function after(...checks: readonly SourceObservation[]) {
  let [rest, wasListed]: [Rest | null, boolean] = [null, false];
  return checks.map((looked) => {
    const decision = decideRest(rest, wasListed, looked, NOW);
    rest = decision.rest;
    wasListed = looked.listedOn.length > 0 || (wasListed && !looked.isComplete);
    return [rest !== null, decision.news];
  });
}

describe('a source', () => {
  it('a source rests when a list has it, which is news once', () => {
    expect(after(CLEAN, LISTED, LISTED)).toEqual([
      [false, null],
      [true, 'listed'],
      [true, null],
    ]);
    expect(decideRest(null, false, LISTED, NOW).rest).toEqual({
      reason: 'listed on spamhaus-zen',
      since: NOW,
      cleanChecks: 0,
    });
  });

  it('a source comes back by itself after two clean checks in a row', () => {
    expect(after(LISTED, CLEAN, CLEAN, CLEAN)).toEqual([
      [true, 'listed'],
      [true, null],
      [false, 'delisted'],
      [false, null],
    ]);
  });

  it('a source rests on when lists are silent or have it again before the second clean check', () => {
    expect(after(LISTED, CLEAN, SILENT, CLEAN, LISTED, CLEAN, CLEAN).map(([rests]) => rests)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('a source goes on asking when no other could take its place, and is told of all the same', () => {
    const alone = { ...LISTED, hasOther: false };
    expect(after(alone, alone, SILENT, CLEAN)).toEqual([
      [false, 'listed'],
      [false, null],
      [false, null],
      [false, 'delisted'],
    ]);
  });

  it('a source that rests already goes on resting when the others are gone', () => {
    expect(after(LISTED, { ...LISTED, hasOther: false })).toEqual([
      [true, 'listed'],
      [true, null],
    ]);
  });
});
