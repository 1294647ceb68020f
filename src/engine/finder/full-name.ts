import type { FinderData, NameWords } from './finder-data.js';

/** A full name taken apart. */
export interface NameParts {
  readonly given: readonly string[];
  readonly middle: readonly string[];
  /** Particles included. */
  readonly family: readonly string[];
  /** How sure this reading of the words is, 0–1. */
  readonly weight: number;
}

export interface FullName {
  readonly readings: readonly NameParts[];
  /** The name in quotes or parentheses, by which the person is called. */
  readonly called: string | null;
}

type Plain = (word: string) => string;

const JOINED_SCRIPT = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
const CALLED = /["“”„«(]\s*([^"“”„»()]{1,40}?)\s*["”»)]|(?<=\s)['‘]([^'‘’]{2,40})['’](?=\s)/u;
const EAST_ASIAN_TOP_LEVELS = /^(cn|tw|hk|kr|sg|mo)$/;

/** Takes a full name apart: removes titles and suffixes, and separates given from family names by language, lists and position. */
export function splitFullName(
  text: string,
  language: string | null,
  topLevel: string,
  data: FinderData,
  plain: Plain,
): FullName {
  const called = CALLED.exec(text);
  const rest = called === null ? text : text.replace(called[0], ' ');
  const pieces = rest.split(/[,،、]/).map((piece) => piece.trim());
  const named = pieces.filter((piece, i) => piece !== '' && (i === 0 || !wordsOf(piece).every(isTail(data.words))));
  const reader = new WordReader(language, topLevel, data, plain);
  const [first = '', second] = named;
  const readings = second === undefined ? reader.read(wordsOf(first)) : reader.readFamilyFirst(first, second);
  return { readings, called: called?.[1] ?? called?.[2] ?? null };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s·・•　]+/u).filter((word) => /\p{L}/u.test(word));
}

const bare = (word: string): string => word.toLowerCase().replaceAll('.', '');

function isTail({ suffixes, degrees }: NameWords): (word: string) => boolean {
  return (word) => suffixes.has(bare(word)) || degrees.has(bare(word));
}

class WordReader {
  constructor(
    private readonly language: string | null,
    private readonly topLevel: string,
    private readonly data: FinderData,
    private readonly plain: Plain,
  ) {}

