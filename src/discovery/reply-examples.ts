import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_DIRECTORY } from '../platform/config/config-file.js';
import type { InterfaceName } from './interfaces.js';
import type { Operation } from './operations.js';

/** Replies that a test has got (`npm run golden`): by interface and operation those that succeed, and by code the errors. */
export interface ReplyExamples {
  readonly replies: Readonly<Record<InterfaceName, Readonly<Record<string, object>>>>;
  readonly errors: Readonly<Record<string, object>>;
}

export function readReplyExamples(): ReplyExamples {
  return JSON.parse(readFileSync(join(CONFIG_DIRECTORY, 'reply-examples.json'), 'utf8')) as ReplyExamples;
}

type Media = Record<string, { example?: object; examples?: object }>;

/** Shows on an operation's successful reply what one looks like. */
export function showReply(operation: Operation, examples: Readonly<Record<string, object>>): void {
  const example = examples[operation.operationId ?? ''];
  if (example === undefined) return;
  for (const [status, response] of Object.entries(operation.responses) as [string, { content?: Media }][]) {
    const json = response.content?.['application/json'];
    if (status.startsWith('2') && json !== undefined) json.example = example;
  }
}

/** The errors of these codes by their code, as far as there are examples. */
export function errorExamples(codes: readonly string[], { errors }: ReplyExamples): { examples?: object } {
  const known = codes.filter((code) => code in errors).map((code) => [code, { value: errors[code] }]);
  return known.length === 0 ? {} : { examples: Object.fromEntries(known) };
}
