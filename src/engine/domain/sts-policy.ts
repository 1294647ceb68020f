/* The policy of MTA-STS, RFC 8461 section 3.2: a small text file that the domain serves over HTTPS. */

export type StsMode = 'enforce' | 'testing' | 'none';

export interface StsPolicy {
  readonly mode: StsMode;
  /** Host names, or `*.` and the rest. */
  readonly patterns: readonly string[];
  readonly maxAgeSeconds: number;
}

/** What came of fetching the policy. */
export type StsFetch =
  /** `mediaType` in lower case, without parameters; null: the web server names none. */
  | { readonly outcome: 'found'; readonly text: string; readonly mediaType: string | null }
  /** `why` in words that a person can mend by. */
  | { readonly outcome: 'failed'; readonly why: string }
  /** Nothing is known: no answer within the time. */
  | { readonly outcome: 'unknown' };

/** What a sender can make of a policy; a text is why it can make nothing of it. */
export type StsReading = { readonly policy: StsPolicy } | { readonly problem: string };

const MAX_AGE_SECONDS = 31_557_600;
const PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export function stsPolicyUrl(domain: string): string {
  return `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
}

export function readStsPolicy(text: string): StsReading {
  const fields: (readonly [string, string])[] = [];
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === '') continue;
    const [, name, value] = /^([a-z0-9][a-z0-9_.-]{0,31})\s*:\s*(.*)$/i.exec(line) ?? [];
    if (name === undefined) return { problem: `"${line.slice(0, 80)}" is no line of a policy` };
    fields.push([name.toLowerCase(), value!]);
  }
  const field = (name: string) => fields.find(([one]) => one === name)?.[1] ?? null;
  if (field('version') !== 'STSv1') return { problem: 'it has no "version: STSv1"' };
  const mode = field('mode');
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none')
    return { problem: 'its mode is none of enforce, testing and none' };
  const maxAge = field('max_age') ?? '';
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > MAX_AGE_SECONDS)
    return { problem: `its max_age is no number of seconds up to ${MAX_AGE_SECONDS}` };
  const patterns = fields.flatMap(([name, value]) => (name === 'mx' ? [value.toLowerCase().replace(/\.$/, '')] : []));
  const wrong = patterns.find((pattern) => !PATTERN.test(pattern));
  if (wrong !== undefined) return { problem: `"${wrong.slice(0, 80)}" is no name of a mail host` };
  if (patterns.length === 0 && mode !== 'none') return { problem: 'it names no mail host (mx)' };
  return { policy: { mode, patterns, maxAgeSeconds: Number(maxAge) } };
}

/** Section 4.1: `*.` stands for exactly one label. */
export function isCovered(host: string, patterns: readonly string[]): boolean {
  const parent = host.slice(host.indexOf('.') + 1);
  return patterns.some((pattern) => (pattern.startsWith('*.') ? pattern.slice(2) === parent : pattern === host));
}

/** The text of a policy, as section 3.2 writes it. */
export function writeStsPolicy({ mode, patterns, maxAgeSeconds }: StsPolicy): string {
  return ['version: STSv1', `mode: ${mode}`, ...patterns.map((one) => `mx: ${one}`), `max_age: ${maxAgeSeconds}`]
    .map((line) => `${line}\n`)
    .join('');
}
