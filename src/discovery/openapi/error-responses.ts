import { ERROR_CATALOG, type ErrorCode } from '../../platform/errors/error-catalog.js';
import { isForAdministrators, needsKey, type Operation } from './operations.js';
import { errorExamples, type ReplyExamples } from './reply-examples.js';

/*
 * The error codes of the edge before a route's own work, by traits of the route. The order is that of
 * docs/errors.md#what-is-checked-first.
 */
const ANY: readonly ErrorCode[] = ['internal_error', 'unavailable'];
const KEYED: readonly ErrorCode[] = [
  'key_missing',
  'key_malformed',
  'key_unknown',
  'key_expired',
  'key_revoked',
  'account_suspended',
  'address_not_allowed',
  'permission_missing',
  'rate_limited',
  'request_in_flight',
];
const FOR_ACCOUNTS: readonly ErrorCode[] = ['full_account_required'];
const FOR_ADMINISTRATORS: readonly ErrorCode[] = ['admin_required'];
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'invalid_input',
];
const WITH_QUERY: readonly ErrorCode[] = ['invalid_input'];
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = [
  'malformed_header',
  'idempotency_in_progress',
  'idempotency_reply_lost',
  'idempotency_key_reused',
];

/** Statuses whose replies have `Retry-After`. */
const WAITING = [409, 429, 503];

/** Members of the error body that only replies of one status have. */
const MEMBERS_OF_STATUS: Readonly<Record<string, number>> = {
  permission: 403,
  fields: 422,
  limit: 422,
  required: 402,
  remaining: 402,
  ceiling: 402,
  credits: 402,
  used: 402,
  resets_at: 402,
  claim_url: 402,
};

/** One of the document's `components.responses`, which many operations refer to. */
export interface ErrorResponse {
  readonly status: number;
  readonly name: string;
  readonly codes: readonly ErrorCode[];
  readonly response: object;
}

/** Every error reply of an operation. */
export function errorResponses(operation: Operation, examples: ReplyExamples): ErrorResponse[] {
  const codes = [...new Set(codesOf(operation))];
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOG[code][0] as number))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const own = codes.filter((code) => ERROR_CATALOG[code][0] === status);
    return { status, name: nameOf(status, own), codes: own, response: errorResponse(status, own, examples) };
  });
}

interface BodySchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}

/**
 * One schema a status, with the codes that the document's operations answer, because generated clients make a type of each
 * schema.
 */
export function errorSchemas(body: BodySchema, responses: readonly ErrorResponse[]): Record<string, object> {
  const schemas: Record<string, object> = {};
  for (const { status } of responses) {
    const codes = new Set(responses.flatMap((one) => (one.status === status ? one.codes : [])));
    const properties = Object.entries(body.properties ?? {}).filter(
      ([name]) => (MEMBERS_OF_STATUS[name] ?? status) === status,
    );
    const code = {
      ...body.properties?.['code'],
      enum: Object.keys(ERROR_CATALOG).filter((one) => codes.has(one as ErrorCode)),
    };
    schemas[schemaName(status)] = { ...body, properties: { ...Object.fromEntries(properties), code } };
  }
  return schemas;
}

function schemaName(status: number): string {
  return `Error${status}`;
}

/** The name of a schema; equal codes give equal names: `Error401`, `Error422InvalidInputTooManyEmails`. */
function nameOf(status: number, codes: readonly ErrorCode[]): string {
  const further = codes.filter((code) => !KEYED.includes(code) && !ANY.includes(code));
  return `Error${status}${further.map((code) => code.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())).join('')}`;
}

function codesOf(operation: Operation): ErrorCode[] {
  const parameters = (operation.parameters ?? []) as { readonly in?: string; readonly name?: string }[];
  const has = (location: string, name?: string) =>
    parameters.some((parameter) => parameter.in === location && (name === undefined || parameter.name === name));
  return [
    ...(needsKey(operation) ? KEYED : []),
    // An admin key belongs to no account, so every route of accounts may refuse it.
    ...(needsKey(operation) ? (isForAdministrators(operation) ? FOR_ADMINISTRATORS : FOR_ACCOUNTS) : []),
    ...(operation.requestBody ? WITH_BODY : []),
    ...(has('query') ? WITH_QUERY : []),
    ...(has('header', 'Idempotency-Key') ? WITH_IDEMPOTENCY_KEY : []),
    ...((operation['x-errors'] ?? []) as readonly ErrorCode[]),
    ...ANY,
  ];
}

function errorResponse(status: number, codes: readonly ErrorCode[], examples: ReplyExamples): object {
  const told = codes.map((code) => `- \`${code}\`: ${ERROR_CATALOG[code][1]}`);
  return {
    description: told.join('\n'),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(WAITING.includes(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
      ...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } }),
    },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaName(status)}` },
        examples: errorExamples(codes, examples),
      },
    },
  };
}
