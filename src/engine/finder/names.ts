import type { FinderData, OtherForms, Speller, Spelling } from './finder-data.js';
import { type NameParts, splitFullName } from './full-name.js';

export type NameInput = { readonly full: string } | { readonly first: string; readonly last: string };

/** One way to write a part of a name in an address. */
export interface Form {
  /** ASCII, lower case, perhaps with hyphens or dots; empty when only initials are known. */
  readonly text: string;
  /** The initials of all its parts: `am` for Anna-Maria. */
  readonly initials: string;
  /** 0–1; the weights of a part's forms make 1. */
  readonly weight: number;
  /** A short form of the given name, or the name that the given short form may shorten. */
  readonly isAnother?: boolean;
}

/** One reading of a name. */
export interface NameReading {
  readonly given: readonly Form[];
  /** Empty for people with one name. */
  readonly family: readonly Form[];
  /** The first further given name, or null. */
  readonly middle: Form | null;
  readonly weight: number;
}

/** The shares of a given name's weight for its short forms, common and rare; then those for the full names behind a short one. */
const SHORT_WEIGHTS = { common: 0.12, rare: 0.02 } as const;
const FULL_WEIGHTS = { common: 0.06, rare: 0.01 } as const;
/** The weight of a name in quotes or parentheses: what the person is called. */
const CALLED_WEIGHT = 0.4;
const MAX_FORMS = 12;

/** How a name may be read and written, likeliest first. Empty when there is no letter in it that can be written. */
export function readName(input: NameInput, topLevel: string, data: FinderData, spell: Speller): NameReading[] {
  const text = ('full' in input ? input.full : `${input.last} ${input.first}`).normalize('NFKC');
  const language = japaneseAfterAll(languageOf(text, topLevel), text, topLevel, data);
  const plain = (word: string) => (spell(word, 'family', language)[0]?.parts ?? []).join('');
  const { readings, called } =
    'full' in input
      ? splitFullName(text, language, topLevel, data, plain)
      : { readings: [splitFields(input.first, input.last)], called: null };
  const writer = new NameWriter(language, topLevel, data, spell);
  return readings.flatMap((parts) => writer.write(parts, called)).sort((a, b) => b.weight - a.weight);
}

/** Chinese characters with a Japanese family name of two or three of them. */
function japaneseAfterAll(language: string | null, text: string, topLevel: string, { words }: FinderData) {
  if (language !== 'zh' || /^(cn|tw|hk|sg|mo)$/.test(topLevel)) return language;
  const signs = Array.from(text.replaceAll(/\s.*/gsu, ''));
  return [2, 3].some((length) => words.japaneseFamilies.has(signs.slice(0, length).join(''))) ? 'ja' : language;
}

function splitFields(first: string, last: string): NameParts {
  const words = (text: string) =>
    text
      .normalize('NFKC')
      .split(/[\s·・]+/u)
      .filter((word) => /\p{L}/u.test(word));
  const [given, ...middle] = words(first);
  return { given: given === undefined ? [] : [given], middle, family: words(last), weight: 1 };
}

class NameWriter {
  constructor(
    private readonly language: string | null,
    private readonly topLevel: string,
    private readonly data: FinderData,
    private readonly spell: Speller,
  ) {}

