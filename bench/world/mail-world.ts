/**
 * The mail world that `bench/world` verifies against: who runs the mail of each domain, what its hosts are like, and a list of addresses with
 * the truth about each. All of it follows from numbers, so the list, the name server and the mail hosts agree without talking to
 * each other, in every run alike.
 */

/** `real`: the operators stand under their names, so that their rows of `config/mail-providers.json` hold; `none`: under names that nobody knows. */
export type Caps = 'real' | 'none';

/** What mail hosts are like. The hosts of a kind stand together in a network of loopback, by which a mail host knows its kind. */
export const KINDS = ['usual', 'without_pipelining', 'without_tls', 'greylisting', 'refusing', 'catch_all'] as const;
export type Kind = (typeof KINDS)[number];

interface Operator {
  readonly domain: string;
  readonly mailHost: string;
  /** Of the whole list, 0–1. */
  readonly share: number;
  /** Of Microsoft 365: companies, each with a domain and a mail host's name of its own. */
  readonly tenants?: true;
  /** Has no answer for anybody who asks at RCPT, so nobody can know. */
  readonly hides?: true;
}

const OPERATORS: readonly Operator[] = [
  { domain: 'gmail.com', mailHost: 'gmail-smtp-in.l.google.com', share: 0.2 },
  { domain: 'tenant.example.org', mailHost: 'mail.protection.outlook.com', share: 0.08, tenants: true },
  { domain: 'yahoo.com', mailHost: 'mta5.am0.yahoodns.net', share: 0.06, hides: true },
  { domain: 'outlook.com', mailHost: 'outlook-com.olc.protection.outlook.com', share: 0.05 },
  { domain: 'icloud.com', mailHost: 'mx01.mail.icloud.com', share: 0.03 },
  { domain: 'gmx.net', mailHost: 'mx00.emig.gmx.net', share: 0.03 },
  { domain: 'mail.ru', mailHost: 'mxs.mail.ru', share: 0.02, hides: true },
  { domain: 'yandex.ru', mailHost: 'mx.yandex.ru', share: 0.01 },
  { domain: 'orange.fr', mailHost: 'smtp-in.orange.fr', share: 0.01 },
  { domain: 'comcast.net', mailHost: 'mx1.comcast.net', share: 0.01 },
];
const AT_OPERATORS = OPERATORS.reduce((sum, { share }) => sum + share, 0);
const ADDRESSES_OF_A_TENANT = 50;

const HOSTERS = 40;
/** Of the domains of the long tail. */
const HOSTED = 0.4;
/** The r-th of n domains has addresses in proportion to r to the power of -1/2. */
const RANK_POWER = 2;
const ADDRESSES_OF_A_TAIL_DOMAIN = 8;
const MISSING = 0.03;
/** Kinds of the long tail's own hosts, with their shares; the others are usual. */
const TAIL_KINDS: readonly (readonly [Kind, number])[] = [
  ['without_pipelining', 0.1],
  ['without_tls', 0.05],
  ['greylisting', 0.05],
  ['refusing', 0.02],
  ['catch_all', 0.03],
];
const ADDRESSES_OF_A_KIND = 8;

export interface WorldAddress {
  readonly email: string;
  readonly verdict: 'valid' | 'invalid' | 'risky' | 'unknown';
  /** Its hosts want a batch to come again. */
  readonly isPutOff: boolean;
}

/** The list, in no order: half of it at ten operators of unequal size, half at a long tail by a power law. */
export function* worldAddresses(count: number, caps: Caps): Generator<WorldAddress> {
  const tailDomains = Math.max(HOSTERS, Math.round((count * (1 - AT_OPERATORS)) / ADDRESSES_OF_A_TAIL_DOMAIN));
  for (let i = 0; i < count; i++) {
    const exists = chance(i, 'exists') >= MISSING;
    const who = chance(i, 'operator');
    const operator = operatorAt(who);
    const domain =
      operator === null
        ? tailDomain(Math.floor(tailDomains * chance(i, 'domain') ** RANK_POWER))
        : domainOf(operator, Math.floor((chance(i, 'domain') * count * operator.share) / ADDRESSES_OF_A_TENANT), caps);
    const kind = kindOf(mailHostOf(domain));
    const isHidden = caps === 'real' && operator?.hides === true;
    yield {
      email: `${exists ? 'ok' : 'no'}.user${i}@${domain}`,
      verdict: isHidden ? 'unknown' : verdictAt(kind, exists),
      isPutOff: kind === 'greylisting' || kind === 'refusing',
    };
  }
}

