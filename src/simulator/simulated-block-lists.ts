import type { ListDns } from '../mail-dns/ask-list.js';
import type { Blacklist } from '../mail-dns/blacklist-row.js';
import type { DnsAnswer } from '../mail-dns/domain-dns.js';

const TTL_SECONDS = 300;
const NOT_THERE: DnsAnswer<string> = { outcome: 'nxdomain' };

/**
 * The block lists behind test keys: what is asked about decides the answer, and nobody is asked. 127.0.0.2 and 192.0.2.n are listed, the
 * second with code n; 198.51.100.0/24 is refused; 203.0.113.0/24 gets no answer; of domains the first label decides (`listed`, `refused`,
 * `silent`, and `listed-later`, which is listed from the third look to the sixth); test points are right; everything else is clean.
 * @param run which look at a target it is, from 1
 */
export function simulatedBlockLists(lists: readonly Blacklist[], run = 1): ListDns {
  return {
    a: (name) => Promise.resolve(answerOf(name, lists, run)),
    txt: () =>
      Promise.resolve({ outcome: 'found', records: ['An entry of the simulated list.'], ttlSeconds: TTL_SECONDS }),
  };
}

function answerOf(name: string, lists: readonly Blacklist[], run: number): DnsAnswer<string> {
  const list = lists.find(({ zone }) => name.endsWith(`.${zone}`));
  if (list === undefined) return NOT_THERE;
  const asked = name.slice(0, -(list.zone.length + 1));
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(asked)?.slice(1).toReversed();
  if (octets !== undefined) return addressAnswer(octets.join('.'), list);
  if (/^([0-9a-f]\.){31}[0-9a-f]$/.test(asked)) return ipv6Answer(asked.split('.').toReversed().join(''), list);
  if (asked === list.testPoints.domain?.listed) return listed(list);
  const label = asked.split('.')[0];
  if (label === 'silent') return { outcome: 'timeout' };
  if (label === 'refused') return found('127.255.255.254');
  const isListed = label === 'listed' || (label === 'listed-later' && run >= 3 && run <= 6);
  return isListed ? listed(list) : NOT_THERE;
}

function addressAnswer(address: string, list: Blacklist): DnsAnswer<string> {
  if (address === '127.0.0.2') return listed(list);
  const [, code] = /^192\.0\.2\.(\d+)$/.exec(address) ?? [];
  if (code !== undefined) return found(`127.0.0.${code}`);
  if (address.startsWith('198.51.100.')) return found('127.255.255.254');
  return address.startsWith('203.0.113.') ? { outcome: 'timeout' } : NOT_THERE;
}

/** 2001:db8::n as 192.0.2.n, in hexadecimal. */
function ipv6Answer(nibbles: string, list: Blacklist): DnsAnswer<string> {
  if (nibbles.endsWith('ffff7f000002')) return listed(list);
  const [, code] = /^20010db80{22}([0-9a-f]{2})$/.exec(nibbles) ?? [];
  return code === undefined ? NOT_THERE : found(`127.0.0.${parseInt(code, 16)}`);
}

/** The first thing that the list can say. */
function listed({ answers }: Blacklist): DnsAnswer<string> {
  const [{ codes, bit } = { codes: null, bit: null }] = answers;
  return found(codes === null ? `127.0.0.${bit}` : codes.replaceAll(/-\d+/g, ''));
}

function found(code: string): DnsAnswer<string> {
  return { outcome: 'found', records: [code], ttlSeconds: TTL_SECONDS };
}
