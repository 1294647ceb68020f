import { describe, expect, it } from 'vitest';

import { EVIDENCE_BYTES, evidenceText } from './evidence-text.js';

describe('evidence text', () => {
  it('does not change printable text', () => {
    expect(evidenceText('5.1.1 <a@b.test>: User unknown')).toBe('5.1.1 <a@b.test>: User unknown');
    expect(evidenceText('Empfänger unbekannt, 收件人')).toBe('Empfänger unbekannt, 收件人');
    expect(evidenceText('')).toBe('');
  });

  it('has no controls, line breaks, escapes, invisible or direction-changing characters, or lone surrogates', () => {
    expect(evidenceText(' a\u0000b\r\n\tc\u001b[31md\u200be\u202ef\u2028g\ud800h  i\ufeff ')).toBe(
      'a b c [31md e f g h i',
    );
  });

  it('takes no time over a long text with one control in it', () => {
    const started = performance.now();
    expect(evidenceText(`${'N'.repeat(500)}\rN`)).toBe(`${'N'.repeat(500)} N`);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('has 512 bytes of UTF-8 at most and never half a character', () => {
    expect(evidenceText('x'.repeat(600))).toBe('x'.repeat(EVIDENCE_BYTES));
    const cut = evidenceText('ä'.repeat(600));
    expect(cut).toBe('ä'.repeat(EVIDENCE_BYTES / 2));
    expect(Buffer.byteLength(evidenceText('x' + '😀'.repeat(600)))).toBe(509);
    expect(evidenceText('😀'.repeat(600))).not.toContain('\ufffd');
  });
});
