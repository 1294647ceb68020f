const MAX_NAMES = 100;

/**
 * The DNS names of a certificate, in lower case. Node puts names between quotation marks that have something odd in them: no host has one.
 * @param text as Node writes the alternative names
 */
export function namesIn(text: string): readonly string[] {
  const names = text.replaceAll(/"[^"]*"/g, '').matchAll(/(?:^|, )DNS:([^\s,]+)/g);
  return [...names].slice(0, MAX_NAMES).map(([, name]) => name!.toLowerCase());
}
