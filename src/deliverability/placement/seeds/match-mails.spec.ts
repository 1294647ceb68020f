import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-time.js';
import { fromDomainOf, headerFields, messageIdOf } from './mail-headers.js';
import { isSurer, MATCH_ORDER, matchedBy, ownCopyOf, type SoughtTest } from './match-mails.js';

const TOKEN = '7q2k3mz4c3x5ab2d';
const AT = new Date('2026-11-26T10:00:00Z');
const OWN = ownCopyOf(
  fieldsOf('Message-ID: <1@shop.test>\nFrom: Shop <news@shop.test>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?='),
);
const TEST: SoughtTest = { testId: 1, token: TOKEN, createdAt: AT, own: OWN, isAlone: true };

function fieldsOf(text: string) {
  return headerFields(Buffer.from(`${text.replaceAll('\n', '\r\n')}\r\n\r\nbody`));
}

const by = (text: string, test: Partial<SoughtTest> = {}, arrivedAt = AT) =>
  matchedBy({ ...TEST, ...test }, { uid: 1, arrivedAt, fields: fieldsOf(text) });

describe('a mail is known for that of a test', () => {
  it.each([
    ['its recipient', `To: a@b.test,\n <test-${TOKEN.toUpperCase()}@in.test>`, 'recipient'],
    ['its recipient with an extension', `Cc: test-${TOKEN}+gmail@in.test`, 'recipient'],
    ['its header', `X-MailSonde-Test:  ${TOKEN}`, 'header'],
    ['its subject', `Subject: Sale (${TOKEN})`, 'subject'],
    [
      'its subject in words of RFC 2047',
      `Subject: =?utf-8?b?${Buffer.from(`Grüße ${TOKEN}`).toString('base64')}?=`,
      'subject',
    ],
    ['the Message-ID of our own copy', 'Message-ID:\n <1@shop.test>', 'message_id'],
    [
      'author and subject of our own copy',
      'From: "x@other.test" <offers@SHOP.test>\nSubject: =?iso-8859-1?q?Gr=FC=DFe?=',
      'from_and_subject',
    ],
  ])('a mail is known for that of a test by %s', (_, text, sign) => expect(by(text)).toBe(sign));

  it.each([
    ['another token', `X-Mailsonde-Test: x${TOKEN}`, {}],
    ['a subject that holds more than the token', `Subject: ${TOKEN}a`, {}],
    ['an address at another name', `To: nottest-${TOKEN}x@in.test`, {}],
    [
      'author and subject while another test of the account waits',
      'From: a@shop.test\nSubject: Grüße',
      { isAlone: false },
    ],
    ['author and subject without an own copy', 'From: a@shop.test\nSubject: Grüße', { own: null }],
    ['the author alone', 'From: a@shop.test\nSubject: Other', {}],
    ['the subject alone', 'From: a@shop.test.evil\nSubject: Grüße', {}],
    ['a name in the author that looks like an address', 'From: "a@shop.test" <a@evil.test>\nSubject: Grüße', {}],
    ['nothing', 'X: y', {}],
  ])('a mail is known for that of a test not by %s', (_, text, test) => expect(by(text, test)).toBeNull());

  it('a mail is known for that of a test not when it is older than the test', () => {
    expect(by(`X-Mailsonde-Test: ${TOKEN}`, {}, new Date(AT.getTime() - 600_000))).toBeNull();
    expect(by(`X-Mailsonde-Test: ${TOKEN}`, {}, new Date(AT.getTime() - 60_000))).toBe('header');
  });

  it('a mail is known for that of a test by the surest of its signs', () => {
    expect(by(`Subject: ${TOKEN}\nTo: test-${TOKEN}@in.test\nMessage-ID: <1@shop.test>`)).toBe('recipient');
    expect(MATCH_ORDER.every((one, i) => MATCH_ORDER.slice(i + 1).every((other) => isSurer(one, other)))).toBe(true);
    expect(isSurer('header', 'header')).toBe(false);
  });
});

describe('a head', () => {
  it('a head of nonsense is no field, and takes no time', () => {
    const heads = [
      '',
      '\0\0\0',
      ': x',
      'a b: c',
      ' \t\n \n',
      'x: y\n'.repeat(9_000),
      'a'.repeat(60_000),
      `Subject: ${'=?utf-8?q?'.repeat(6_000)}`,
    ];
    const readAll = () => {
      for (const text of heads) {
        const fields = headerFields(Buffer.from(text));
        expect(fields.length).toBeLessThanOrEqual(500);
        expect([messageIdOf(fields), fromDomainOf(fields)]).toEqual([null, null]);
        expect(matchedBy(TEST, { uid: 1, arrivedAt: AT, fields })).toBeNull();
      }
    };
    expect(cpuMs(readAll)).toBeLessThan(2_000);
  });

  it('a head ends where the body begins', () => {
    expect(headerFields(Buffer.from(`A: 1\r\n\r\nX-Mailsonde-Test: ${TOKEN}\r\n`))).toEqual([
      { name: 'a', value: '1' },
    ]);
  });
});
