import { describe, expect, it } from 'vitest';

import { commonText, replyWords } from './reply-words.js';

describe('the text of a refusal that all recipients get', () => {
  it('the text of a refusal that all recipients get is without the recipient, however it is written', () => {
    const common = (text: string) => commonText(text, 'Jane.Doe+news@Mail.Example', 'probe@sender.test');
    expect(common('<jane.doe+news@mail.example>: unknown')).toBe('<>: unknown');
    expect(common('User JANE.DOE unknown')).toBe('user  unknown');
    expect(common('jane.doe+news unknown at mx1.mail.example')).toBe(' unknown at ');
    expect(common('janet.doe unknown at hotmail.example')).toBe('janet.doe unknown at hotmail.example');
    expect(common('<probe@sender.test> via mx.sender.test: no')).toBe('<SENDER> via SENDER: no');
  });

  it('the text of a refusal that all recipients get is without session ids and times, and keeps hosts and codes', () => {
    const text =
      'see [bn8nam12ft043.x.example 2026-01-05T10:11:12.345Z 08DE3E0112345678] a640c23a62f3a-aac - gsmtp AS(201806281) S3150';
    expect(commonText(text, '', '')).toBe('see [.x.example  ]  - gsmtp as(201806281) s3150');
    expect(commonText('double-checking the misspelled-address', '', '')).toBe('double-checking the misspelled-address');
  });

  it('the text of a refusal that all recipients get is the same for every recipient of a server, so that it can be remembered', () => {
    const told = ['ann', 'bob.b', 'c3po'].map((who) =>
      commonText(`550 ${who}: no <${who}@x.test>`, `${who}@x.test`, ''),
    );
    expect(new Set(told).size).toBe(1);
  });
});

describe('the words of a refusal', () => {
  it('the words of a refusal are plain words with a space on either side', () => {
    expect(replyWords('user "unknown", doesn\u2019t exist; bo\u00eete_pleine (#5.1.1)')).toBe(
      ' user unknown doesnt exist boite pleine ',
    );
    expect(replyWords('')).toBe('  ');
  });

  it('the words of a refusal have hosts as one word, and no addresses, times or URL paths', () => {
    expect(replyWords('spam@x.test 12:34:56 https://www.example.com/spam mx-1.example.com.')).toBe(
      ' www_example_com mx_1_example_com ',
    );
    expect(replyWords('does not exist.please check')).toBe(' does not exist please check ');
  });

  it('the words of a refusal have one word for any IP address, and one for a link that asks about it', () => {
    expect(replyWords('192.0.2.1 [2001:db8::1] 1.2.3 http://192.0.2.1/blocked/spam now')).toBe(' IP IP 1 2 3 IP now ');
    expect(replyWords('see https://www.spamhaus.org/query/ip/192.0.2.1, now')).toBe(
      ' see www_spamhaus_org LOOKUP now ',
    );
    expect(replyWords('http://x.example.com/?ip=2001:db8::1&c=2 now')).toBe(' x_example_com LOOKUP now ');
    expect(replyWords('http://x.example.com/?at=12:34:56 now')).toBe(' x_example_com now ');
  });
});
