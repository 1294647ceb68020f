import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of `docs/` that users read. */
export interface Guide {
  /** As in `/docs/guides/webhooks`. */
  readonly name: string;
  /** Its first heading, as Markdown. */
  readonly title: string;
  /** Its first sentence, as Markdown without links. */
  readonly summary: string;
  /** The whole, with links to other guides alone. */
  readonly markdown: string;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

/** In the order in which a newcomer needs them. */
const ORDER: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Begin', ['interface', 'authentication', 'test-mode', 'errors', 'agents', 'mcp', 'command-line', 'clients']],
  ['One address', ['verification', 'throw-away-domains', 'finder']],
  ['Many addresses', ['batches', 'webhooks', 'performance']],
  ['Your own mail', ['deliverability']],
  ['Your account', ['credits', 'console', 'privacy', 'security']],
];
/** For pages that no group names. */
const REST = 'More';

/** Where pictures stand, beside the pages. */
export const IMAGES = 'images/';

/** Written for those who change the service, not for those who use it. */
const INTERNAL: readonly string[] = ['architecture', 'development'];

/** @param folder such as `docs` */
export function readGuides(folder: string): GuideGroup[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((name) => !INTERNAL.includes(name))
    .toSorted();
  const placed = ORDER.flatMap(([, members]) => members);
  const rest: (typeof ORDER)[number] = [REST, names.filter((name) => !placed.includes(name))];
  return [...ORDER, rest]
    .map(([title, members]) => ({ title, guides: members.filter((name) => names.includes(name)) }))
    .filter(({ guides }) => guides.length > 0)
    .map(({ title, guides }) => ({
      title,
      guides: guides.map((name) => guideOf(name, readFileSync(join(folder, `${name}.md`), 'utf8'), names)),
    }));
}

/** @param names of all guides */
export function guideOf(name: string, text: string, names: readonly string[]): Guide {
  const markdown = text
    .replace(/^<!--.*-->\n/gm, '')
    .split(BLOCKS_OF_CODE)
    .map((part, index) => (index % 2 === 0 ? withoutOutsideLinks(part, names) : part))
    .join('');
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  const [, summary] = /^(?![#\s|`<-])(.+)$/m.exec(markdown) ?? [];
  if (title === undefined || summary === undefined) throw new Error(`docs/${name}.md has no heading or no sentence`);
  return { name, title, summary: summary.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'), markdown };
}

/** Its parts alternate between text and code. */
const BLOCKS_OF_CODE = /(^ *```[^]*?^ *```$)/m;

/** Code within a line, or a link or an image that is neither on the web nor on the same page. */
const LINK = /`[^`\n]*`|!?\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)/g;

/** What is not served beside the guides, such as the sources, keeps the words of its link and loses the link. */
function withoutOutsideLinks(text: string, names: readonly string[]): string {
  return text.replace(LINK, (found, words?: string, target = '') => {
    const [, name] = /^([a-z-]+)\.md(?:#.*)?$/.exec(target as string) ?? [];
    const isServed = (name !== undefined && names.includes(name)) || (target as string).startsWith(IMAGES);
    return words === undefined || isServed ? found : words;
  });
}
