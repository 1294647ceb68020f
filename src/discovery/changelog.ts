import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import { textPage } from '../platform/http/built-pages.js';

const FILE = join(CONFIG_DIRECTORY, '../CHANGELOG.md');
/** A heading as https://keepachangelog.com writes it: `## 1.2.0 - 2026-11-30`, and `## Unreleased`. */
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

/** `CHANGELOG.md` of the package as a page for a person, which runs nothing. Each version has its place on it. */
export function changelogPage(text = readFileSync(FILE, 'utf8')): string {
  const sections: [Tokens.Heading, ...Token[]][] = [];
  for (const token of markdown.lexer(text)) {
    if (isVersion(token)) sections.push([token]);
    else sections.at(-1)?.push(token);
  }
  const html = sections.map(([heading, ...body]) => {
    const [, version, date] = RELEASE.exec(heading.text) ?? [];
    if (version === undefined) throw new Error(`${heading.text} is no version of CHANGELOG.md`);
    const day = date === undefined ? '' : ` <time>${date}</time>`;
    // It has letters, digits, dots and hyphens only, which a fragment may hold as they are.
    return `<section id="${version.toLowerCase()}">\n<h2>${version}${day}</h2>\n${markdown.parser(body)}</section>`;
  });
  return textPage({ title: 'Changelog', html: `<h1>Changelog</h1>\n${html.join('\n')}` });
}

const isVersion = (token: Token): token is Tokens.Heading =>
  token.type === 'heading' && (token as Tokens.Heading).depth === 2;