  read(given: readonly string[]): NameParts[] {
    const words = this.#withoutTitles(given);
    if (words.length === 0) return [];
    if (words.every((word) => JOINED_SCRIPT.test(word))) return [this.#readJoinedScript(words)];
    if (words.length === 1) return [{ given: words, middle: [], family: [], weight: 1 }];
    const patronymic = words.findIndex((word, i) => i > 0 && this.data.words.patronymic.test(this.plain(word)));
    if (patronymic === 2 && words.length === 3)
      return [{ given: [words[1]!], middle: [words[2]!], family: [words[0]!], weight: 1 }];
    if (patronymic === 1 && words.length === 3)
      return [{ given: [words[0]!], middle: [words[1]!], family: [words[2]!], weight: 1 }];
    const swapped = this.#familyFirstChance(words);
    const natural = { ...this.#readNatural(words), weight: 1 - swapped };
    if (swapped === 0) return [natural];
    const turned = { ...this.#readTurned(words), weight: swapped };
    return swapped === 1 ? [turned] : [natural, turned];
  }

  /** "Berg, Anna Maria" */
  readFamilyFirst(family: string, given: string): NameParts[] {
    const [first, ...middle] = this.#withoutTitles(wordsOf(given));
    if (first === undefined) return this.read(wordsOf(family));
    return [{ given: [first], middle, family: this.#withoutTitles(wordsOf(family)), weight: 1 }];
  }

  #withoutTitles(words: readonly string[]): string[] {
    const { titles, suffixes } = this.data.words;
    let [from, to] = [0, words.length];
    const isTitle = (word: string) => titles.has(bare(word)) || (word.endsWith('.') && titles.has(`${bare(word)}.`));
    while (to - from > 1 && isTitle(words[from]!)) from += 1;
    while (to - from > 2 && suffixes.has(bare(words[to - 1]!))) to -= 1;
    return words.slice(from, to);
  }

  /** Han, Hangul and kana: the family name first, with or without a space behind it. */
  #readJoinedScript(words: readonly string[]): NameParts {
    const [first, ...rest] = words as [string, ...string[]];
    if (rest.length > 0) return { given: [rest.join('')], middle: [], family: [first], weight: 1 };
    const signs = Array.from(first);
    const { longFamilies, japaneseFamilies } = this.data.words;
    const isLong = (length: number) => {
      const start = signs.slice(0, length).join('');
      return longFamilies.has(start) || (this.language === 'ja' && japaneseFamilies.has(start));
    };
    const known = [3, 2].find((length) => signs.length > length && isLong(length));
    const length = known ?? (this.language === 'ja' && signs.length > 3 ? 2 : 1);
    if (signs.length <= length) return { given: [first], middle: [], family: [], weight: 1 };
    const family = signs.slice(0, length).join('');
    return { given: [signs.slice(length).join('')], middle: [], family: [family], weight: 1 };
  }

  /** The likelihood that the family name comes first. */
  #familyFirstChance(words: readonly string[]): number {
    const { givenNames, familyNames, words: known } = this.data;
    const [first, last] = [this.plain(words[0]!), this.plain(words.at(-1)!)];
    const standsFirst = (language: string, name: string) => known.familyFirst[language]?.has(name) ?? false;
    if (this.language === 'vi') return standsFirst('vi', first) ? (standsFirst('vi', last) ? 0.7 : 1) : 0;
    if (words.length > 2 && standsFirst('vi', first) && !givenNames.has(first)) return 0.8;
    const isEastAsian = (name: string) => standsFirst('ko', name) || standsFirst('zh', name);
    if (isEastAsian(first) && !isEastAsian(last)) {
      if (EAST_ASIAN_TOP_LEVELS.test(this.topLevel)) return 0.75;
      return givenNames.has(first) || familyNames.has(last) ? 0.1 : 0.6;
    }
    const isTurned = !givenNames.has(first) && familyNames.has(first) && givenNames.has(last) && !familyNames.has(last);
    if (isTurned) return 0.85;
    return this.language === 'hu' && familyNames.has(first) && givenNames.has(last) ? 0.6 : 0;
  }

  /** "Nguyễn Văn Hùng": the name in daily use comes last. */
  #readTurned(words: readonly string[]): Omit<NameParts, 'weight'> {
    const [family, ...rest] = words as [string, ...string[]];
    const isEastAsian = ['ko', 'zh'].some((language) => this.data.words.familyFirst[language]?.has(this.plain(family)));
    if (isEastAsian && this.language !== 'vi' && rest.length === 2)
      return { given: [rest.join('-')], middle: [], family: [family] };
    const isVietnamese = this.data.words.familyFirst['vi']?.has(this.plain(family)) ?? false;
    if (isVietnamese) return { given: [rest.at(-1)!], middle: rest.slice(0, -1), family: [family] };
    return { given: [rest[0]!], middle: rest.slice(1), family: [family] };
  }

  #readNatural(words: readonly string[]): Omit<NameParts, 'weight'> {
    const { keptParticles, droppedParticles, filiations, conjunctions } = this.data.words;
    const isParticle = (word: string) => {
      const name = this.plain(word);
      return keptParticles.has(name) || droppedParticles.has(name);
    };
    const given = words[0]!;
    let rest = words.slice(1);
    // "bin Salman" is the father, when a family name follows.
    const filiation = rest.findIndex((word) => filiations.has(this.plain(word)));
    const middle: string[] = [];
    if (filiation >= 0 && rest.length > filiation + 2) {
      middle.push(...rest.slice(0, filiation), rest[filiation + 1]!);
      rest = rest.slice(filiation + 2);
    }
    const conjunction = rest.findIndex((word, i) => i > 0 && i < rest.length - 1 && conjunctions.has(word));
    if (conjunction > 0) {
      const family = rest.slice(conjunction - 1).filter((word) => !conjunctions.has(word));
      return { given: [given], middle: [...middle, ...rest.slice(0, conjunction - 1)], family };
    }
    const particle = rest.findIndex((word, i) => i < rest.length - 1 && isParticle(word));
    if (particle >= 0)
      return { given: [given], middle: [...middle, ...rest.slice(0, particle)], family: rest.slice(particle) };
    return this.#readBetween(given, rest, middle);
  }

  /** The words between the first and the last are further given names or further family names. */
  #readBetween(given: string, rest: readonly string[], middle: readonly string[]): Omit<NameParts, 'weight'> {
    const { givenNames, familyNames, words } = this.data;
    const before = rest.at(-2);
    if (before === undefined) return { given: [given], middle, family: rest };
    const name = this.plain(before);
    const isSpanish = words.spanishTopLevels.has(this.topLevel);
    const isFamily = familyNames.has(name) && (!givenNames.has(name) || (isSpanish && rest.length > 2));
    if (name.length > 1 && (isFamily || (isSpanish && !givenNames.has(name)))) {
      const [second, ...others] = rest.slice(0, -2);
      const isDouble = second !== undefined && givenNames.has(this.plain(second));
      return {
        given: isDouble ? [given, second] : [given],
        middle: [...middle, ...(isDouble ? others : rest.slice(0, -2))],
        family: rest.slice(-2),
      };
    }
    return { given: [given], middle: [...middle, ...rest.slice(0, -1)], family: rest.slice(-1) };
  }
}
