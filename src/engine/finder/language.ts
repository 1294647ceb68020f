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
