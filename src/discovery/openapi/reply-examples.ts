import { join } from 'node:path';
import { CONFIG_DIRECTORY, readJson } from '../../platform/config/config-file.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { ErrorCode } from '../../platform/errors/error-catalog.js';
import { errorReply } from '../../platform/errors/error-reply.js';
import type { InterfaceName, Operation } from './operations.js';

/** Replies recorded by a test (`npm run golden`): successful ones by interface and operation, errors by code. */
export interface ReplyExamples {
  readonly replies: Readonly<Record<InterfaceName, Readonly<Record<string, object>>>>;
  readonly errors: Readonly<Record<string, object>>;
}

/**
 * What is written by hand: descriptions of tags, and bodies of requests by operation. Pages such as Swagger UI's "Try it out" send a
 * body as it is: none names a member whose value the service knows better.
 */
export interface OpenApiTexts {
  readonly tags: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, object>>;
}

/** What the documents take from `config/`; `test/contract/openapi.spec.ts` asks for what is missing there. */
export function readTexts(): ReplyExamples & OpenApiTexts {
  const read = (file: string): object => readJson(`config/${file}`, join(CONFIG_DIRECTORY, file)) as object;
  return { ...read('reply-examples.json'), ...read('openapi.json') } as ReplyExamples & OpenApiTexts;
}

/* A request id for examples, equal in every document of every process. */
const REQUEST_ID = '6b0f3c1e-2d54-4a7e-9c38-0d1f5a7b9e21';

type Media = Record<string, { example?: object; examples?: object }>;

/** Adds its example to an operation's successful reply. */
export function showReply(operation: Operation, examples: Readonly<Record<string, object>>): void {
  const example = examples[operation.operationId ?? ''];
  if (example === undefined) return;
  for (const [status, response] of Object.entries(operation.responses) as [string, { content?: Media }][]) {
    const json = response.content?.['application/json'];
    if (status.startsWith('2') && json !== undefined) json.example = example;
  }
}

/** An example of each error code: a recorded one, else the body that the catalogue makes. */
export function errorExamples(codes: readonly ErrorCode[], { errors }: ReplyExamples): object {
  return Object.fromEntries(codes.map((code) => [code, { value: errors[code] ?? plainError(code) }]));
}

function plainError(code: ErrorCode): object {
  return errorReply(new AppError(code), REQUEST_ID, false).body;
}
