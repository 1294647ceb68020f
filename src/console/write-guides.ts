import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import {
  contentsOf,
  type Guide,
  type GuideGroup,
  indexMarkdown,
  navigationOf,
  plain,
  renderGuide,
} from './guide-page.js';

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

/** The page of all guides, beside them. */
export const INDEX = 'index';

/**
 * Writes each guide as HTML and as Markdown; the build does it, so that the service renders nothing.
 * @param docs the folder of their sources
 * @param pages the folder of built pages, which has their frame, `guide.html`
 */
export function writeGuides(docs: string, pages: string): void {
  const images = copyImages(join(docs, IMAGES), join(pages, 'assets'));
  const groups = readGuides(docs).map(({ title, guides }) => ({
    title,
    guides: guides.map((guide) => ({ ...guide, markdown: withImages(guide.markdown, images) })),
  }));
  const frame = readFileSync(join(pages, 'guide.html'), 'utf8');
  const folder = join(pages, 'guides');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const markdown = indexMarkdown(groups);
  const index: Guide = { name: INDEX, title: 'Guides', summary: 'How to use Mailsonde.', markdown };
  for (const guide of [index, ...groups.flatMap(({ guides }) => guides)]) {
    writeFileSync(join(folder, `${guide.name}.html`), pageOf(guide, groups, frame));
    writeFileSync(join(folder, `${guide.name}.md`), guide.markdown);
  }
  writeFileSync(
    join(folder, 'names.json'),
    JSON.stringify(groups.flatMap(({ guides }) => guides.map(({ name }) => name))),
  );
}

function pageOf(guide: Guide, groups: readonly GuideGroup[], frame: string): string {
  const { html, headings } = renderGuide(guide);
  const parts: Readonly<Record<string, string>> = {
    title: plain(guide.title),
    summary: plain(guide.summary),
    markdown_url: `/docs/guides/${guide.name}.md`,
    navigation: navigationOf(groups, guide.name),
    contents: guide.name === INDEX ? '' : contentsOf(headings),
    text: html,
  };
  return frame.replace(/{{(\w+)}}/g, (place, name: string) => parts[name] ?? place);
}

/** Each under a name that holds a hash of its contents, as all assets have. @returns where each is served, by its name */
function copyImages(from: string, to: string): Map<string, string> {
  const images = new Map<string, string>();
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    const [, stem, ending] = /^(.+)\.(png|svg)$/.exec(name) ?? [];
    if (stem === undefined) continue;
    const file = `guide-${stem}-${hash('sha256', readFileSync(join(from, name)), 'hex').slice(0, 8)}.${ending}`;
    copyFileSync(join(from, name), join(to, file));
    images.set(name, `/console/assets/${file}`);
  }
  return images;
}

function withImages(markdown: string, images: ReadonlyMap<string, string>): string {
  let text = markdown;
  for (const [name, url] of images) text = text.replaceAll(`](${IMAGES}${name})`, `](${url})`);
  return text;
}
