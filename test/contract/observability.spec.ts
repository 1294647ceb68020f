import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scrape, scrape as scrapeOf } from '../support/scrape.js';
import { startService, type TestService } from '../support/service.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What operators read. */
const PAGES = ['runbook', 'observability', 'operations', 'deployment', 'kubernetes', 'egress', 'administration'].map(
  (name) => `docs/${name}.md`,
);
const DOCUMENT = read('docs/observability.md');
const RULES = read('config/observability/rules.yml');
const DASHBOARD = read('config/observability/dashboard.json');
const RUNBOOK = read('docs/runbook.md');
const RULE_TESTS = read('test/observability/rules.test.yml');

/** Names of metrics, as `promtool` has them in expressions. */
const METRIC = /\b((?:mailsonde|nodejs|process)_\w+)/g;
const ALERTS = RULES.split('- alert: ')
  .slice(1)
  .map((text) => ({ name: /^\w+/.exec(text)![0], text }));

let service: TestService;
let scrape: Scrape;

beforeAll(async () => {
  service = await startService({ env: { metricsPort: 0 } });
  scrape = await scrapeOf(service);
});
afterAll(() => service.close());

const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name!.replace(/_(bucket|sum|count)$/, '')));

describe('docs/observability.md', () => {
  it('docs/observability.md has every metric of ours that a scrape has, and no other', () => {
    const ours = [...scrape.names].filter((name) => name.startsWith('mailsonde_'));
    const documented = namesIn(DOCUMENT, /`(mailsonde_\w+)`/g);
    expect([...documented].toSorted()).toEqual(ours.toSorted());
  });

  it('docs/observability.md says of each label what it is', () => {
    for (const [, name, labels] of scrape.text.matchAll(/^(mailsonde_\w+)\{([^}]*)\}/gm)) {
      const row = DOCUMENT.split('\n').find((line) =>
        line.includes(`\`${name!.replace(/_(bucket|sum|count)$/, '')}\``),
      );
      for (const [, label] of labels!.matchAll(/(\w+)="/g))
        if (label !== 'le') expect(row, `${name} ${label}`).toContain(`\`${label}\``);
    }
  });
});

describe('rules and dashboard', () => {
  it.each<[string, string]>([
    ['config/observability/rules.yml', RULES.replaceAll(/^ *#.*$/gm, '')],
    ['config/observability/dashboard.json', DASHBOARD],
    ['test/observability/rules.test.yml', RULE_TESTS],
    ...PAGES.map((page) => [page, read(page)] as [string, string]),
  ])('%s names no metric that a scrape has not', (_, text) => {
    const known = scrape.names;
    expect([...namesIn(text, METRIC)].filter((name) => !known.has(name))).toEqual([]);
  });

  it('rules and dashboard name no recorded series that is not recorded', () => {
    const recorded = new Set([...RULES.matchAll(/- record: (\S+)/g)].map(([, name]) => name));
    for (const [name] of `${RULES}${DASHBOARD}`.matchAll(/\bmailsonde:[\w:]+/g)) expect(recorded).toContain(name);
  });

  it('rules and dashboard have a panel for every metric of ours', () => {
    const shown = namesIn(DASHBOARD, METRIC);
    expect([...scrape.names].filter((name) => name.startsWith('mailsonde_') && !shown.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const { panels } = JSON.parse(DASHBOARD) as { panels: Panel[] };

  it('the dashboard has panels with a number of their own, beside each other', () => {
    expect(panels.length).toBeGreaterThan(50);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const [index, panel] of panels.entries()) {
      expect(panel.gridPos.x + panel.gridPos.w, panel.title).toBeLessThanOrEqual(24);
      const covered = panels.slice(index + 1).filter((other) => overlap(panel.gridPos, other.gridPos));
      expect(
        covered.map(({ title }) => title),
        panel.title,
      ).toEqual([]);
    }
  });

  it('the dashboard colours a number by what it means, since Grafana colours from 80 on', () => {
    const stats = panels.filter(({ type }) => type === 'stat');
    expect(stats.length).toBeGreaterThan(3);
    expect(stats.filter(({ fieldConfig }) => fieldConfig?.defaults.thresholds === undefined)).toEqual([]);
  });

  it('the dashboard asks for each panel, under a name that is used once in it', () => {
    for (const { type, title, targets = [] } of panels) {
      expect(targets.length > 0, title).toBe(type !== 'row');
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    }
  });
});

describe('an alert', () => {
  it.each(ALERTS)('$name says how bad it is, in plain words what is wrong, and where to read on', ({ name, text }) => {
    expect(text).toMatch(/\n +for: \d+[mh]\n/);
    expect(text).toMatch(/\n +labels: \{ severity: (page|ticket) \}\n/);
    expect(text).toMatch(/\n +summary: ['"][A-Z{][^\n]{20,}\.['"]\n/);
    expect(text).toContain(`runbook_url: docs/runbook.md#${name.toLowerCase()}\n`);
  });

  it('an alert has a section of the runbook, and no section is without one', () => {
    const sections = [...RUNBOOK.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(ALERTS.map(({ name }) => name));
  });

  it('an alert is one of the rules where status names it', () => {
    const named = [...read('src/admin/status/problems.ts').matchAll(/'(Mailsonde\w+)'/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(ALERTS.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });

  it('an alert fires in a test of rules, and stays silent in an ordinary hour', () => {
    for (const { name } of ALERTS) {
      expect(RULE_TESTS).toContain(`- name: ${name} fires\n`);
      expect(RULE_TESTS).toMatch(new RegExp(`eval_time: 60m, alertname: ${name}, exp_alerts: \\[\\] `));
    }
  });
});

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Place;
  readonly fieldConfig?: { readonly defaults: { readonly thresholds?: object } };
  readonly targets?: readonly { readonly refId: string }[];
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function overlap(one: Place, other: Place): boolean {
  const isBeside = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !isBeside && one.y < other.y + other.h && other.y < one.y + one.h;
}
