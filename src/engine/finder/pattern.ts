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
