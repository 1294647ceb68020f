import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changelogPage } from '../../src/discovery/changelog.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { publicUrl: 'https://mailsonde.example' } });
});

afterAll(() => service.close());

const get = (headers: Record<string, string> = {}) => fetch(`${service.url}/changelog`, { headers });

describe('GET /changelog', () => {
  it.each(['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', 'image/png', 'application/json'])(
    'GET /changelog answers Accept: %.40s with the page',
    async (accept) => {
      const reply = await get({ Accept: accept });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    },
  );

  it('GET /changelog is a page on which each version has its place with every change, and which runs nothing', async () => {
    const page = await (await get()).text();
    const file = readFileSync('CHANGELOG.md', 'utf8');
    for (const [, version] of file.matchAll(/^## (\S+)/gm))
      expect(page).toContain(`<section id="${version!.toLowerCase()}">`);
    expect(page.match(/<li>(?!<a href="\/)/g)!.length).toBeGreaterThanOrEqual(file.match(/^- /gm)!.length);
    expect(page).not.toMatch(/{{|<script|<style|style=|href="docs\/|href="\.\./);
    expect(page).toContain('class="masthead"');
  });

  it('GET /changelog is sent again only when it has changed', async () => {
    const tag = (await get()).headers.get('etag')!;
    expect((await get({ 'If-None-Match': tag })).status).toBe(304);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

it('a version of the changelog has its day, and a heading that names none is a fault', () => {
  const text = '# Changelog\n\n## [1.2.0] - 2026-11-30\n\n### Fixed\n\n- A fault.\n- Another\n  one.\n\n## 1.1.0\n';
  const page = changelogPage(text);
  expect(page).toContain(
    '<section id="1.2.0">\n<h2>1.2.0 <time>2026-11-30</time></h2>\n<h3>Fixed</h3>\n<ul>\n<li>A fault.</li>\n<li>Another\none.</li>\n</ul>\n</section>',
  );
  expect(page).toContain('<section id="1.1.0">\n<h2>1.1.0</h2>\n</section>');
  expect(() => changelogPage('## What is new this week\n')).toThrow('What is new this week');
});
