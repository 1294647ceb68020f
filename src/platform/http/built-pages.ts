import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from '../config/config-file.js';

/** What Vite made of the console's `web/`. */
export const BUILT_PAGES = join(CONFIG_DIRECTORY, '../dist/console');

/** A page runs what this service serves, and nothing else: no inline script or style, no other host, no frame around it. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** @param name such as `door.html` */
export function readPage(name: string): string {
  return readFileSync(join(BUILT_PAGES, name), 'utf8');
}

/** @param name of a source, such as `mark`; gives where it is served, with its hash */
export function pageAsset(name: string): string {
  const file = readdirSync(join(BUILT_PAGES, 'assets')).find((asset) => asset.startsWith(`${name}-`));
  if (file === undefined) throw new Error(`The build made no ${name}. Run "npm run build".`);
  return `/console/assets/${file}`;
}

/** A page of text, which runs nothing, in the frame that all pages have. @param html of its text; the title is escaped here */
export function textPage({ title, html }: { readonly title: string; readonly html: string }): string {
  const parts: Readonly<Record<string, string>> = { title: escaped(title), text: html };
  return readPage('text.html').replace(/{{(title|text)}}/g, (_, part: string) => parts[part]!);
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
