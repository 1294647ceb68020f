import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, indexMarkdown, navigationOf, plain, renderGuide } from './guide-page.js';
import { type Guide, type GuideGroup, readGuides } from './guides.js';

/** The page of all guides, beside them. */
export const INDEX = 'index';

/**
 * Writes each guide as HTML and as Markdown; the build does it, so that the service renders nothing.
 * @param docs the folder of their sources
 * @param pages the folder of built pages, which has their frame, `guide.html`
 */
export function writeGuides(docs: string, pages: string): void {
  const groups = readGuides(docs);
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
