import { describe, expect, it } from 'vitest';
import { checkMuteInput, type Mute, muteAfter, muteChange } from './mutes.service.js';

const NOW = new Date('2027-01-15T12:00:00Z');
const AHEAD = new Date('2027-01-31T12:00:00Z');
const PAST = new Date('2027-01-01T12:00:00Z');
const TOLD: Mute = { until: null, note: null };

describe('what is asked of a mute', () => {
  it.each([
    ['nothing', { until: undefined, note: undefined }],
    ['a time that has passed', { until: PAST, note: undefined }],
    ['this very moment', { until: NOW, note: 'They know' }],
  ])('what is asked of a mute is refused when it is %s', (_, asked) => {
    expect(() => checkMuteInput(asked, NOW)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it.each([
    ['a time ahead', { until: AHEAD, note: undefined }],
    ['an end of the mute', { until: null, note: undefined }],
    ['a note', { until: undefined, note: 'They know' }],
    ['an end of the note', { until: undefined, note: null }],
  ])('what is asked of a mute is taken when it is %s', (_, asked) => {
    expect(() => checkMuteInput(asked, NOW)).not.toThrow();
  });

  it('what is asked of a mute leaves what it does not name as it was, and takes away what it names null', () => {
    const muted: Mute = { until: AHEAD, note: 'They know' };
    expect(muteAfter(muted, { until: undefined, note: undefined })).toEqual(muted);
    expect(muteAfter(muted, { until: null, note: undefined })).toEqual({ until: null, note: 'They know' });
    expect(muteAfter(muted, { until: undefined, note: null })).toEqual({ until: AHEAD, note: null });
  });
});

describe('the timeline', () => {
  it.each<[string | null, Mute, Mute]>([
    ['muted', TOLD, { until: AHEAD, note: null }],
    ['muted', { until: PAST, note: null }, { until: AHEAD, note: null }],
    ['muted', { until: AHEAD, note: null }, { until: new Date('2027-02-28T12:00:00Z'), note: 'Longer' }],
    ['unmuted', { until: AHEAD, note: 'They know' }, { until: null, note: 'They know' }],
    ['noted', TOLD, { until: null, note: 'They know' }],
    [null, { until: PAST, note: null }, TOLD],
    [null, { until: AHEAD, note: 'They know' }, { until: AHEAD, note: 'They know' }],
  ])('the timeline says %s where %j becomes %j', (notification, before, after) => {
    expect(muteChange(before, after, NOW)).toBe(notification);
  });
});
