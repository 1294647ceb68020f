import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.js';

const NOTHING = { records_added: [], records_removed: [], records_changed: [], listings_changed: [] };

describe('what is different between two looks', () => {
  it('what is different between two looks is nothing where nothing is', () => {
    expect(diffLines(NOTHING)).toEqual([]);
  });

  it('what is different between two looks is told value by value, and what stayed is left out', () => {
    const record = { name: 'example.com.', type: 'TXT' } as const;
    expect(
      diffLines({
        ...NOTHING,
        records_removed: [{ area: 'mx', name: 'example.com.', type: 'MX', value: '20 mx2.example.com.' }],
        records_changed: [{ ...record, before: ['same', 'v=spf1 mx -all'], after: ['same', 'v=spf1 mx a -all'] }],
        listings_changed: [{ list: 'psbl', target: '198.51.100.25', before: null, after: 'not_listed' }],
      }),
    ).toEqual([
      { sign: '-', text: 'example.com. MX 20 mx2.example.com.' },
      { sign: '-', text: 'example.com. TXT v=spf1 mx -all' },
      { sign: '+', text: 'example.com. TXT v=spf1 mx a -all' },
      { sign: '-', text: 'psbl: 198.51.100.25 not asked' },
      { sign: '+', text: 'psbl: 198.51.100.25 not listed' },
    ]);
  });
});
