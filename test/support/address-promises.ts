import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isPlainAddress, parseAddress } from '../../src/engine/syntax/address.js';
import type { Address, ParsedAddress } from '../../src/engine/types.js';

/** What holds for every input: checked by the property tests, the kept failures and the fuzzer. Returns the first broken promise, or null. */
export function brokenAddressPromise(input: string, parsed: ParsedAddress): string | null {
  const given = parsed.ok ? parsed.address.given : parsed.given;
  if (typeof given !== 'string' || given.length > input.length) return 'given is not part of the input';
  if (!parsed.ok && isPlainAddress(input)) return 'at a glance it is an address';
  return parsed.ok ? brokenBy(parsed.address) : null;
}

function brokenBy(address: Address): string | null {
  const { localPart, domain, normalized } = address;
  const octets = (text: string): number => Buffer.byteLength(text);
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(normalized)) return 'a control character or half a character got through';
  if (normalized !== `${localPart}@${domain}`) return 'the normal form is not local part, @ and domain';
  if (localPart !== localPart.normalize('NFC')) return 'the local part is not NFC';
  if (octets(localPart) > 64 || octets(domain) > 255 || octets(normalized) > 254) return 'over the limits in octets';
  if (!/^[!-~]+$/.test(domain)) return 'the domain is not printable ASCII';
  if (address.needsSmtpUtf8 !== /[^ -~]/.test(localPart)) return 'needsSmtpUtf8 is not what the local part says';
  if (!localPart.startsWith('"') && /[\s"(),:;<>@[\\\]]/.test(localPart)) return 'a special is not quoted';
  if (address.tag !== null && !localPart.endsWith(`+${address.tag}`)) return 'the tag is not the end of the local part';
  return brokenDomain(address) ?? brokenNormalForm(address);
}

function brokenDomain({ domain, literal, neverResolves }: Address): string | null {
  if (literal !== null)
    return isIP(literal) !== 0 && domain.endsWith(`${literal}]`) ? null : 'the literal is not an address';
  const labels = domain.split('.');
  if (labels.some((label) => !/^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label))) return 'a label is not LDH';
  if (labels.length < 2 && !neverResolves) return 'a single label got through';
  if (isIP(domain) !== 0) return 'an IP address got through as a host name';
  return domainToASCII(domain) === domain ? null : 'the A-labels do not convert to themselves';
}

function brokenNormalForm(address: Address): string | null {
  const again = parseAddress(address.normalized);
  if (!again.ok) return `the normal form does not parse: ${again.problem}`;
  const same = JSON.stringify({ ...again.address, given: '' }) === JSON.stringify({ ...address, given: '' });
  return same ? null : 'the normal form does not parse to itself';
}
