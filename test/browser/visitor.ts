import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const REFUSED = 'Failed to load resource: the server responded with a status of 4';
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };

export function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that containers do not have; it visits nothing but the service.
  return chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** One person with a browser of their own; whatever the browser complains of is remembered. */
export class Visitor {
  /** Errors of scripts, and what the policy of the pages or the browser refused. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // Refusals of the service are answers that the page shows; the first look for a session is one.
      const isAnswer = message.text().startsWith(REFUSED);
      if (message.type() === 'error' && !isAnswer) this.complaints.push(message.text());
    });
  }

  static async enter(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: WIDE, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(240_000);
    return new Visitor(page, url);
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(this.url + path);
  }

  /** Signs in wherever the page asks for it. */
  async signIn(key: string, path = '/console'): Promise<void> {
    await this.goTo(path);
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.locator('#screens').waitFor({ state: 'attached' });
  }

  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  /** Until nothing is loading any more. */
  async settle(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    await this.page.locator('.waiting').first().waitFor({ state: 'detached' });
  }

  /** The addresses of all screens that the navigation shows. */
  screens(): Promise<string[]> {
    return this.page
      .locator('#screens a')
      .evaluateAll((links) => links.map((link) => new URL((link as unknown as { href: string }).href).pathname));
  }

  /** What the page breaks of WCAG 2.2, and whether a reader must scroll sideways; empty when all is well. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const { violations } = (await this.page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(WCAG)} })`,
    )) as AxeResults;
    const overflow = (await this.page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
      ...(overflow > 0 ? [`is ${overflow} pixels wider than the window`] : []),
    ];
  }

  /** @throws when the browser complained of anything */
  async leave(): Promise<void> {
    await this.page.context().close();
    if (this.complaints.length > 0) throw new Error(`The browser complained: ${this.complaints.join('; ')}`);
  }
}
