import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DecisionTable, parseDecisionTable, proveExamples } from '../../engine/verification/engine.js';
import { checked, CONFIG_DIRECTORY, readJson } from '../../platform/config/config-file.js';

const FOLDER = 'smtp-replies';
const FILES = ['decision-table.json', 'phrases.json'] as const;
/** Of the files whose examples the tests of this version have tried: `parse-decision-table.spec.ts` tells the new one. */
export const TESTED_DIGEST = '8f9e487dfb9d3dcd23d3aed76f51b170a6820f465da888b83d3c40d442f7254d';
let table: DecisionTable | undefined;

/** What came with the version is the same for every engine of a process, and its patterns are made once. */
export function decisionTable(): DecisionTable {
  return (table ??= readDecisionTable());
}

/**
 * Has each example of files that an operator has changed be decided by its row. For a service, before it asks a mail host: a command
 * that is about one address would be over before. What came with the version was tried by its tests, which costs a start 0.2 s of CPU.
 * @throws ConfigurationError naming the row
 */
export function proveDecisionTable(read = decisionTable(), directory = CONFIG_DIRECTORY): void {
  if (decisionTableDigest(directory) === TESTED_DIGEST) return;
  checked(`config/${FOLDER}`, null, () => proveExamples(read));
}

/** SHA-256 of both files, in hexadecimal digits. */
export function decisionTableDigest(directory = CONFIG_DIRECTORY): string {
  const digest = createHash('sha256');
  for (const file of FILES) digest.update(readFileSync(join(directory, FOLDER, file)));
  return digest.digest('hex');
}

/** Reads `config/smtp-replies/`. @throws ConfigurationError naming file, row and member */
export function readDecisionTable(directory = CONFIG_DIRECTORY): DecisionTable {
  const [rows, lists] = FILES.map((file) => readJson(`config/${FOLDER}/${file}`, join(directory, FOLDER, file)));
  return checked(`config/${FOLDER}`, rows, () => parseDecisionTable(rows, lists));
}
