import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { proveExamples } from './parse-decision-table.js';
import { CONFIG_DIRECTORY } from '../../../platform/config/config-file.js';
import {
  decisionTableDigest,
  TESTED_DIGEST,
  proveDecisionTable,
  readDecisionTable,
} from '../../../verify/ports/decision-table-file.js';

type Json = Record<string, unknown>;
type File = 'decision-table.json' | 'phrases.json';

/** The problem that the table has with one of its files changed; null for none. */
function problemWith(file: File, change: (json: Json) => unknown): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'decision-table-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync(join(CONFIG_DIRECTORY, 'smtp-replies'), join(directory, 'smtp-replies'), { recursive: true });
  const path = join(directory, 'smtp-replies', file);
  const json = JSON.parse(readFileSync(path, 'utf8')) as Json;
  const changed = change(json);
  writeFileSync(path, typeof changed === 'string' ? changed : JSON.stringify(json));
  try {
    proveDecisionTable(readDecisionTable(directory), directory);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const row = (json: Json, name: string): Json => json[name] as Json;

describe('a file of what replies mean', () => {
  it('a file of what replies mean is taken as it came with the version, every example decided by its row', () => {
    expect(problemWith('decision-table.json', () => {})).toBeNull();
  });

  it('the examples of what replies mean are decided by their rows, and a start tries no others than those of these files', () => {
    proveExamples(readDecisionTable());
    expect(decisionTableDigest()).toBe(TESTED_DIGEST);
  });

  it('a start does not try the examples of files that came with the version', () => {
    const wrong = readDecisionTable();
    Object.assign(wrong.rows[0]!, { examples: ['999 no such reply'] });
    expect(() => proveDecisionTable(wrong)).not.toThrow();
  });

  it.each<[string, (json: Json) => unknown, string]>([
    ['is no JSON', () => '{"a"', 'config/smtp-replies/decision-table.json'],
    ['is a list', () => '[]', 'config/smtp-replies/decision-table.json is "[]": allowed is an object of rows by name.'],
    [
      'has a class that there is not',
      (json) => Object.assign(row(json, 'full'), { class: 'fulll' }),
      'decision-table.json full.class is "fulll"',
    ],
    ['has no reason', (json) => delete row(json, 'full')['why'], 'decision-table.json full.why is "missing"'],
    [
      'has a misspelt member',
      (json) => Object.assign(row(json, 'full'), { phrase: [] }),
      'decision-table.json full.phrase',
    ],
    [
      'has a stage without replies',
      (json) => Object.assign(row(json, 'full'), { stages: ['dns'] }),
      'decision-table.json full.stages[0] is "dns"',
    ],
    [
      'has a code that there is not',
      (json) => Object.assign(row(json, 'full'), { codes: [700] }),
      'decision-table.json full.codes[0] is "700"',
    ],
    [
      'has a broken enhanced code',
      (json) => Object.assign(row(json, 'full'), { enhanced: ['5.2'] }),
      'decision-table.json full.enhanced[0] is "5.2"',
    ],
    [
      'has an open parenthesis in a phrase',
      (json) => Object.assign(row(json, 'full'), { not: ['(a|b'] }),
      'decision-table.json full.not[0] is "(a|b"',
    ],
    [
      'has a pattern of another language',
      (json) => Object.assign(row(json, 'full'), { phrases: ['a+[bc]'] }),
      'decision-table.json full.phrases[0] is "a+[bc]"',
    ],
    [
      'has an empty phrase',
      (json) => Object.assign(row(json, 'full'), { phrases: [''] }),
      'decision-table.json full.phrases[0] is ""',
    ],
    [
      'names a list that there is not',
      (json) => Object.assign(row(json, 'full'), { phrases: ['a {b} c'] }),
      'decision-table.json full.phrases is "{b}"',
    ],
    [
      'has no example',
      (json) => Object.assign(row(json, 'full'), { examples: [] }),
      'decision-table.json full.examples is "[]"',
    ],
    [
      'has an example whose lines have two codes',
      (json) => Object.assign(row(json, 'full'), { examples: ['552-full\r\n550 full'] }),
      'decision-table.json full.examples[0].reply is ',
    ],
    [
      'has an example without a code',
      (json) => Object.assign(row(json, 'full'), { examples: ['full'] }),
      'decision-table.json full.examples[0].reply is "full"',
    ],
    [
      'has an example that an earlier row decides',
      (json) => Object.assign(row(json, 'full'), { examples: ['552 Mailbox full', '552 Greylisted'] }),
      'decision-table.json full.examples[1] is "552 Greylisted": allowed is a reply that this row decides, not "greylisted".',
    ],
    [
      'has an example that no row decides',
      (json) => Object.assign(row(json, 'full'), { examples: ['250 ok'] }),
      'decision-table.json full.examples[0] is "250 ok": allowed is a reply that this row decides, not "accepted".',
    ],
    [
      'lacks a row that the service asks for',
      (json) => delete json['accepted'],
      'decision-table.json accepted is "missing"',
    ],
    [
      'has a name that is none',
      (json) => (json['Full one'] = json['full']),
      'decision-table.json Full one is "Full one"',
    ],
  ])('a file of what replies mean that %s is refused by a sentence that names the row', (_what, change, sentence) => {
    expect(problemWith('decision-table.json', change)).toContain(sentence);
  });

  it.each<[string, (json: Json) => unknown, string]>([
    ['a list is empty', (json) => (json['sender'] = []), 'phrases.json sender is "[]"'],
    [
      'a group has no reason',
      (json) => (json['sender'] = [{ phrases: ['a'] }]),
      'phrases.json sender[0].why is "missing"',
    ],
    [
      'a list names itself',
      (json) => (json['sender'] = [{ why: 'A.', phrases: ['{sender} b'] }]),
      'phrases.json sender is "{sender}"',
    ],
    [
      'two lists name each other',
      (json) => {
        json['sender'] = [{ why: 'A.', phrases: ['{noun}'] }];
        json['noun'] = [{ why: 'B.', phrases: ['{sender}'] }];
      },
      'phrases.json sender is "{sender}"',
    ],
    [
      'the words of something else than the mailbox are missing',
      (json) => delete json['something-else'],
      'is "{something-else}"',
    ],
  ])('a file of what replies mean is refused by a sentence that names the list where %s', (_what, change, sentence) => {
    expect(problemWith('phrases.json', change)).toContain(sentence);
  });
});
