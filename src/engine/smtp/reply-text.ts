const IDENTIFIERS = /[^\s<>[\]()]*\d[^\s<>[\]()]*/g;

/** A refusal's words without what differs from one recipient, session or minute to the next. */
export function withoutParticulars(text: string, recipient: string): string {
  const localPart = recipient.slice(0, recipient.lastIndexOf('@'));
  return text
    .toLowerCase()
    .replaceAll(recipient.toLowerCase(), '')
    .replaceAll(localPart.toLowerCase(), '')
    .replace(IDENTIFIERS, '')
    .replace(/\s+/g, ' ')
    .trim();
}
