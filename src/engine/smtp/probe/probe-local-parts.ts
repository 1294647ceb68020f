import type { Random } from '../../../lib/clock.js';

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

/** A local part for a control probe that looks like a person's and, by its five digits, belongs to nobody: `anna.berg48215`. */
export function plausibleLocalPart(random: Random): string {
  const pick = (names: readonly string[]) => names[Math.floor(random.fraction() * names.length)]!;
  return `${pick(FIRST)}.${pick(LAST)}${10_000 + Math.floor(random.fraction() * 90_000)}`;
}

/** A local part of fifteen letters and digits: so many exist that no mailbox has this one. */
export function randomLocalPart(random: Random): string {
  let text = 'x';
  while (text.length < 15) text += LETTERS[Math.floor(random.fraction() * LETTERS.length)]!;
  return text;
}
