import type { FinderData, PatternRow, SizeClass, SizeRow } from './finder-data.js';
import type { Form, NameReading } from './names.js';

export type Token = 'first' | 'last' | 'f' | 'l' | 'm' | 'middle' | 'first3' | 'last3' | 'last7';

type Piece = { readonly token: Token } | { readonly mark: string };

/** A pattern such as `{first}.{last}`, read. */
export interface Pattern {
  readonly template: string;
  readonly pieces: readonly Piece[];
  readonly needsFirst: boolean;
  readonly needsInitial: boolean;
  readonly needsFamily: boolean;
  readonly needsMiddle: boolean;
  /** It shows one name whole and at least the initial of the other. */
  readonly isPersonal: boolean;
}

const PIECE = /\{(first3|first|last3|last7|last|middle|f|l|m)\}|([^{}]+)/g;

/** The patterns are those of `config/finder/`, so there are few. */
const patterns = new Map<string, Pattern>();

/** Reads a pattern; each one once. */
export function patternOf(template: string): Pattern {
  const pattern = patterns.get(template) ?? read(template);
  patterns.set(template, pattern);
  return pattern;
}

function read(template: string): Pattern {
  const pieces = [...template.matchAll(PIECE)].map(([, token, mark]): Piece =>
    token === undefined ? { mark: mark! } : { token: token as Token },
  );
  const has = (...tokens: Token[]) => pieces.some((piece) => 'token' in piece && tokens.includes(piece.token));
  const needsFirst = has('first', 'first3');
  const needsFamily = has('last', 'l', 'last3', 'last7');
  const isPersonal = needsFamily && (needsFirst || has('f')) && has('first', 'last', 'last7', 'first3');
  return {
    template,
    pieces,
    needsFirst,
    needsInitial: has('f'),
    needsFamily,
    needsMiddle: has('m', 'middle'),
    isPersonal,
  };
}

/** A local part that the person may have. */
export interface Candidate {
  readonly localPart: string;
  /** The likeliest pattern that makes it. */
  readonly pattern: string;
  /** 0–1: how likely it is the one, if the person has an address of any known pattern. */
  readonly weight: number;
  /** It shows one name whole and at least the initial of the other; a local part that shows less may be another person's. */
  readonly isPersonal: boolean;
  /** It is made of the name as it was given, not of a short form of it. */
  readonly isOwnName: boolean;
}

/** How often each pattern was seen among a domain's addresses. */
export type SeenPatterns = ReadonlyMap<string, number>;

/** The patterns common among all organisations count as much as so many addresses of the domain. */
const PRIOR_ADDRESSES = 3;
/** A local part that may be another person's proves less when it exists, so it is verified later than its weight alone says. */
const SHARED_FACTOR = 0.6;
const MAX_CANDIDATES = 60;
const LOCAL_PART = /^[a-z0-9]+([._-][a-z0-9]+)*$/;
const MAX_OCTETS = 64;

interface Found {
  pattern: string;
  best: number;
  weight: number;
  isPersonal: boolean;
  isOwnName: boolean;
}

/** The local parts that a name may have at a domain, in the order in which they are best asked about. */
export function candidatesFor(
  readings: readonly NameReading[],
  { patterns }: Pick<FinderData, 'patterns'>,
  size: SizeRow,
  seen: SeenPatterns,
): Candidate[] {
  const found = new Map<string, Found>();
  const shares = patternShares(patterns, size, seen);
  for (const reading of readings) {
    const initialled = initialForms(reading.given);
    for (const [pattern, share] of shares)
      for (const written of writings(pattern, reading, initialled)) {
        const weight = written.weight * share * reading.weight;
        const known = found.get(written.localPart) ?? {
          pattern: '',
          best: 0,
          weight: 0,
          isPersonal: false,
          isOwnName: false,
        };
        known.weight += weight;
        known.isPersonal ||= pattern.isPersonal;
        known.isOwnName ||= written.isOwnName;
        if (weight > known.best) Object.assign(known, { pattern: pattern.template, best: weight });
        found.set(written.localPart, known);
      }
  }
  const total = [...found.values()].reduce((sum, { weight }) => sum + weight, 0);
  const priority = ({ weight, isPersonal }: Candidate) => weight * (isPersonal ? 1 : SHARED_FACTOR);
  return [...found]
    .filter(([localPart]) => localPart.length <= MAX_OCTETS && LOCAL_PART.test(localPart))
    .map(([localPart, { pattern, weight, isPersonal, isOwnName }]): Candidate => ({
      localPart,
      pattern,
      weight: weight / total,
      isPersonal,
      isOwnName,
    }))
    .sort((a, b) => priority(b) - priority(a) || (a.localPart < b.localPart ? -1 : 1))
    .slice(0, MAX_CANDIDATES);
}

