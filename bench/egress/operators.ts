/**
 * The world of `bench:egress-world`: twenty operators with three mail hosts each, and a list of addresses with the truth about each. All of
 * it follows from numbers, so the list, the name server and the mail hosts agree without talking to each other, in every run alike.
 */
export const OPERATORS = 20;
export const HOSTS_OF_AN_OPERATOR = 3;

const MISSING = 0.05;
const GREYLISTED = 0.1;

/** The operators that refuse the client that is blocked, each in its way; texts of Comcast, Exchange Online and Orange. */
export const REFUSALS_BY_OPERATOR: readonly { readonly stage: 'banner' | 'rcpt'; readonly reply: string }[] = [
  {
    stage: 'banner',
    reply:
      '554 mx.example.net comcast 192.0.2.1 Comcast block for spam. Please see http://postmaster.comcast.net/smtp-error-codes.php#BL000000\r\n',
  },
  {
    stage: 'rcpt',
    reply:
      '550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/192.0.2.1\r\n',
  },
  {
    stage: 'rcpt',
    reply:
      '550 mwinf5c04 ME Adresse IP source bloquee pour incident de spam. Client host blocked for spamming issues. OFR006_102 Ref http://csi.cloudmark.com/reset-request/\r\n',
  },
];

export interface WorldAddress {
  readonly email: string;
  readonly verdict: 'valid' | 'invalid';
}

/** @param first number of the first address: lists with other numbers have no address in common */
export function* worldAddresses(count: number, first: number): Generator<WorldAddress> {
  for (let number = first; number < first + count; number++)
    yield {
      email: `user${number}@op${Math.floor(chance(number, 7) * OPERATORS)}.example.com`,
      verdict: exists(number) ? 'valid' : 'invalid',
    };
}

/** The number of an address of the list; null for any other, such as the made-up ones that find out what a host accepts. */
export function numberOf(email: string): number | null {
  const number = /^user(\d+)@/.exec(email)?.[1];
  return number === undefined ? null : Number(number);
}

export const exists = (number: number): boolean => chance(number, 1) >= MISSING;

/** Its host wants to be asked again by the same client after a while. */
export const isGreylisted = (number: number): boolean => chance(number, 2) < GREYLISTED;

/** Names of the mail hosts of a domain of the world, best first; null for any other. */
export function mailHostsOf(domain: string): readonly string[] | null {
  const operator = /^(op\d+)\.example\.com$/.exec(domain)?.[1];
  if (operator === undefined) return null;
  return Array.from({ length: HOSTS_OF_AN_OPERATOR }, (_, i) => `mx${i}.${operator}.example.net`);
}

/** Where on loopback a mail host of the world stands; null for any other. */
export function addressOf(mailHost: string): readonly [number, number, number, number] | null {
  const [, host, operator] = /^mx(\d+)\.op(\d+)\.example\.net$/.exec(mailHost) ?? [];
  return host === undefined ? null : [127, 1, Number(operator), 1 + Number(host)];
}

/** A number in [0, 1) that looks like chance and is the same in every run (the finalizer of MurmurHash3). */
function chance(number: number, seed: number): number {
  let hash = Math.imul(number + 1, 2_654_435_761) ^ Math.imul(seed, 2_246_822_519);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