  write({ given, middle, family, weight }: NameParts, called: string | null): NameReading[] {
    const reading = {
      given: this.#given(given, middle, called),
      family: this.#family(family),
      middle: middle.flatMap((word) => this.#forms(word, 'given'))[0] ?? null,
      weight,
    };
    return reading.given.length === 0 && reading.family.length === 0 ? [] : [reading];
  }

  #given(words: readonly string[], middle: readonly string[], called: string | null): Form[] {
    const [first, second] = words;
    if (first === undefined) return [];
    const single = this.#forms(first, 'given');
    const own = second === undefined ? single : joinings(single, this.#forms(second, 'given'), DOUBLE_GIVEN);
    const isInitial = own.every(({ text }) => text.length < 2);
    const further: Form[] = [];
    if (called !== null) further.push(...scaled(this.#forms(called, 'given'), CALLED_WEIGHT));
    if (isInitial) {
      // "J. Robert Oppenheimer" may be called Robert.
      const names = middle.flatMap((word) => this.#forms(word, 'given')).filter(({ text }) => text.length > 1);
      further.push(...scaled(names.slice(0, 2), 0.4));
    } else if (this.language === 'vi' && middle.length > 0) {
      further.push(...scaled(joinings(this.#forms(middle.at(-1)!, 'given'), own, VIETNAMESE_GIVEN), 0.25));
    } else further.push(...this.#otherForms(own[0]!.text));
    const left = Math.max(0.2, 1 - further.reduce((sum, { weight }) => sum + weight, 0));
    return merged([...scaled(own, left), ...further]);
  }

  #otherForms(name: string): Form[] {
    const key = name.replaceAll(/[^a-z]/g, '');
    const { shortForms, fullForms } = this.data;
    return [...otherForms(shortForms.get(key), SHORT_WEIGHTS), ...otherForms(fullForms.get(key), FULL_WEIGHTS)];
  }

  #family(words: readonly string[]): Form[] {
    const { keptParticles, droppedParticles, spanishTopLevels } = this.data.words;
    const plain = (word: string) => this.#forms(word, 'family')[0]?.text ?? '';
    const start = words.findIndex((word) => !keptParticles.has(plain(word)) && !droppedParticles.has(plain(word)));
    if (start < 0) return words.length === 0 ? [] : this.#forms(words.join(''), 'family');
    const [name, second] = words.slice(start).map((word) => this.#forms(word, 'family'));
    if (name === undefined) return [];
    const isSpanish = spanishTopLevels.has(this.topLevel) || words.some((word) => /[^s]ez$/.test(plain(word)));
    const own = second === undefined ? name : joinings(name, second, isSpanish ? SPANISH_FAMILY : DOUBLE_FAMILY);
    const particles = words.slice(0, start).map(plain);
    if (particles.length === 0) return own;
    const isKept = particles.some((particle) => keptParticles.has(particle));
    const [joined, left, spaced] = isKept ? [0.6, 0.28, 0.06] : [0.35, 0.55, 0.05];
    const before = particles.join('');
    const initials = before[0]!;
    return merged([
      ...own.map((form) => ({ text: before + form.text, initials, weight: form.weight * joined })),
      ...scaled(own, left),
      ...['.', '-'].map((mark) => ({ text: [...particles, own[0]!.text].join(mark), initials, weight: spaced })),
    ]);
  }

  /** A word, perhaps of several parts that hyphens join. */
  #forms(word: string, role: 'given' | 'family'): Form[] {
    const [first, second] = word
      .split(/[-‐‑–]/u)
      .filter(Boolean)
      .map((part) => this.spell(part, role, this.language).flatMap((spelling) => formsOf(spelling, role)));
    if (first === undefined || first.length === 0) return [];
    const isSyllables = first.some(({ initials }) => initials.length > 1);
    if (second === undefined || second.length === 0) return merged(first);
    return merged(joinings(first, second, isSyllables ? SYLLABLES : role === 'given' ? HYPHEN_GIVEN : HYPHEN_FAMILY));
  }
}

/** How two words become one, and how often: joined, with a hyphen, the first alone, the second alone. */
interface Joining {
  readonly joined: number;
  readonly hyphen: number;
  readonly first: number;
  readonly second: number;
}

const HYPHEN_GIVEN: Joining = { joined: 0.33, hyphen: 0.4, first: 0.27, second: 0 };
const HYPHEN_FAMILY: Joining = { joined: 0.27, hyphen: 0.45, first: 0.14, second: 0.14 };
const DOUBLE_GIVEN: Joining = { joined: 0.2, hyphen: 0.08, first: 0.67, second: 0.05 };
const DOUBLE_FAMILY: Joining = { joined: 0.2, hyphen: 0.1, first: 0.15, second: 0.55 };
const SPANISH_FAMILY: Joining = { joined: 0.14, hyphen: 0.08, first: 0.66, second: 0.12 };
const VIETNAMESE_GIVEN: Joining = { joined: 1, hyphen: 0, first: 0, second: 0 };
const SYLLABLES: Joining = { joined: 0.85, hyphen: 0.15, first: 0, second: 0 };

function joinings(first: readonly Form[], second: readonly Form[], how: Joining): Form[] {
  const pairs = first.slice(0, 3).flatMap((a) => second.slice(0, 3).map((b) => [a, b] as const));
  const forms = pairs.flatMap(([a, b]): Form[] => {
    const weight = a.weight * b.weight;
    const initials = a.initials + b.initials;
    return [
      { text: a.text + b.text, initials, weight: weight * how.joined },
      { text: `${a.text}-${b.text}`, initials, weight: weight * how.hyphen },
      { text: a.text, initials: a.initials, weight: weight * how.first },
      { text: b.text, initials: b.initials, weight: weight * how.second },
    ];
  });
  return merged(forms.filter(({ weight }) => weight > 0));
}

function formsOf({ parts, weight }: Spelling, role: 'given' | 'family'): Form[] {
  const initials = parts.map((part) => part[0]!).join('');
  const joined = { text: parts.join(''), initials };
  if (parts.length === 1 || role === 'family') return [{ ...joined, weight }];
  return [
    { ...joined, weight: weight * SYLLABLES.joined },
    { text: parts.join('-'), initials, weight: weight * SYLLABLES.hyphen },
  ];
}

function otherForms(forms: OtherForms | undefined, weights: Readonly<Record<keyof OtherForms, number>>): Form[] {
  if (forms === undefined) return [];
  const of = (kind: keyof OtherForms) =>
    forms[kind].map((text): Form => {
      return { text, initials: text[0]!, weight: weights[kind] / forms[kind].length, isAnother: true };
    });
  return [...of('common'), ...of('rare')];
}

function scaled(forms: readonly Form[], factor: number): Form[] {
  return forms.map((form) => ({ ...form, weight: form.weight * factor }));
}

/** Forms with the same text become one with their weights added; likeliest first. */
function merged(forms: readonly Form[]): Form[] {
  const byText = new Map<string, Form>();
  for (const form of forms) {
    const known = byText.get(form.text);
    byText.set(form.text, known === undefined ? form : { ...known, weight: known.weight + form.weight });
  }
  return [...byText.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_FORMS);
}

/* Letters that one language has, read from the top; what they leave open the top-level domain may tell. */
const LETTERS: readonly (readonly [letters: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/[ђјљњћџѓќѕ]/iu, 'sr'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/[پچژگکی]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[\p{Script=Devanagari}]/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
  [/[ăơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđ]/iu, 'vi'],
  [/[ğışİ]/u, 'tr'],
  [/[őű]/iu, 'hu'],
  [/[ąęłńśźż]/iu, 'pl'],
  [/[þð]/iu, 'is'],
  [/[øæ]/iu, 'da'],
  [/å/iu, 'sv'],
  [/[õ]/iu, 'et'],
  [/ß/u, 'de'],
];

const TOP_LEVELS: Readonly<Record<string, string>> = {
  de: 'de',
  at: 'de',
  ch: 'de',
  li: 'de',
  se: 'sv',
  fi: 'sv',
  dk: 'da',
  no: 'da',
  is: 'is',
  tr: 'tr',
  hu: 'hu',
  ee: 'et',
  vn: 'vi',
  pl: 'pl',
};

/** The language that a top-level domain implies where a script alone is ambiguous. */
const BY_TOP_LEVEL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zh: { jp: 'ja' },
  ru: { ua: 'uk', bg: 'bg', rs: 'sr', mk: 'sr' },
  ar: { ir: 'fa' },
  da: { is: 'is' },
  sv: { dk: 'da', no: 'da' },
};

/** The language whose habits a name follows, judged by its letters and the top-level domain; null when neither shows one. */
export function languageOf(name: string, topLevel: string): string | null {
  const byLetters = LETTERS.find(([letters]) => letters.test(name))?.[1];
  if (byLetters !== undefined) return BY_TOP_LEVEL[byLetters]?.[topLevel] ?? byLetters;
  const byTopLevel = TOP_LEVELS[topLevel] ?? null;
  // Umlauts alone are most often German.
  return byTopLevel ?? (/[äöü]/iu.test(name) ? 'de' : null);
}
