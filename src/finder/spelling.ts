import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import anyAscii from 'any-ascii';
import type { Speller, Spelling } from '../engine/finder/finder-data.js';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';

type Spellings = Readonly<Record<string, readonly string[]>>;

/** How a language's names are written in Latin letters where letters alone do not decide. */
interface Reading {
  readonly words?: Spellings;
  readonly given?: Spellings;
  readonly family?: Spellings;
  /** Parts of a given name, one sign each. */
  readonly syllables?: Spellings;
  /** Letters with their replacements, applied before transliteration. */
  readonly letters?: Spellings;
  /** After it: what matches may also be written so. */
  readonly variants?: readonly (readonly [pattern: string, instead: readonly string[]])[];
}

export type Readings = Readonly<Record<string, Reading>>;

/** The weights of the first, second … spelling of a word. */
const SHARES = [0.62, 0.23, 0.1, 0.05] as const;

export function readReadings(): Readings {
  return JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'finder/readings.json'), 'utf8'), withoutPrototype) as Readings;
}

/** Words of callers are looked up in these objects, and `constructor` is a word. */
function withoutPrototype(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.assign(Object.create(null) as object, value);
}

/** Writes words of any script in ASCII: kept readings first, then `any-ascii` with the habits of the language. */
export function createSpeller(readings: Readings): Speller {
  return (word, role, language) => {
    const reading = (language === null ? undefined : readings[language]) ?? {};
    const key = word.normalize('NFC').toLowerCase();
    const kept = reading[role]?.[key] ?? reading.words?.[key];
    if (kept !== undefined) return weighed(kept.map((text) => [text]));
    const syllables = role === 'given' ? syllablesOf(key, reading) : null;
    if (syllables !== null) return weighed(syllables);
    if (language === 'ar' || language === 'fa') return arabic(key, reading);
    if (language === 'hi') return weighed(varied(devanagari(key), reading));
    return weighed(varied(latinised(key, reading, language), reading));
  };
}

function weighed(spellings: readonly (readonly string[])[]): Spelling[] {
  const clean = spellings
    .map((parts) => parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]/g, '')).filter(Boolean))
    .filter((parts) => parts.length > 0)
    .filter((parts, i, all) => all.findIndex((other) => other.join('-') === parts.join('-')) === i)
    .slice(0, SHARES.length);
  const total = SHARES.slice(0, clean.length).reduce((sum, share) => sum + share, 0);
  return clean.map((parts, i) => ({ parts, weight: SHARES[i]! / total }));
}

/** Every letter that a language writes in two ways, in each way; then sign by sign. */
function latinised(word: string, { letters = {} }: Reading, language: string | null): string[][] {
  const ways = Object.entries(letters).reduce<string[]>(
    (texts, [letter, instead]) =>
      word.includes(letter) ? instead.flatMap((own) => texts.map((text) => text.replaceAll(letter, own))) : texts,
    [word],
  );
  return ways.map((text) => syllablesIn(anyAscii(text), language));
}

/** `any-ascii` begins each Chinese and Korean syllable with a capital. */
function syllablesIn(ascii: string, language: string | null): string[] {
  return language === 'zh' || language === 'ko' ? (ascii.match(/[A-Z]?[^A-Z]+|[A-Z]/g) ?? []) : [ascii];
}

function varied(spellings: readonly (readonly string[])[], { variants = [] }: Reading): string[][] {
  let all = spellings.map((parts) => [...parts]);
  for (const [pattern, instead] of variants) {
    const matcher = new RegExp(pattern, 'g');
    all = all.flatMap((parts) => {
      const text = parts.join('').toLowerCase();
      return text.search(matcher) < 0 ? [parts] : instead.map((own) => [text.replaceAll(matcher, own)]);
    });
  }
  // The first choices of all variants come before any second choice.
  return all.toSorted((a, b) => order(a, all) - order(b, all));
}

const order = (one: string[], all: readonly string[][]): number => all.indexOf(one);

/** Korean syllables as names are written; null for other scripts. */
function syllablesOf(word: string, { syllables }: Reading): string[][] | null {
  if (syllables === undefined || !/^\p{Script=Hangul}+$/u.test(word)) return null;
  const signs = Array.from(word).map((sign) => syllables[sign] ?? [anyAscii(sign)]);
  const usual = signs.map(([first]) => first!);
  const others = signs.flatMap((ways, i) => ways.slice(1).map((way) => usual.map((own, j) => (i === j ? way : own))));
  return [usual, ...others];
}

/** The article is written with the name or left out; short vowels are not written, so an `a` replaces them. */
function arabic(word: string, { words = {} }: Reading): Spelling[] {
  const [, article = '', name = word] = /^(ال)?(.+)$/u.exec(word) ?? [];
  const known = words[name] ?? [vowelled(anyAscii(name))];
  if (article === '') return weighed(known.map((text) => [text]));
  return weighed([...known.slice(0, 2).map((text) => [`al${text}`]), ...known.slice(0, 2).map((text) => [text])]);
}

function vowelled(consonants: string): string {
  return consonants.replaceAll(/[^a-z]/g, '').replaceAll(/([^aeiou])(?=[^aeiouyh])/g, '$1a');
}

const DEVANAGARI_CONSONANTS =
  'क k ख kh ग g घ gh ङ n च ch छ chh ज j झ jh ञ n ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n प p फ ph ब b भ bh म m य y र r ल l व v श sh ष sh स s ह h ड़ d ढ़ dh ज़ z फ़ f ख़ kh क़ q ग़ g ळ l';
const DEVANAGARI_VOWELS =
  'अ a आ a इ i ई i उ u ऊ u ऋ ri ए e ऐ ai ओ o औ au ा a ि i ी i ु u ू u ृ ri े e ै ai ो o ौ au ं n ँ n ः h';

const table = (text: string) => {
  const cells = text.normalize('NFC').split(' ');
  return new Map(cells.flatMap((sign, i) => (i % 2 === 0 ? [[sign, cells[i + 1]!] as const] : [])));
};
const CONSONANTS = table(DEVANAGARI_CONSONANTS);
const VOWELS = table(DEVANAGARI_VOWELS);

/** A consonant has an `a` unless another vowel or a virama follows, or it ends the word (schwa deletion). */
function devanagari(word: string): string[][] {
  const signs = Array.from(word).filter((sign) => sign !== '\u093c');
  const text = signs.map((sign, i) => {
    const consonant = CONSONANTS.get(sign);
    const next = signs[i + 1];
    if (consonant === undefined) return VOWELS.get(sign) ?? '';
    const isBare = next === undefined || next === '\u094d' || /[\u093e-\u094c]/.test(next);
    return isBare ? consonant : `${consonant}a`;
  });
  return [[text.join('')]];
}
