/** What the finder knows beforehand of names and addresses: `config/finder/`, read by whoever asks. */

export type SizeClass = 'small' | 'medium' | 'large';

export interface PatternRow {
  /** Such as `{first}.{last}`; `{f}`, `{l}`, `{m}` are initials, `{last7}` the first seven letters. */
  readonly template: string;
  /** How common it is among companies of a size. */
  readonly weights: Readonly<Record<SizeClass, number>>;
}

export interface SizeRow {
  /** Rows of `config/mail-providers.json`. */
  readonly operators: readonly string[];
  readonly weights: Readonly<Record<SizeClass, number>>;
}

export interface NameWords {
  /** In lower case without dots; one that ends with a dot is a title only with it. */
  readonly titles: ReadonlySet<string>;
  readonly suffixes: ReadonlySet<string>;
  /** What is a suffix behind a comma only, and else may be a name. */
  readonly degrees: ReadonlySet<string>;
  readonly keptParticles: ReadonlySet<string>;
  readonly droppedParticles: ReadonlySet<string>;
  /** "Son of": the name after it is the father's. */
  readonly filiations: ReadonlySet<string>;
  readonly conjunctions: ReadonlySet<string>;
  /** By language, in ASCII: family names that stand first. */
  readonly familyFirst: Readonly<Record<string, ReadonlySet<string>>>;
  /** In their own script: family names of more than one sign, by which a name without spaces is cut. */
  readonly longFamilies: ReadonlySet<string>;
  /** The same, of two signs and more, for names that look Chinese and are Japanese. */
  readonly japaneseFamilies: ReadonlySet<string>;
  readonly patronymic: RegExp;
  /** Top-level domains where two family names are borne and the first is used. */
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
  /** In ASCII: a given name to its short forms, and a short form to the names it may stand for. */
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
