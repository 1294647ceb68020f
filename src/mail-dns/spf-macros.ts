import { reversed } from './targets.js';

/** What a record's macros stand for: the message that is judged (RFC 7208 section 7). */
export interface SpfMessage {
  readonly address: string;
  readonly localPart: string;
  readonly senderDomain: string;
  readonly helo: string;
}

const EXPANSION = /%(?:%|_|-|\{([slodiphv])(\d*)(r?)([.\-+,/_=]*)\})/gi;
/** Visible ASCII but for the percent sign. */
const LITERAL = /[\x21-\x24\x26-\x7e]/g;
/** A label that is not all digits and neither begins nor ends with a hyphen. */
const DOMAIN_END = /(?:\.(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])\.?|%\{[^}]*\}|%%|%_|%-)$/i;
const MAX_OCTETS = 253;

/** Whether a text is of macros and visible characters, as an unknown modifier's may be. */
export function isMacroString(text: string): boolean {
  const withoutMacros = text.replaceAll(EXPANSION, (macro, _letter, digits: string) =>
    /^0+$/.test(digits) ? macro : '',
  );
  return withoutMacros.replaceAll(LITERAL, '') === '';
}

/** Whether a text may name a domain: the last label is one, or a macro (section 7.1). */
export function isDomainSpec(text: string): boolean {
  return isMacroString(text) && DOMAIN_END.test(text);
}

/** Whether its value depends on a message. */
export function hasMacros(text: string): boolean {
  return text.includes('%');
}

/**
 * Expands macros. Labels fall away at the left when the name would be longer than names may be (section 7.3).
 * @param domain the one whose record this is
 * @param validatedName of the address, for `p`
 */
export function expandMacros(
  text: string,
  { message, domain, validatedName }: { message: SpfMessage; domain: string; validatedName: string },
): string {
  const values: Readonly<Record<string, string>> = {
    s: `${message.localPart}@${message.senderDomain}`,
    l: message.localPart,
    o: message.senderDomain,
    d: domain,
    i: message.address.includes(':') ? reversed(message.address).split('.').toReversed().join('.') : message.address,
    p: validatedName,
    v: message.address.includes(':') ? 'ip6' : 'in-addr',
    h: message.helo,
  };
  const expanded = text.replaceAll(
    EXPANSION,
    (macro, letter: string | undefined, digits: string, reverse: string, delimiters: string) => {
      if (letter === undefined) return { '%%': '%', '%_': ' ', '%-': '%20' }[macro as '%%' | '%_' | '%-'];
      const value = transformed(values[letter.toLowerCase()]!, digits, reverse !== '', delimiters);
      return letter === letter.toLowerCase() ? value : encodeURIComponent(value);
    },
  );
  return shortened(expanded);
}

function transformed(value: string, digits: string, isReversed: boolean, delimiters: string): string {
  const parts = value.split(delimiters === '' ? '.' : new RegExp(`[${delimiters.replaceAll(/[-/]/g, '\\$&')}]`));
  const ordered = isReversed ? parts.toReversed() : parts;
  return (digits === '' ? ordered : ordered.slice(-Number(digits))).join('.');
}

function shortened(name: string): string {
  let short = name.replace(/\.$/, '');
  while (short.length > MAX_OCTETS && short.includes('.')) short = short.slice(short.indexOf('.') + 1);
  return short;
}
