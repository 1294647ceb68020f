import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xml2js } from 'xml-js';
import { releasesOf } from '../../src/discovery/changelog.js';
import { startService, type TestService } from '../support/service.js';

interface Data {
  readonly updated: string;
  readonly releases: readonly {
    readonly version: string;
    readonly date: string | null;
    readonly url: string;
    readonly changes: readonly { readonly kind: string; readonly text: string }[];
  }[];
}

interface Element {
  readonly text?: string;
}
interface Atom {
  readonly feed: Record<'id' | 'title' | 'updated', Element> & { readonly entry: Record<string, Element> };
}

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

describe('GET /changelog', () => {
  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['image/png', 'text/html; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/atom+xml, text/html;q=0.5', 'application/atom+xml; charset=utf-8'],
    [`${'a/b,'.repeat(1_000)}application/json`, 'application/json; charset=utf-8'],
  ])('GET /changelog answers Accept: %.40s with what it prefers', async (accept, type) => {
    const reply = await get('/changelog', { Accept: accept });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, type]);
    expect(reply.headers.get('vary')).toContain('Accept');
  });

  it('GET /changelog has every change of the file, in its order and under its kind', async () => {
    const { releases } = (await (await get('/changelog.json')).json()) as Data;
    const file = readFileSync('CHANGELOG.md', 'utf8');
    expect(releases.map(({ version }) => version)).toEqual([...file.matchAll(/^## (\S+)/gm)].map(([, name]) => name));
    const changes = releases.flatMap((release) => release.changes);
    expect(changes).toHaveLength(file.match(/^- /gm)!.length);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(
      new Set([...file.matchAll(/^### (\w+)/gm)].map(([, kind]) => kind!.toLowerCase())),
    );
    for (const { text } of changes) expect(file).toContain(text.split('\n')[0]);
  });

  it('GET /changelog is a page on which each version has its place, and which runs nothing', async () => {
    const page = await (await get('/changelog')).text();
    const { releases } = (await (await get('/changelog.json')).json()) as Data;
    for (const { version, url } of releases) {
      expect(url).toBe(`https://mailsonde.example/changelog#${version.toLowerCase()}`);
      expect(page).toContain(`<section id="${version.toLowerCase()}">`);
    }
    expect(page).not.toMatch(/{{|<script|<style|style=|href="docs\/|href="\.\./);
    expect(page).toContain('class="masthead"');
  });

  it('GET /changelog is a feed that Atom’s readers take: each entry has an id, a title, a time and its text', async () => {
    const text = await (await get('/changelog.atom')).text();
    const { feed } = xml2js(text, { compact: true, textKey: 'text', cdataKey: 'text' }) as unknown as Atom;
    expect(feed.id.text).toBe('https://mailsonde.example/changelog');
    const entry = [feed.entry].flat()[0]!;
    for (const name of ['id', 'title', 'updated', 'content']) expect(entry[name]?.text, name).toBeTruthy();
    expect(Date.parse(feed.updated.text!)).not.toBeNaN();
  });

  it('GET /changelog is sent again only when it has changed', async () => {
    const tag = (await get('/changelog.json')).headers.get('etag')!;
    expect((await get('/changelog.json', { 'If-None-Match': tag })).status).toBe(304);
    expect((await get('/changelog.json', { 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

it('a release has its version and day, and a heading that names none is a fault', () => {
  const text = '# Changelog\n\n## [1.2.0] - 2026-11-30\n\n### Fixed\n\n- A fault.\n- Another\n  one.\n\n## 1.1.0\n';
  expect(releasesOf(text)).toEqual([
    {
      version: '1.2.0',
      date: '2026-11-30',
      changes: [
        { kind: 'fixed', text: 'A fault.' },
        { kind: 'fixed', text: 'Another\none.' },
      ],
      html: '<h3>Fixed</h3>\n<ul>\n<li>A fault.</li>\n<li>Another\none.</li>\n</ul>\n',
    },
    { version: '1.1.0', date: null, changes: [], html: '' },
  ]);
  expect(() => releasesOf('## What is new this week\n')).toThrow('What is new this week');
});