function verdictAt(kind: Kind, exists: boolean): WorldAddress['verdict'] {
  if (kind === 'refusing') return 'unknown';
  if (kind === 'catch_all') return 'risky';
  return exists ? 'valid' : 'invalid';
}

/** Domains of the long tail with usual hosts of their own, where nothing is in anybody's way. */
export function* quietDomains(): Generator<string> {
  for (let number = 0; ; number++) {
    const domain = tailDomain(number);
    const host = mailHostOf(domain);
    if (host.endsWith(domain) && kindOf(host) === 'usual') yield domain;
  }
}

/** Whether the mailbox exists, as its host knows. */
export const exists = (address: string): boolean => address.startsWith('ok');

/** @param domain in lower case */
export function mailHostOf(domain: string): string {
  const tail = /^d(\d+)\.example\.com$/.exec(domain);
  if (tail !== null) {
    const number = Number(tail[1]);
    return chance(number, 'hosted') < HOSTED ? `mx.hoster${number % HOSTERS}.example.net` : `mx.${domain}`;
  }
  const known = OPERATORS.find((one) => one.domain === domain);
  if (known !== undefined) return known.mailHost;
  const tenant = /^(t\d+)\.tenant\.example\.org$/.exec(domain);
  return tenant === null ? `mx.${domain}` : `${tenant[1]}.mail.protection.outlook.com`;
}

/** Where on loopback a mail host stands. */
export function addressOf(mailHost: string): readonly [number, number, number, number] {
  const number = Number(/\d+/.exec(mailHost)?.[0] ?? 0);
  return [127, 0, networkOf(kindOf(mailHost)), 1 + (number % ADDRESSES_OF_A_KIND)];
}

/** All addresses of mail hosts, and the kind of those that stand there. */
export function* mailHostAddresses(): Generator<{ readonly address: string; readonly kind: Kind }> {
  for (const kind of KINDS)
    for (let last = 1; last <= ADDRESSES_OF_A_KIND; last++) yield { address: `127.0.${networkOf(kind)}.${last}`, kind };
}

const networkOf = (kind: Kind): number => 1 + KINDS.indexOf(kind);

function kindOf(mailHost: string): Kind {
  const own = /^mx\.d(\d+)\.example\.com$/.exec(mailHost);
  // Every fifth shared hoster knows no PIPELINING.
  if (own === null) return /hoster\d*[08]\./.test(mailHost) ? 'without_pipelining' : 'usual';
  let left = chance(Number(own[1]), 'kind');
  for (const [kind, share] of TAIL_KINDS) {
    if (left < share) return kind;
    left -= share;
  }
  return 'usual';
}

function operatorAt(fraction: number): Operator | null {
  let left = fraction;
  for (const operator of OPERATORS) {
    if (left < operator.share) return operator;
    left -= operator.share;
  }
  return null;
}

function domainOf(operator: Operator, tenant: number, caps: Caps): string {
  const number = OPERATORS.indexOf(operator);
  if (caps === 'none') return operator.tenants ? `t${tenant}.company.example.org` : `operator${number}.example.org`;
  return operator.tenants ? `t${tenant}.${operator.domain}` : operator.domain;
}

const tailDomain = (number: number): string => `d${number}.example.com`;

/** A number in [0, 1) that looks like chance and is the same in every run (the finalizer of MurmurHash3). */
function chance(number: number, what: keyof typeof SEEDS): number {
  let hash = (number + 1) * SEEDS[what];
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const SEEDS = {
  exists: 2_654_435_761,
  operator: 2_246_822_519,
  domain: 3_266_489_917,
  hosted: 668_265_263,
  kind: 374_761_393,
};
