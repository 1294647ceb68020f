import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REASON_ROW } from '../../src/platform/config/reason-texts.js';
import { readRows } from '../../src/platform/config/config-file.js';
import { goldenFile } from '../support/golden.js';

const SERVICES = ['ZeroBounce', 'NeverBounce', 'Kickbox', 'Hunter', 'Emailable', 'Bouncer'];

const page = readFileSync(join(import.meta.dirname, '../../docs/migrating.md'), 'utf8');
const reasons = readRows('reasons.json', REASON_ROW);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
const { schemas } = (
  JSON.parse(readFileSync(goldenFile('openapi.json'), 'utf8')) as { components: { schemas: Record<string, Schema> } }
).components;

const codes = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

/** The tables of that service's section, each as rows of cells; the first row is the head. */
function tablesOf(service: string): string[][][] {
  const section = page.split(`\n## ${service}\n`)[1]!.split('\n## ')[0]!;
  const blocks = section.split('\n\n').filter((block) => block.trim().startsWith('|'));
  return blocks.map((block) =>
    block
      .trim()
      .split('\n')
      .filter((line) => !/^\|[-|]+\|$/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** Whether the reply to a verification has it: `checks.free`. */
function isField(path: string): boolean {
  let schema: Schema | undefined = schemas['FullVerificationReply'];
  for (const name of path.split('.')) {
    while (schema && !schema.properties) {
      const ref: string | undefined = schema.$ref ?? [...(schema.allOf ?? []), ...(schema.anyOf ?? [])][0]?.$ref;
      schema = ref === undefined ? undefined : schemas[ref.split('/').at(-1)!];
    }
    schema = schema?.properties?.[name];
  }
  return schema !== undefined;
}

describe.each(SERVICES)('what docs/migrating.md says of %s', (service) => {
  const [fields, statuses] = tablesOf(service) as [string[][], string[][]];

  it('the guide from another service gives each of its fields one of our reply, or says that there is none', () => {
    expect(fields.length).toBeGreaterThan(5);
    for (const [theirs, ours] of fields.slice(1) as [string, string][]) {
      expect(codes(theirs), theirs).not.toEqual([]);
      if (ours.startsWith('none')) continue;
      const named = codes(ours);
      expect(isField(named[0] ?? ''), `${theirs}: ${ours}`).toBe(true);
      for (const name of named) expect(isField(name) || reasons.has(name), `${theirs}: ${name}`).toBe(true);
    }
  });

  it('the guide from another service gives each of its statuses reasons of ours, with the verdict that they have', () => {
    expect(statuses.length).toBeGreaterThan(5);
    for (const row of statuses.slice(1)) {
      const [verdict, ours] = row.slice(-2).map(codes) as [string[], string[]];
      expect(ours, row.join()).not.toEqual([]);
      for (const reason of ours)
        expect([reason, reasons.get(reason)?.verdict], row.join()).toEqual([reason, verdict[0]]);
    }
  });

  it('the guide from another service names no status twice', () => {
    const named = statuses.slice(1).map((row) => row.slice(0, -2).join());
    expect(new Set(named).size).toBe(named.length);
  });
});

it('docs/migrating.md has a place for every reason that we give, for users of the service that tells most', () => {
  const named = tablesOf('ZeroBounce')[1]!
    .slice(1)
    .flatMap((row) => codes(row.at(-1)!));
  const ofOurOwn = ['mailbox_restricted', 'sender_rejected', 'port25_blocked', 'smtputf8_unsupported', 'dns_error'];
  expect(new Set([...named, ...ofOurOwn, 'provider_hides_mailboxes'])).toEqual(new Set(reasons.keys()));
});
