import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-time.js';

import { EVIDENCE_BYTES, evidenceText, refusalText } from './evidence-text.js';

describe('evidence text', () => {
  it('evidence text does not change printable text', () => {
    expect(evidenceText('5.1.1 <a@b.test>: User unknown')).toBe('5.1.1 <a@b.test>: User unknown');
    expect(evidenceText('Empfänger unbekannt, 收件人')).toBe('Empfänger unbekannt, 收件人');
    expect(evidenceText('')).toBe('');
  });

  it('evidence text has no controls, line breaks, escapes, invisible or direction-changing characters, or lone surrogates', () => {
    expect(evidenceText(' a\u0000b\r\n\tc\u001b[31md\u200be\u202ef\u2028g\ud800h  i\ufeff ')).toBe(
      'a b c [31md e f g h i',
    );
  });

  it('evidence text takes no time over a long text with one control in it', () => {
    let text = '';
    expect(cpuMs(() => (text = evidenceText(`${'N'.repeat(500)}\rN`)))).toBeLessThan(1000);
    expect(text).toBe(`${'N'.repeat(500)} N`);
  });

  it('evidence text has 512 bytes of UTF-8 at most and never half a character', () => {
    expect(evidenceText('x'.repeat(600))).toBe('x'.repeat(EVIDENCE_BYTES));
    const cut = evidenceText('ä'.repeat(600));
    expect(cut).toBe('ä'.repeat(EVIDENCE_BYTES / 2));
    expect(Buffer.byteLength(evidenceText('x' + '😀'.repeat(600)))).toBe(509);
    expect(evidenceText('😀'.repeat(600))).not.toContain('\ufffd');
  });
});

describe('the text of a refusal that is kept apart from its recipient', () => {
  it.each([
    ['Greylisted <Jane.Doe@example.com>, come back', 'jane.doe@example.com', 'Greylisted <…>, come back'],
    ['jane.doe: too many, see JANE.DOE@x.test', 'jane.doe@example.com', ': too many, see …'],
    ['see https://h.test/why?rcpt=jane%40example.com&ip=1', 'jane@example.com', 'see https://h.test/why?…&ip=1'],
    ['bounce+jane=example.com@h.test refused', null, '… refused'],
    ['jane=40example.com waits', null, '… waits'],
    ['Janet and janes may pass', 'jane@example.com', 'Janet and janes may pass'],
    ['user is greylisted', 'user@example.com', 'user is greylisted'],
    ['\u0130van ivan ivan', 'ivan+tag@example.com', 'i\u0307van  '],
    ['ja\u0000ne@example.com \u202e\u0000', null, 'ja …'],
    ['Client host blocked', null, 'Client host blocked'],
  ])('the text of a refusal that is kept apart from its recipient holds no address: %s', (text, recipient, kept) => {
    expect(refusalText(text, recipient)).toBe(kept.trim());
  });

  it('the text of a refusal that is kept apart from its recipient holds no half of an address where it ends', () => {
    expect(refusalText(`${'x '.repeat(250)}somebody.long@example.com`, null)).not.toContain('some');
  });

  it('the text of a refusal that is kept apart from its recipient is as short as evidence, and takes no time over a hostile text', () => {
    const hostile = ['@'.repeat(5000), 'a'.repeat(5000), 'a '.repeat(2500), 'x@'.repeat(2500), 'é%40'.repeat(1000)];
    let kept: string[] = [];
    expect(cpuMs(() => (kept = hostile.map((text) => refusalText(text, 'a@example.com'))))).toBeLessThan(1000);
    for (const text of kept) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(EVIDENCE_BYTES);
  });
});
