import type { DnsReply } from '../support/dns-server.js';

/** A zone by what is special about it. `D` stands for its domain. */
export interface Case {
  readonly what: string;
  readonly spf?: readonly string[];
  readonly dmarc?: readonly string[];
  readonly mx?: readonly (readonly [number, string])[];
  readonly more?: Readonly<Record<string, DnsReply>>;
}

const REJECT = 'v=DMARC1; p=reject; rua=mailto:reports@D';
const OTHER = { MX: [[10, 'mx1.D']] } as const;
const included = (...texts: string[]) => ({ 'i.D': { TXT: texts } });
const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.D`);
const withAddresses = (count: number): Record<string, DnsReply> =>
  Object.fromEntries(hosts(count).map((host) => [host, { A: ['8.8.4.1'] }]));
const networks = (count: number) => Array.from({ length: count }, (_, index) => `ip4:8.8.100.${100 + index}`).join(' ');

const spf = (what: string, record: string, more: Case['more'] = {}): Case => ({ what, spf: [record], more });
const dmarc = (what: string, record: string, more: Case['more'] = {}): Case => ({ what, dmarc: [record], more });

export const CASES: readonly Case[] = [
  { what: 'nothing wrong' },
  // SPF
  spf('nobody sends', 'v=spf1 -all'),
  spf('networks', 'v=spf1 ip4:8.8.4.0/24 ip6:2001:4860::/32 -all'),
  spf('capital letters', 'V=SPF1 MX -ALL'),
  spf('prefix lengths of both families', 'v=spf1 a:mx1.D/24//64 -all'),
  spf('an include', 'v=spf1 include:i.D -all', included('v=spf1 ip4:8.8.4.9 -all')),
  spf('a redirect', 'v=spf1 redirect=i.D', included('v=spf1 ip4:8.8.4.9 -all')),
  spf('macros', 'v=spf1 mx exists:%{i}._spf.D -all'),
  { what: 'no SPF record', spf: [] },
  { what: 'two SPF records', spf: ['v=spf1 mx -all', 'v=spf1 a ~all'] },
  { what: 'a record of Sender ID beside it', spf: ['v=spf1 mx -all', 'spf2.0/pra mx -all'] },
  { what: 'a record of another version beside it', spf: ['v=spf1 mx -all', 'v=spf10 -all'] },
  spf('a blank before the version', ' v=spf1 mx -all'),
  spf('ipv4: for ip4:', 'v=spf1 ipv4:8.8.4.1 -all'),
  spf('a word that is no term', 'v=spf1 mx nonsense -all'),
  spf('no IPv4 address', 'v=spf1 ip4:8.8.4.300 -all'),
  spf('a prefix that is too long', 'v=spf1 ip4:8.8.4.0/33 -all'),
  spf('a prefix with a zero in front', 'v=spf1 ip4:8.8.0.0/08 -all'),
  spf('an IPv6 address in ip4', 'v=spf1 ip4:2001:db8::1 -all'),
  spf('an include without a name', 'v=spf1 include: -all'),
  spf('all with a value', 'v=spf1 mx all:D'),
  spf('a redirect with a colon', 'v=spf1 mx redirect:i.D'),
  spf('two redirects', 'v=spf1 redirect=i.D redirect=i.D', included('v=spf1 -all')),
  spf('an unknown modifier', 'v=spf1 mx made-up=value -all'),
  spf('an include that is not there', 'v=spf1 include:gone.D -all'),
  spf('a redirect to nothing', 'v=spf1 redirect=gone.D'),
  spf('an include with two records', 'v=spf1 include:i.D -all', included('v=spf1 -all', 'v=spf1 ~all')),
  spf('an include that cannot be read', 'v=spf1 include:i.D -all', included('v=spf1 ipv4:8.8.4.1 -all')),
  spf('a circle', 'v=spf1 include:D -all'),
  spf('eleven look-ups', `v=spf1 ${hosts(11).map((host) => `a:${host}`).join(' ')} -all`, withAddresses(11)),
  spf('ten look-ups', `v=spf1 ${hosts(10).map((host) => `a:${host}`).join(' ')} -all`, withAddresses(10)),
  spf('three names that are not there', 'v=spf1 a:x.D a:y.D a:z.D -all'),
  spf('two names that are not there', 'v=spf1 a:x.D a:y.D -all'),
  spf('eleven mail hosts of one term', 'v=spf1 mx:m.D -all', {
    'm.D': { MX: hosts(11).map((host) => [10, host] as const) },
    ...withAddresses(11),
  }),
  spf('everybody', 'v=spf1 +all'),
  spf('everybody by an include', 'v=spf1 include:i.D -all', included('v=spf1 +all')),
  spf('everybody by two halves', 'v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all'),
  spf('a network of 16 million', 'v=spf1 ip4:20.0.0.0/8 -all'),
  spf('nothing of others', 'v=spf1 mx ?all'),
  spf('no all', 'v=spf1 mx'),
  spf('a soft end', 'v=spf1 mx ~all'),
  spf('ptr', 'v=spf1 mx ptr -all'),
  spf('a term after all', 'v=spf1 -all mx'),
  spf('all twice', 'v=spf1 mx -all ~all'),
  spf('a redirect beside all', 'v=spf1 mx redirect=i.D -all', included('v=spf1 -all')),
  spf('an include with an equals sign', 'v=spf1 mx include=i.D -all', included('v=spf1 -all')),
  spf('the same include twice', 'v=spf1 include:i.D include:i.D -all', included('v=spf1 ip4:8.8.4.9 -all')),
  spf('460 bytes', `v=spf1 ${networks(26)} -all`),
  spf('520 bytes', `v=spf1 ${networks(30)} -all`),
  // DMARC
  dmarc('p=none', 'v=DMARC1; p=none; rua=mailto:reports@D'),
  dmarc('p=quarantine', 'v=DMARC1; p=quarantine; rua=mailto:reports@D'),
  { what: 'no DMARC record', dmarc: [] },
  { what: 'two DMARC records', dmarc: [REJECT, 'v=DMARC1; p=none'] },
  { what: 'a text that looks like DMARC beside it', dmarc: [REJECT, 'v=DMARC1 p=none'] },
  { what: 'a DMARC record at the domain itself', spf: ['v=spf1 mx -all', REJECT] },
  dmarc('a policy that is none', 'v=DMARC1; p=rejected; rua=mailto:reports@D'),
  dmarc('no policy', 'v=DMARC1; rua=mailto:reports@D'),
  dmarc('a version in small letters', 'v=dmarc1; p=reject; rua=mailto:reports@D'),
  dmarc('no semicolon', 'v=DMARC1 p=reject rua=mailto:reports@D'),
  dmarc('two semicolons', 'v=DMARC1; p=reject;; rua=mailto:reports@D'),
  dmarc('a part that is no tag', 'v=DMARC1; p=reject; nonsense; rua=mailto:reports@D'),
  dmarc('an unknown tag', `${REJECT}; made=up`),
  dmarc('a tag twice', `${REJECT}; p=none`),
  dmarc('the policy last', 'v=DMARC1; rua=mailto:reports@D; p=reject'),
  dmarc('no reports', 'v=DMARC1; p=reject'),
  dmarc('reports without mailto', 'v=DMARC1; p=reject; rua=reports@D'),
  dmarc('reports by https', 'v=DMARC1; p=reject; rua=https://D/reports'),
  dmarc('reports with a limit of size', 'v=DMARC1; p=reject; rua=mailto:reports@D!10m'),
  dmarc('reports to somebody who has not agreed', 'v=DMARC1; p=reject; rua=mailto:r@other-D', { 'other-D': OTHER }),
  dmarc('reports to somebody who has agreed', 'v=DMARC1; p=reject; rua=mailto:r@other-D', {
    'other-D': OTHER,
    'D._report._dmarc.other-D': { TXT: ['v=DMARC1'] },
  }),
  dmarc('reports to somebody who agrees for everybody', 'v=DMARC1; p=reject; rua=mailto:r@other-D', {
    'other-D': OTHER,
    '*._report._dmarc.other-D': { TXT: ['v=DMARC1'] },
  }),
  dmarc('failure reports to somebody who has not agreed', `${REJECT}; ruf=mailto:r@other-D`, { 'other-D': OTHER }),
  dmarc('reports to a domain without a mail host', 'v=DMARC1; p=reject; rua=mailto:r@sub.D'),
  dmarc('reports to a domain that takes no mail', 'v=DMARC1; p=reject; rua=mailto:r@sub.D', {
    'sub.D': { MX: [[0, '.']] },
  }),
  dmarc('reports to a domain with an address alone', 'v=DMARC1; p=reject; rua=mailto:r@sub.D', {
    'sub.D': { A: ['8.8.4.1'] },
  }),
  dmarc('alignment that is none', `${REJECT}; adkim=strict`),
  dmarc('alignment that is none, of SPF', `${REJECT}; aspf=x`),
  dmarc('strict alignment', `${REJECT}; adkim=s; aspf=s`),
  dmarc('subdomains that are open', `${REJECT}; sp=none`),
  dmarc('names that do not exist are open', `${REJECT}; np=none`),
  dmarc('a test', `${REJECT}; t=y`),
  dmarc('a share', `${REJECT}; pct=50`),
  dmarc('a format of failure reports', `${REJECT}; rf=afrf; ri=86400`),
  dmarc('options of failure reports', `${REJECT}; fo=1:d:s`),
  // Mail hosts
  { what: 'no mail for anybody', mx: [[0, '.']] },
  { what: 'no mail, and mail hosts', mx: [[0, '.'], [10, 'mx1.D'], [20, 'mx2.D']] },
  { what: 'an address for a mail host', mx: [[10, 'mx1.D'], [20, '8.8.4.2']] },
  { what: 'an alias for a mail host', mx: [[10, 'mx1.D'], [20, 'alias.D']], more: { 'alias.D': { CNAME: 'mx2.D' } } },
  { what: 'a mail host without an address', mx: [[10, 'mx1.D'], [20, 'gone.D']] },
  { what: 'neither a mail host nor an address', mx: [], spf: ['v=spf1 ip4:8.8.4.1 -all'] },
]; // prettier-ignore

/** The records of a case for a domain of its own. */
export function zoneOf(one: Case, domain: string): Record<string, DnsReply> {
  const { spf: own = ['v=spf1 mx -all'], dmarc: policies = [REJECT], mx = [[10, 'mx1.D'], [20, 'mx2.D']], more = {} } = one; // prettier-ignore
  const zones: Record<string, DnsReply> = {
    D: { TXT: own.map(strings), MX: mx, NS: ['ns.D'] },
    '_dmarc.D': { TXT: policies.map(strings) },
    'mx1.D': { A: ['8.8.4.1'] },
    'mx2.D': { A: ['8.8.4.2'] },
    ...more,
  };
  return JSON.parse(JSON.stringify(zones).replaceAll(/\bD\b/g, domain)) as Record<string, DnsReply>;
}

/** A string of TXT holds 255 bytes (RFC 1035 section 3.3). */
function strings(text: string): string | string[] {
  return text.length <= 255 ? text : (text.match(/.{1,200}/g) ?? []);
}
