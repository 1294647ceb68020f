import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideOf } from '../../src/console/write-guides.js';
import { renderGuide } from '../../src/console/guide-page.js';
import { call } from '../support/call.js';
import { startService, type TestService } from '../support/service.js';

const DOCS = join(import.meta.dirname, '../../docs');
const INTERNAL = ['architecture', 'development'];
const names = readdirSync(DOCS)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .filter((name) => !INTERNAL.includes(name));

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });
const textOf = async (path: string) => (await get(path)).text();

/** A page and its status; each page is read once, although every one links to most others. */
const pageAt = (path: string): Promise<{ status: number; text: string }> => {
  const known = pages.get(path) ?? readPage(path);
  pages.set(path, known);
  return known;
};
const pages = new Map<string, ReturnType<typeof pageAt>>();
const readPage = async (path: string) => {
  const reply = await get(path, { Accept: 'text/html' });
  return { status: reply.status, text: await reply.text() };
};
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

describe('a guide', () => {
  it.each(['index', ...names])('%s links to guides and headings that are there', async (name) => {
    const page = await textOf(`/docs/guides/${name}`);
    const targets = matches(page, /<a [^>]*?href="([^"]+)"/g).filter((target) => !/^https?:/.test(target));
    expect(targets.length).toBeGreaterThan(10);
    for (const target of new Set(targets)) {
      const [path, anchor] = target.split('#') as [string, string?];
      const reply = path === '' ? null : await pageAt(path);
      expect([target, reply?.status ?? 200]).toEqual([target, 200]);
      const there = reply?.text ?? page;
      if (anchor !== undefined) expect(there.includes(`id="${anchor}"`), target).toBe(true);
    }
  });

  it.each(names)('%s is the text of its source as Markdown, with the address of this installation', async (name) => {
    const source = readFileSync(join(DOCS, `${name}.md`), 'utf8');
    const markdown = await textOf(`/docs/guides/${name}.md`);
    const words = (text: string) =>
      text
        .replaceAll('{base_url}', 'https://mailsonde.example')
        .replace(/^<!--.*-->\n/gm, '')
        .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
    expect(words(markdown)).toBe(words(source));
    expect(markdown).not.toContain('{base_url}');
  });

  it('a guide shows its pictures, which say in words what is on them', async () => {
    const page = await textOf('/docs/guides/console');
    const pictures = [...page.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g)].filter(([, src]) =>
      src!.includes('guide-'),
    );
    expect(pictures).toHaveLength(matches(readFileSync(join(DOCS, 'console.md'), 'utf8'), /\]\((images\/)/g).length);
    expect(pictures.length).toBeGreaterThan(0);
    for (const [, src, alt] of pictures) {
      const { status, headers } = await get(src!);
      expect([status, headers.get('content-type'), alt === '']).toEqual([200, 'image/png', false]);
    }
  });

  it('a guide comes as a page for a browser and as Markdown for who prefers it, runs nothing of others, and is sent once', async () => {
    const page = await get('/docs/guides/webhooks', { Accept: 'text/html,*/*;q=0.8' });
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect([page.headers.get('vary'), page.headers.get('cache-control')]).toEqual(['Accept', 'public, max-age=300']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(html).not.toMatch(/{{|<script>|<style|style=|onclick/i);
    const tag = page.headers.get('etag')!;
    expect((await get('/docs/guides/webhooks', { Accept: 'text/html', 'If-None-Match': tag })).status).toBe(304);
    const text = await get('/docs/guides/webhooks', { Accept: 'text/markdown' });
    expect([text.headers.get('content-type'), text.headers.get('vary')]).toEqual([
      'text/markdown; charset=utf-8',
      'Accept',
    ]);
    expect(await text.text()).toBe(await textOf('/docs/guides/webhooks.md'));
  });

  it.each(['none', 'none.md', '.md', 'names.json', 'architecture', '..%2fdoor', 'webhooks.html', '%00', '__proto__'])(
    '%s is not found',
    async (name) => {
      expect((await call(service, `/docs/guides/${name}`)).body).toMatchObject({ code: 'not_found' });
    },
  );

  it('a guide shows signs of HTML as they are, and loses no link but those that lead out of the guides', () => {
    const source =
      '# A <b>\n\nSee [one](one.md#x), [two](../two.md) and `[three](x.md)`.\n\n```\n[four](y.md) <i>\n```\n';
    const guide = guideOf('a', source, ['a', 'one']);
    const { html, headings } = renderGuide(guide);
    expect(html).toContain('<a href="/docs/guides/one#x">one</a>, two and <code>[three](x.md)</code>');
    expect(html).toContain('[four](y.md) &lt;i&gt;');
    expect(html).not.toMatch(/<b>|<i>/);
    expect(headings).toMatchObject([{ depth: 1, anchor: 'a-b' }]);
  });
});

describe('/llms-full.txt', () => {
  it('/llms-full.txt has what /llms.txt says and every guide, whole', async () => {
    const reply = await get('/llms-full.txt');
    const text = await reply.text();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.startsWith(await textOf('/llms.txt'))).toBe(true);
    for (const name of names) expect(text).toContain(await textOf(`/docs/guides/${name}.md`));
    expect((await get('/llms-full.txt', { 'If-None-Match': reply.headers.get('etag')! })).status).toBe(304);
  });

  it('/llms-full.txt is named by /llms.txt and by the front door', async () => {
    expect(await textOf('/llms.txt')).toContain('(https://mailsonde.example/llms-full.txt)');
    const index = (await (await get('/', { Accept: 'application/json' })).json()) as { guides: string };
    const path = new URL(index.guides).pathname;
    const listed = matches(await textOf(path), /\]\(([^)]+)\)/g);
    expect(listed.toSorted()).toEqual(names.map((name) => `/docs/guides/${name}.md`).toSorted());
  });
});
