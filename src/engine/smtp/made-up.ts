import type { Random } from '../ports.js';

const FIRST = [
  'alex',
  'anna',
  'chris',
  'dana',
  'eva',
  'jan',
  'kim',
  'lee',
  'maria',
  'max',
  'nina',
  'robin',
  'sam',
  'tom',
];
const LAST = ['baker', 'berg', 'brown', 'costa', 'fischer', 'garcia', 'jensen', 'kowalski', 'martin', 'novak', 'rossi'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A local part that looks like a person's and, by its five digits, is nobody's: `anna.berg48215`. */
export function plausibleLocalPart(random: Random): string {
  const pick = (names: readonly string[]) => names[Math.floor(random.fraction() * names.length)]!;
  return `${pick(FIRST)}.${pick(LAST)}${10_000 + Math.floor(random.fraction() * 90_000)}`;
}

/** Fifteen letters and digits: 36^15 of them, so never anybody's. */
export function randomLocalPart(random: Random): string {
  let text = 'x';
  while (text.length < 15) text += LETTERS[Math.floor(random.fraction() * LETTERS.length)]!;
  return text;
}
