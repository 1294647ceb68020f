/** The finder's data about names and addresses, from the files in `config/finder/`, which the caller reads. */

export type SizeClass = 'small' | 'medium' | 'large';

export interface PatternRow {
  /** Such as `{first}.{last}`; `{f}`, `{l}`, `{m}` are initials, `{last7}` the first seven letters. */
  readonly template: string;
  /** How common it is among organisations of a size. */
  readonly weights: Readonly<Record<SizeClass, number>>;
}

export interface SizeRow {
  /** Rows of `config/mail-providers.json`. */
  readonly operators: readonly string[];
  readonly weights: Readonly<Record<SizeClass, number>>;
}

export interface NameWords {
  /** Titles in lower case without inner dots; one listed with a final dot is a title only with that dot. */
  readonly titles: ReadonlySet<string>;
  readonly suffixes: ReadonlySet<string>;
  /** Words that are a degree only behind a comma; elsewhere they may be names. */
  readonly degrees: ReadonlySet<string>;
  readonly keptParticles: ReadonlySet<string>;
  readonly droppedParticles: ReadonlySet<string>;
  /** "Son of": the name after it is the father's. */
  readonly filiations: ReadonlySet<string>;
  readonly conjunctions: ReadonlySet<string>;
  /** Family names that come first, in ASCII, by language. */
  readonly familyFirst: Readonly<Record<string, ReadonlySet<string>>>;
  /** Family names of more than one sign, in their own script; a name without spaces is split after them. */
  readonly longFamilies: ReadonlySet<string>;
  /** Japanese family names of two signs and more, for names that look Chinese and are Japanese. */
  readonly japaneseFamilies: ReadonlySet<string>;
  readonly patronymic: RegExp;
  /** Top-level domains of countries where people have two family names and use the first. */
  readonly spanishTopLevels: ReadonlySet<string>;
}

/** Forms that many people go by at work, and others. */
export interface OtherForms {
  readonly common: readonly string[];
  readonly rare: readonly string[];
}

export interface FinderData {
  readonly patterns: readonly PatternRow[];
  readonly sizes: { readonly default: SizeRow; readonly gateway: SizeRow; readonly others: readonly SizeRow[] };
  readonly words: NameWords;
  /** A given name to its short forms, and a short form to the names that it may shorten; in ASCII. */
  readonly shortForms: ReadonlyMap<string, OtherForms>;
  readonly fullForms: ReadonlyMap<string, OtherForms>;
  readonly givenNames: ReadonlySet<string>;
  readonly familyNames: ReadonlySet<string>;
}

/** One way to write a word in ASCII, lower case: its parts are syllables or what hyphens join. */
export interface Spelling {
  readonly parts: readonly string[];
  /** 0–1; the weights of a word's spellings make 1. */
  readonly weight: number;
}

/** How people write a word of a name, of any script, in an address; likeliest first, empty when there are no letters in it. */
export type Speller = (word: string, role: 'given' | 'family', language: string | null) => readonly Spelling[];
