import { describe, expect, it } from 'vitest';

import { phrasePattern } from './phrase-pattern.js';

describe('the language of phrases', () => {
  it.each([
    ['user unknown', 'user unknown', 'user is unknown'],
    ['user unknown', 'a user unknown here', 'superuser unknown'],
    ['greylist*', 'greylisted', 'ungreylisted'],
    ['*spamhaus*', 'zen_spamhaus_org', 'spam haus'],
    ['no * user', 'no such user', 'no user'],
    ['after # minutes', 'after 15 minutes', 'after some minutes'],
    ['not .. user', 'not a valid user', 'not one two three four user'],
    ['not ... user', 'not one two three four user', 'not 1 2 3 4 5 6 7 8 user'],
    ['(no|not a) such (user|mail box)', 'not a such mail box', 'a such user'],
    ['mailbox (is)? full', 'mailbox full', 'mailbox was full'],
    ['(a (b|c)|d) e', 'a c e', 'a e'],
    ['csi.mimecast.org', 'see csi_mimecast_org now', 'see csi mimecast org now'],
    ['bl.*', 'bl_spamcop_net', 'xbl_spamcop_net'],
    ['*.* exists', 'mx_example_com exists', 'mx example com exists'],
    ['IP is listed', 'your IP is listed', 'your ip is listed'],
  ])('the language of phrases has "%s" met by "%s" and not by "%s"', (phrase, met, missed) => {
    expect(phrasePattern([phrase]).test(` ${met} `)).toBe(true);
    expect(phrasePattern([phrase]).test(` ${missed} `)).toBe(false);
  });

  it('the language of phrases is met when any phrase of a list is', () => {
    const pattern = phrasePattern(['one two', '(three|four) five']);
    expect([' one two ', ' four five ', ' one five '].map((text) => pattern.test(text))).toEqual([true, true, false]);
  });
});
