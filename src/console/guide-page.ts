import { Marked, type Tokens } from 'marked';
import { escaped } from '../platform/http/built-pages.js';

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

export interface Heading {
  readonly depth: number;
  /** As HTML. */
  readonly words: string;
  readonly anchor: string;
}

/** A guide as HTML, with its headings for a table of contents. */
export function renderGuide({ name, markdown }: Pick<Guide, 'name' | 'markdown'>): {
  html: string;
  headings: Heading[];
} {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const words = this.parser.parseInline(tokens);
        const anchor = unique(anchorOf(text), taken);
        headings.push({ depth, words, anchor });
        if (depth === 1) return `<h1 id="${anchor}">${words}</h1>\n`;
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${words}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = href.replace(/^(?:\/docs\/guides\/)?([a-z-]+)\.md/, '/docs/guides/$1');
        return `<a href="${escaped(target)}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, lang = '' }) {
        const label = lang === '' ? 'Text' : `Code, ${lang}`;
        return `<div class="code"><pre tabindex="0" role="region" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre></div>\n`;
      },
      table(token) {
        return `<div class="table" tabindex="0" role="region" aria-label="Table">${tableOf(token, (cell) => this.parser.parseInline(cell.tokens))}</div>\n`;
      },
      html({ text }) {
        return escaped(text);
      },
    },
  });
  try {
    return { html: marked.parse(markdown, { async: false }), headings };
  } catch (error) {
    throw new Error(`docs/${name}.md cannot be rendered`, { cause: error });
  }
}

function tableOf({ header, rows }: Tokens.Table, cellOf: (cell: Tokens.TableCell) => string): string {
  const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}${cell.align === 'right' ? ' class="number"' : ''}>${cellOf(cell)}</${tag}>`).join('')}</tr>`;
  // A head whose cells are all empty says nothing.
  const head = header.some(({ text }) => text !== '') ? `<thead>${row(header, 'th')}</thead>` : '';
  return `<table>${head}<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** As GitHub makes it of a heading, where the same pages are read too: lower case, without signs, with hyphens for spaces. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function unique(anchor: string, taken: Map<string, number>): string {
  const before = taken.get(anchor) ?? 0;
  taken.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/** The guides, with `current` marked. */
export function navigationOf(groups: readonly GuideGroup[], current: string | null): string {
  return groups
    .map(({ title, guides }) => {
      const links = guides.map(
        (guide) =>
          `<li><a href="/docs/guides/${guide.name}"${guide.name === current ? ' aria-current="page"' : ''}>${inline(guide.title)}</a></li>`,
      );
      return `<p>${title}</p><ul>${links.join('')}</ul>`;
    })
    .join('');
}

/** The second level alone: more is no overview. */
export function contentsOf(headings: readonly Heading[]): string {
  const links = headings
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, words }) => `<li><a href="#${anchor}">${words.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`);
  return links.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`;
}

/** All guides on one page, each with what it is about. */
export function indexMarkdown(groups: readonly GuideGroup[]): string {
  const parts = groups.map(
    ({ title, guides }) =>
      `## ${title}\n\n${guides.map((guide) => `- [${guide.title}](/docs/guides/${guide.name}.md): ${guide.summary}`).join('\n')}`,
  );
  return `# Guides\n\nHow to use Mailsonde, a page a subject; each is Markdown too when \`.md\` follows its address.\n\n${parts.join('\n\n')}\n`;
}

export function inline(markdown: string): string {
  return new Marked().parseInline(markdown, { async: false });
}

/** Text without its signs of Markdown, for attributes and titles. */
export function plain(markdown: string): string {
  return escaped(markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''));
}
