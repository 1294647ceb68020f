import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { REPLY_BOUNDS, ReplyReader, type ReplyItem } from './reply.js';

function read(...chunks: (string | Buffer)[]): ReplyItem[] {
  const reader = new ReplyReader();
  return chunks.flatMap((chunk) => [...reader.push(Buffer.from(chunk as string))]);
}

describe('the reader of SMTP replies', () => {
  it('the reader of SMTP replies separates code, enhanced code and text', () => {
    expect(read('250 2.1.5 Ok\r\n550 5.1.1 <a@b.test>: User unknown\r\n250\r\n354 go\r\n220 \r\n')).toEqual([
      { code: 250, enhanced: '2.1.5', text: 'Ok' },
      { code: 550, enhanced: '5.1.1', text: '<a@b.test>: User unknown' },
      { code: 250, enhanced: null, text: '' },
      { code: 354, enhanced: null, text: 'go' },
      { code: 220, enhanced: null, text: '' },
    ]);
  });

  it('the reader of SMTP replies joins the lines of a reply with spaces, without the enhanced code that each repeats', () => {
    expect(
      read('550-5.1.1 The account\r\n550-5.1.1 does not exist,\r\n550 5.1.1  see https://x.test - gsmtp\r\n'),
    ).toEqual([{ code: 550, enhanced: '5.1.1', text: 'The account does not exist, see https://x.test - gsmtp' }]);
    expect(read('250-mx.test\r\n250-PIPELINING\r\n250 SIZE 1\r\n')).toEqual([
      { code: 250, enhanced: null, text: 'mx.test PIPELINING SIZE 1' },
    ]);
  });

  it("the reader of SMTP replies keeps an enhanced code in the text that is another than the first line's", () => {
    expect(read('550-5.7.1 no\r\n550 5.1.1 yes\r\n')).toEqual([{ code: 550, enhanced: '5.7.1', text: 'no 5.1.1 yes' }]);
  });

  it.each([
    ['550 #5.1.0 Address rejected.', '5.1.0'],
    ['553 sorry, no mailbox here by that name. (#5.7.1)', '5.7.1'],
    ['550 cuda_nsu 5.1.1 no such user', '5.1.1'],
    ['553 Mail from 5.1.1.9 not allowed - 5.7.1 [BL23]', '5.7.1'],
    ['421 4.16.55.1 see', null],
    ['550 2.1.5 Ok', '2.1.5'],
    ['550 host 15.1.1.2 says 4.7.1', null],
    ['550 5.1.1x', null],
    ['550 5.1234.1 x', null],
    ['550 id-5.9.4 x', null],
    ['550 5.7.1.', '5.7.1'],
  ])('the reader of SMTP replies finds the enhanced code of a refusal wherever it stands: %s', (line, enhanced) => {
    expect(read(`${line}\r\n`)).toMatchObject([{ enhanced }]);
  });

  it('the reader of SMTP replies takes a bare LF for a line end', () => {
    expect(read('250-a\n250 b\n')).toEqual([{ code: 250, enhanced: null, text: 'a b' }]);
  });

  it('the reader of SMTP replies decodes UTF-8 that is cut anywhere, and reads text without any as Latin-1', () => {
    const bytes = Buffer.from('550 5.1.1 Empfänger unbekannt 收件人\r\n');
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    expect(read(...pieces)).toEqual([{ code: 550, enhanced: '5.1.1', text: 'Empfänger unbekannt 收件人' }]);
    expect(read(Buffer.from([...Buffer.from('550 Bo'), 0xee, ...Buffer.from('te\r\n')]))).toEqual([
      { code: 550, enhanced: null, text: 'Boîte' },
    ]);
    expect(read(Buffer.from([...Buffer.from('550 收件'), 0xe4, 0xba, ...Buffer.from('\r\n')]))).toEqual([
      { code: 550, enhanced: null, text: '收件\ufffd' },
    ]);
  });

  it.each([
    ['a line over 2 KiB', `250 ${'x'.repeat(REPLY_BOUNDS.lineBytes)}\r\n`, 'line_too_long'],
    ['a line over 2 KiB that never ends', `250 ${'x'.repeat(REPLY_BOUNDS.lineBytes)}`, 'line_too_long'],
    ['over 100 lines', '250-x\r\n'.repeat(101), 'too_many_lines'],
    ['over 16 KiB in a reply', `250-${'x'.repeat(1000)}\r\n`.repeat(17), 'reply_too_long'],
    ['a code that changes between lines', '250-a\r\n550 b\r\n', 'code_changed'],
    ['text before a code', 'HTTP/1.1 400 Bad Request\r\n', 'not_a_reply'],
    ['an empty line', '\r\n', 'not_a_reply'],
    ['a code below 200', '199 x\r\n', 'not_a_reply'],
    ['a code above 599', '600 x\r\n', 'not_a_reply'],
    ['a code of four digits', '2500 x\r\n', 'not_a_reply'],
    ['a code with a tab behind it', '250\tx\r\n', 'not_a_reply'],
    ['bytes that are no text', Buffer.from([0xff, 0x00, 0x16, 0x03, 0x0a]), 'not_a_reply'],
  ])('the reader of SMTP replies reports %s as a problem and reads nothing after it', (_what, bytes, problem) => {
    const reader = new ReplyReader();
    expect(reader.push(Buffer.from('220 hello\r\n'))).toHaveLength(1);
    expect(reader.push(Buffer.from(bytes as string))).toEqual([{ problem }]);
    expect(reader.push(Buffer.from('250 ok\r\n'))).toEqual([]);
  });

  it('the reader of SMTP replies returns the whole replies before a problem in the same chunk', () => {
    expect(read('250 a\r\n250 b\r\nrubbish\r\n250 c\r\n')).toEqual([
      { code: 250, enhanced: null, text: 'a' },
      { code: 250, enhanced: null, text: 'b' },
      { problem: 'not_a_reply' },
    ]);
  });

  it('the reader of SMTP replies takes exactly what the bounds allow', () => {
    const line = `250-${'x'.repeat(REPLY_BOUNDS.lineBytes - 5)}\r\n`;
    expect(read(line + '250 end\r\n')).toMatchObject([{ code: 250 }]);
    expect(read('250-x\r\n'.repeat(99) + '250 end\r\n')).toMatchObject([{ code: 250 }]);
  });

  it('the reader of SMTP replies reads the same replies from every way to cut the bytes', () => {
    const text = fc.array(
      fc.constantFrom(
        '250 2.1.0 Ok\r\n',
        '250-a\r\n',
        '250 b\r\n',
        '550 5.1.1 ä\r\n',
        '421',
        ' bye\r\n',
        '\n',
        'x'.repeat(1500),
        '550-',
      ),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const offsets = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
        const chunks = [...offsets, bytes.length].map((to, at) => bytes.subarray(offsets[at - 1] ?? 0, to));
        expect(read(...chunks)).toEqual(read(bytes));
      }),
    );
  });
});
