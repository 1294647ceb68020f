/** Records of the form `name=value; name=value` (RFC 6376 section 3.2), as DKIM, DMARC, MTA-STS and TLS-RPT have them. */
export interface TagList {
  /** In their order; names in lower case, values without blanks around them. */
  readonly tags: readonly (readonly [name: string, value: string])[];
  /** Parts that are no tags, as they stand. */
  readonly broken: readonly string[];
}

export function parseTagList(text: string): TagList {
  const tags: [string, string][] = [];
  const broken: string[] = [];
  for (const part of text.split(';').map((one) => one.trim())) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim().toLowerCase();
    if (at > 0 && /^[a-z][a-z0-9_]*$/.test(name)) tags.push([name, part.slice(at + 1).trim()]);
    else broken.push(part);
  }
  return { tags, broken };
}

/** The value of a tag; null when it is not there. */
export function tagOf({ tags }: TagList, name: string): string | null {
  return tags.find(([one]) => one === name)?.[1] ?? null;
}

/** A tag that is there more than once, which makes the whole list invalid (RFC 6376 section 3.2); null: there is none. */
export function repeatedTag({ tags }: TagList): string | null {
  const seen = new Set<string>();
  for (const [name] of tags) if (seen.size === seen.add(name).size) return name;
  return null;
}

/** The record without some of its tags. */
export function withoutTags({ tags }: TagList, names: readonly string[]): string {
  return tags
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}
