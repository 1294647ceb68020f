import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, indexMarkdown, navigationOf, plain, renderGuide } from './guide-page.js';
import { type Guide, type GuideGroup, IMAGES, readGuides } from './guides.js';

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
