import type { SeedStanding } from '../../seed-placement.js';
import type { HeaderField } from './header-fields.js';

export type SeedAuthentication = NonNullable<SeedStanding['authentication']>;

/** Whose `Authentication-Results` are the provider's own words. */
export interface ResultsWriter {
  /** Names of servers, or `*.` and a name for all below it. */
  readonly authservIds: readonly string[];
  readonly isUnnamed: boolean;
}

const METHODS = ['spf', 'dkim', 'dmarc'] as const;
/** RFC 8601 section 2.7; Microsoft has `bestguesspass` for domains without DMARC. */
const RESULTS = new Set('none pass fail softfail policy neutral temperror permerror hardfail bestguesspass'.split(' '));
const MAX_RESULTS = 50;

/**
 * What a provider itself says of the authentication of a mail: in the topmost header whose authserv-id is its own, and in no other, since
 * whoever wrote the mail may have written more of them below it (RFC 8601 section 5).
 * @returns null: it says nothing
 */
export function authenticationOf(fields: readonly HeaderField[], writer: ResultsWriter): SeedAuthentication | null {
  const headers = fields.filter(({ name }) => name === 'authentication-results').map(({ value }) => parsed(value));
  const own = headers.find((header) => header !== null && isOwn(header.authservId, writer));
  if (own === undefined || own === null) return null;
  const said = (method: string): string | null => {
    const results = own.results.filter((one) => one.method === method).map(({ result }) => result);
    // One valid signature is enough (RFC 6376 section 6.1).
    return results.find((result) => result === 'pass') ?? results[0] ?? null;
  };
  const [spf, dkim, dmarc] = METHODS.map(said);
  return { spf: spf ?? null, dkim: dkim ?? null, dmarc: dmarc ?? null };
}

interface ParsedHeader {
  /** Null: it names no server. */
  readonly authservId: string | null;
  readonly results: readonly { readonly method: string; readonly result: string }[];
}

function parsed(value: string): ParsedHeader | null {
  const [first = '', ...rest] = withoutComments(value).split(';', MAX_RESULTS);
  const unnamed = first.includes('=');
  const authservId = unnamed ? null : (/^\s*"?([^\s";]{1,253})"?(\s+\d+)?\s*$/.exec(first)?.[1]?.toLowerCase() ?? null);
  if (!unnamed && authservId === null) return null;
  const results = (unnamed ? [first, ...rest] : rest).flatMap((text) => {
    const [, method = '', result = ''] = /^\s*([a-z]+)(?:\/\d+)?\s*=\s*([a-z]+)\b/i.exec(text) ?? [];
    return RESULTS.has(result.toLowerCase()) ? [{ method: method.toLowerCase(), result: result.toLowerCase() }] : [];
  });
  return { authservId, results };
}

/** Comments nest (RFC 5322 section 3.2.2), and what a stranger wrote in one may look like a result. */
function withoutComments(value: string): string {
  let depth = 0;
  let isQuoted = false;
  let text = '';
  for (let i = 0; i < value.length; i++) {
    const character = value[i]!;
    if (character === '\\' && (depth > 0 || isQuoted)) i++;
    else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (character === '(' && !isQuoted) depth++;
    else if (character === ')' && depth > 0) depth--;
    // What is quoted is a value of somebody's choice, and no result.
    else if (depth === 0 && !(isQuoted && /[;=]/.test(character))) text += character;
  }
  return text;
}

function isOwn(authservId: string | null, { authservIds, isUnnamed }: ResultsWriter): boolean {
  if (authservId === null) return isUnnamed;
  return authservIds.some((own) =>
    own.startsWith('*.') ? authservId.endsWith(own.slice(1)) : authservId === own.toLowerCase(),
  );
}