/** How likely each pattern is at a domain: its share among all organisations, weighed against its share among the domain's known addresses. */
function patternShares(patterns: readonly PatternRow[], size: SizeRow, seen: SeenPatterns): [Pattern, number][] {
  const common = patterns.map(({ template, weights }) => ({ template, weight: mixed(weights, size) }));
  const total = common.reduce((sum, { weight }) => sum + weight, 0);
  const addresses = common.reduce((sum, { template }) => sum + (seen.get(template) ?? 0), 0);
  return common.map(({ template, weight }) => {
    const expected = (weight / total) * PRIOR_ADDRESSES;
    return [patternOf(template), (expected + (seen.get(template) ?? 0)) / (PRIOR_ADDRESSES + addresses)];
  });
}

function mixed(weights: Readonly<Record<SizeClass, number>>, { weights: sizes }: SizeRow): number {
  return weights.small * sizes.small + weights.medium * sizes.medium + weights.large * sizes.large;
}

const NOTHING: readonly Form[] = [{ text: '', initials: '', weight: 1 }];

interface Written {
  readonly localPart: string;
  readonly weight: number;
  readonly isOwnName: boolean;
}

/** The local parts that a pattern makes of a name's forms; none when the name lacks a part that the pattern needs. */
function writings(pattern: Pattern, { given, family, middle }: NameReading, initialled: readonly Form[]): Written[] {
  if (pattern.needsMiddle && middle === null) return [];
  const first = pattern.needsFirst ? given : pattern.needsInitial ? initialled : NOTHING;
  const last = pattern.needsFamily ? family : NOTHING;
  const written: Written[] = [];
  for (const g of first)
    for (const f of last) {
      let localPart = '';
      for (const piece of pattern.pieces) {
        const text = 'mark' in piece ? piece.mark : textOf(piece.token, g, f, middle);
        if (text === null) {
          localPart = '';
          break;
        }
        localPart += text;
      }
      if (localPart !== '') written.push({ localPart, weight: g.weight * f.weight, isOwnName: g.isAnother !== true });
    }
  return written;
}

/** Forms that differ in nothing but their initials: one, or for Jean-Pierre and 小明 more rarely both. */
function initialForms(given: readonly Form[]): Form[] {
  const byInitials = new Map<string, Form>();
  for (const { initials, weight, isAnother = false } of given) {
    const shares =
      initials.length < 2
        ? [[initials, 1] as const]
        : ([
            [initials[0]!, 0.75],
            [initials, 0.25],
          ] as const);
    for (const [text, share] of shares) {
      const known = byInitials.get(text) ?? { text: '', initials: text, weight: 0, isAnother: true };
      const isStillAnother = known.isAnother === true && isAnother;
      byInitials.set(text, { ...known, weight: known.weight + weight * share, isAnother: isStillAnother });
    }
  }
  return [...byInitials.values()];
}

function textOf(token: Token, given: Form, family: Form, middle: Form | null): string | null {
  const whole = (text: string | undefined) => (text !== undefined && text.length > 1 ? text : null);
  const cut = (text: string, length: number) => (text.length < length ? null : text.slice(0, length));
  switch (token) {
    case 'first':
      return whole(given.text);
    case 'last':
      return whole(family.text);
    case 'f':
      return given.text === '' ? given.initials || null : given.initials[0]!;
    case 'l':
      return family.initials[0] ?? null;
    case 'm':
      return middle?.initials[0] ?? null;
    case 'middle':
      return whole(middle?.text);
    case 'first3':
      return cut(given.text, 3);
    case 'last3':
      return cut(family.text, 3);
    case 'last7':
      return cut(family.text, 7);
  }
}
