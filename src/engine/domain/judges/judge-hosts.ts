import { reversed } from '../../../mail-dns/targets.js';
import { isPublicAddress } from '../../../mail-dns/public-address.js';
import { reverseName } from '../../../mail-dns/domain-dns.js';
import type { DomainFacts } from '../facts.js';
import { type DnsFix, type DomainFinding, finding } from '../finding.js';
import { isIP } from 'node:net';

/** The answer about a name that the DNS denies. */
export function judgeExistence({ domain }: DomainFacts): DomainFinding[] {
  const words = `The domain ${domain} does not exist: check its spelling, or with your registrar whether it is registered and has name servers.`;
  return [finding('domain_missing', domain, words, {})];
}

/** Mail hosts, and the reverse names of the addresses that send. */
export function judgeHosts({ domain, mx, hasAddress, senders }: DomainFacts): DomainFinding[] {
  const findings: DomainFinding[] = [];
  if (mx.isNull) {
    findings.push(finding('mx_null', domain, 'The domain says that it takes no mail.', {}));
  } else if ((mx.outcome === 'nodata' || mx.outcome === 'nxdomain') && !hasAddress) {
    const why = 'without it nobody can send mail to the domain';
    const fix = mxFix(domain, null, '10 <the name of your mail host>.', 'needs_you', why);
    findings.push(finding('mx_missing', domain, 'The domain has neither a mail host nor an address.', {}, fix));
  }
  const reachable = mx.hosts.filter(({ addresses }) => addresses.length > 0);
  for (const { host, preference, addresses, alias, isAnswered } of mx.hosts) {
    const record = `${preference} ${host}.`;
    if (isAnswered && addresses.length === 0 && !isAddressName(host)) {
      const why = `${host} has no address`;
      const fix = reachable.length > 0 ? mxFix(domain, record, null, 'certain', why) : null;
      findings.push(finding('mx_unresolvable', host, `The mail host ${host} has no address.`, { record }, fix));
    }
    const closed = addresses.filter((address) => !isPublicAddress(address));
    if (closed.length > 0)
      findings.push(
        finding('mx_private_address', host, `The mail host ${host} has an address that nobody outside can reach.`, {
          addresses: closed,
        }),
      );
    if (alias !== null) {
      const fix = mxFix(domain, record, `${preference} ${alias}.`, 'certain', `${host} is only an alias of ${alias}`);
      findings.push(
        finding(
          'mx_is_alias',
          host,
          `The mail host ${host} is an alias (CNAME); an MX record must not name one.`,
          { alias },
          fix,
        ),
      );
    }
  }
  const [only] = reachable;
  if (mx.hosts.length === 1 && only?.isAnswered === true && only.addresses.length === 1)
    findings.push(
      finding('mx_single', domain, 'One mail host with one address takes all mail: while it is away, mail waits.', {
        host: only.host,
      }),
    );
  return [...findings, ...senders.flatMap(judgeReverse)];
}

function judgeReverse({ address, names, forwardNames, isAnswered }: DomainFacts['senders'][number]): DomainFinding[] {
  if (!isAnswered) return [];
  const reverse = (why: string): DnsFix => ({
    kind: 'dns',
    action: names.length === 0 ? 'add' : 'replace',
    name: `${reverseName(address, reversed(address))}.`,
    type: 'PTR',
    current: names[0] ?? null,
    value: '<the name of the host, which must have this address>.',
    why,
    confidence: 'needs_you',
  });
  if (names.length === 0) {
    const words = `The address ${address} has no reverse name, and most receivers refuse mail from it.`;
    return [finding('ptr_missing', address, words, {}, reverse('whoever gave you the address sets its reverse name'))];
  }
  if (forwardNames.length > 0) return [];
  const words = `The reverse name of ${address} does not lead back to it.`;
  return [finding('ptr_not_forward', address, words, { names }, reverse('name and address must lead to each other'))];
}

function mxFix(
  domain: string,
  current: string | null,
  value: string | null,
  confidence: DnsFix['confidence'],
  why: string,
): DnsFix {
  const action = current === null ? 'add' : value === null ? 'remove' : 'replace';
  return { kind: 'dns', action, name: `${domain}.`, type: 'MX', current, value, why, confidence };
}

/** MX records that say what none may say: an address for a name, or that there is no mail host beside mail hosts. */
export function judgeMxNames({ domain, mx, wildcardTexts }: DomainFacts): DomainFinding[] {
  const found = mx.hosts
    .filter(({ host }) => isAddressName(host))
    .map(({ host, preference }) => {
      const record = `${preference} ${host}.`;
      const fix = mxFix(
        domain,
        record,
        `${preference} <a name that has this address>.`,
        'needs_you',
        'mail hosts are names',
      );
      const words = `The MX record names the address ${host}, where a name must stand: senders find no mail host there.`;
      return finding('mx_is_address', host, words, { record }, fix);
    });
  if (mx.hasNull && mx.hosts.length > 0) {
    const words =
      'One MX record says that the domain takes no mail, and others name mail hosts: some senders refuse to send.';
    const fix = mxFix(domain, '0 .', null, 'needs_you', 'the domain has mail hosts');
    found.push(finding('mx_null_not_alone', domain, words, { hosts: mx.hosts.map(({ host }) => host) }, fix));
  }
  // A key that is revoked for every selector says on purpose that nobody signs.
  const texts = wildcardTexts.filter((text) => !/^v=DKIM1;\s*p=;?$/i.test(text.trim()));
  if (texts.length > 0) {
    const words = 'Every name below the domain has TXT records: each may be taken for a record of SPF, DKIM or DMARC.';
    found.push(finding('txt_wildcard', domain, words, { records: texts }));
  }
  return found;
}

/** An address as it stands, or in the brackets of an address literal. */
export function isAddressName(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}
