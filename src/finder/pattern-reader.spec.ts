import { describe, expect, it } from 'vitest';
import { readFinderData } from './finder-data.provider.js';
import { createPatternReader } from './pattern-reader.js';
import { readReadings } from './spelling.js';

const read = createPatternReader(readFinderData(readReadings()));

describe('the pattern of an address of which nothing else is known', () => {
  it.each([
    ['jane.doe', '{first}.{last}'],
    ['Jane.Kowalczewska', '{first}.{last}'],
    ['kowalski.anna', '{last}.{first}'],
    ['jane_doe', '{first}_{last}'],
    ['jsmith', '{f}{last}'],
    ['j.smith', '{f}.{last}'],
    ['smith.j', '{last}.{f}'],
    ['janesmith', '{first}{last}'],
    ['jane', '{first}'],
    ['jane.d', '{first}.{l}'],
    ['jane.doe+news', '{first}.{last}'],
    ['thomas.mueller', '{first}.{last}'],
    ['hoffmann', '{last}'],
  ])('%s is read as %s', (localPart, pattern) => expect(read(localPart)).toBe(pattern));

  it.each(['xqzw', 'xq.zw', 'jd', 'newsletter2024', 'a.b', 'jane.van.der.berg', 'x', '', '日本', 'jkowalczewskaxx'])(
    '"%s" is not clear, and teaches nothing',
    (localPart) => expect(read(localPart)).toBeNull(),
  );
});
