import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Feed } from 'feed';
import { Marked, type Token, type Tokens } from 'marked';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import { textPage } from '../platform/pages/built-pages.js';
import { PRODUCT } from '../platform/product.js';

/** One version of the service, as https://keepachangelog.com writes it: `## 1.2.0 - 2026-11-30`, and `## Unreleased`. */
export interface Release {
  readonly version: string;
  /** The day, `2026-11-30`; null for what is not released yet. */
  readonly date: string | null;
  /** In the order of the file. `kind`: `added`, `changed`, `deprecated`, `removed`, `fixed`, `security`; `text` is Markdown. */
  readonly changes: readonly { readonly kind: string; readonly text: string }[];
  /** The whole as HTML, without its own heading. */
  readonly html: string;
}

export interface Changelog {
  /** When the file was written. */
  readonly updated: Date;
  /** From the newest. */
  readonly releases: readonly Release[];
}

const FILE = join(CONFIG_DIRECTORY, '../CHANGELOG.md');
const RELEASE = /^\[?([^\]\s]+)\]?(?: - (\d{4}-\d\d-\d\d))?$/;

/* Pages of the repository that the file links to are not served beside it. */
const markdown = new Marked({
  renderer: {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return /^https?:/.test(href) ? `<a href="${href}">${text}</a>` : text;
    },
  },
});

/** `CHANGELOG.md` of the package. */
export function readChangelog(file = FILE): Changelog {
  return { updated: statSync(file).mtime, releases: releasesOf(readFileSync(file, 'utf8')) };
}

export function releasesOf(text: string): Release[] {
  const sections: Token[][] = [];
  for (const token of markdown.lexer(text)) {
    if (isHeading(token, 2)) sections.push([token]);
    else sections.at(-1)?.push(token);
  }
  return sections.map(([heading, ...body]) => {
    const [, version, date] = RELEASE.exec((heading as Tokens.Heading).text) ?? [];
    if (version === undefined) throw new Error(`${(heading as Tokens.Heading).text} is no version of CHANGELOG.md`);
    return { version, date: date ?? null, changes: changesOf(body), html: markdown.parser(body) };
  });
}

function changesOf(body: readonly Token[]): Release['changes'] {
  let kind = '';
  return body.flatMap((token) => {
    if (isHeading(token, 3)) kind = token.text.toLowerCase();
    return isList(token) ? token.items.map((item) => ({ kind, text: item.text })) : [];
  });
}

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === depth;
const isList = (token: Token): token is Tokens.List => token.type === 'list';

/** For programs; `url` is where a person reads of that version. */
export function changelogData({ updated, releases }: Changelog, publicUrl: string): object {
  return {
    updated: updated.toISOString(),
    releases: releases.map(({ version, date, changes }) => ({
      version,
      date,
      url: urlOf({ version }, publicUrl),
      changes,
    })),
  };
}

/** Atom (RFC 4287), an entry a version. */
export function changelogFeed({ updated, releases }: Changelog, publicUrl: string): string {
  const feed = new Feed({
    title: TITLE,
    id: `${publicUrl}/changelog`,
    link: `${publicUrl}/changelog`,
    feedLinks: { atom: `${publicUrl}/changelog.atom` },
    author: { name: PRODUCT.title },
    copyright: '',
    updated,
  });
  for (const release of releases) {
    const link = urlOf(release, publicUrl);
    const date = release.date === null ? updated : new Date(release.date);
    feed.addItem({ title: `${PRODUCT.title} ${release.version}`, id: link, link, date, content: release.html });
  }
  return feed.atom1();
}

/** A page for a person, which runs nothing. */
export function changelogPage({ releases }: Changelog): string {
  const sections = releases.map(
    ({ version, date, html }) =>
      `<section id="${anchorOf(version)}">\n<h2>${version}${date === null ? '' : ` <time>${date}</time>`}</h2>\n${html}</section>`,
  );
  const html = `<h1>Changelog</h1>
<p>Also as <a href="/changelog.json">JSON</a> and <a href="/changelog.atom">Atom</a>.</p>
${sections.join('\n')}`;
  return textPage({ title: 'Changelog', html });
}
const TITLE = `${PRODUCT.title} changelog`;

function urlOf({ version }: Pick<Release, 'version'>, publicUrl: string): string {
  return `${publicUrl}/changelog#${anchorOf(version)}`;
}

/** A version has letters, digits, dots and hyphens only, which a fragment may hold as they are. */
const anchorOf = (version: string): string => version.toLowerCase();
