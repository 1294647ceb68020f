import { isIP } from 'node:net';
import type { AddressGuard } from '../platform/address-guard.js';

export interface UrlRules {
  readonly allowInsecure: boolean;
  /** Ports, or ranges such as `8000-8999`. */
  readonly ports: readonly string[];
  readonly mayConnect: AddressGuard;
  /** Whether private networks are allowed at all: then names for private use may be, too. */
  readonly allowPrivate: boolean;
}

/** What a URL's text tells: the URL as it is kept and its host, or what is wrong with it. */
export type CheckedUrl = { readonly url: string; readonly host: string } | { readonly problem: string };

const MOST_CHARACTERS = 2_048;

/** Names that mean this machine or this network: RFC 6761, 6762, 8375, 9476, and what routers are fond of. */
const PRIVATE_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|alt|invalid|onion)$/;

/**
 * Refuses what no webhook should go to, as far as the text alone tells it. The URL standard has turned decimal, octal, hexadecimal and
 * full-width spellings of an address into the address by then. What a name stands for is checked when it is connected to.
 */
export function checkUrl(text: string, rules: UrlRules): CheckedUrl {
  if (text.length > MOST_CHARACTERS || !URL.canParse(text)) return { problem: 'must be a web address' };
  const url = new URL(text);
  const problem = problemOf(url, rules);
  if (problem !== null) return { problem };
  url.hash = '';
  return { url: url.href, host: bareHost(url) };
}

function problemOf(url: URL, rules: UrlRules): string | null {
  if (!isWeb(url, rules.allowInsecure)) return 'must be an https:// address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (!isAllowedPort(url, rules.ports)) return `must not name another port than ${rules.ports.join(', ')}`;
  if (url.href.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  const host = bareHost(url);
  const isPublic = isIP(host) === 0 ? rules.allowPrivate || isPublicName(host) : rules.mayConnect(host);
  return isPublic ? null : 'must not name a host that is not on the public Internet';
}

function isWeb({ protocol }: URL, allowInsecure: boolean): boolean {
  return protocol === 'https:' || (allowInsecure && protocol === 'http:');
}

function isAllowedPort({ port, protocol }: URL, ports: readonly string[]): boolean {
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  return ports.some((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return number >= from! && number <= to!;
  });
}

function isPublicName(host: string): boolean {
  return host.includes('.') && !PRIVATE_NAME.test(host);
}

/** Without the brackets of an IPv6 address and the root's dot of a name. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
