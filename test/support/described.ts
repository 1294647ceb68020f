import { readFileSync } from 'node:fs';
import { type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsTo from 'ajv-formats';
import { goldenFile } from './golden.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

export interface DescribedReply {
  readonly method: string;
  /** As it was asked for, with its query. */
  readonly path: string;
  readonly key: string | undefined;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Holds a reply against the OpenAPI document of whoever asked: the operation, its status and every member of the body must
 * be described there.
 * @throws Error telling what is not described
 */
export function checkDescribed({ method, path, key, status, body }: DescribedReply): void {
  const asked = `${method} ${path.replace(/\?.*/, '')}`;
  for (const name of documentsFor(key)) {
    const found = findOperation(name, method, path);
    if (found === null) continue;
    const described = resolved(documents[name], found.operation.responses[status]);
    if (described === undefined)
      throw new Error(`${asked} answered ${status}, which the ${name} document does not describe (npm run golden)`);
    const schema = described.response.content?.['application/json']?.schema;
    if (schema === undefined || body === null) {
      if ((schema === undefined) !== (body === null)) throw new Error(`${asked}: ${status} with or without a body?`);
      return;
    }
    const pointer = described.pointer ?? ['paths', found.pattern, method.toLowerCase(), 'responses', String(status)];
    return check(name, [...pointer, 'content', 'application/json', 'schema'], body, `${asked} ${status}`);
  }
}

type Name = 'agent-openapi' | 'openapi' | 'admin-openapi';

const read = (name: Name): Document => closed(JSON.parse(readFileSync(goldenFile(`${name}.json`), 'utf8')));
const documents: Readonly<Record<Name, Document>> = {
  'agent-openapi': read('agent-openapi'),
  openapi: read('openapi'),
  'admin-openapi': read('admin-openapi'),
};
const validators = new Map<string, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** Agents' first for whoever has no key: registration is there alone. */
function documentsFor(key: string | undefined): Name[] {
  const agentsFirst = key === undefined || key.startsWith('ms_agent_');
  return [
    ...(agentsFirst ? (['agent-openapi', 'openapi'] as const) : (['openapi', 'agent-openapi'] as const)),
    'admin-openapi',
  ];
}

/** The patterns of a document, as they are looked for: `/credits/history` before `/credits/{id}`. */
const patternsOf = (name: Name) =>
  Object.keys(documents[name].paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((pattern) => ({ pattern, path: new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`) }));
const patterns = {
  'agent-openapi': patternsOf('agent-openapi'),
  openapi: patternsOf('openapi'),
  'admin-openapi': patternsOf('admin-openapi'),
};

interface Found {
  readonly pattern: string;
  readonly operation: Document;
}

/** Tests ask for the same paths over and over, most of them while they wait. */
const foundBefore = new Map<string, Found | null>();

function findOperation(name: Name, method: string, path: string): Found | null {
  const bare = path.replace(/\?.*/, '');
  const asked = `${name} ${method} ${bare}`;
  let found = foundBefore.get(asked);
  if (found === undefined) foundBefore.set(asked, (found = lookFor(name, method, bare)));
  return found;
}

function lookFor(name: Name, method: string, bare: string): Found | null {
  for (const { pattern, path: form } of patterns[name]) {
    const operation = documents[name].paths[pattern][method.toLowerCase()];
    if (operation !== undefined && form.test(bare)) return { pattern, operation };
  }
  return null;
}

/** The response itself, with its place when it stands among the components. */
function resolved(document: Document, response: Document): { response: Document; pointer?: string[] } | undefined {
  if (response?.$ref === undefined) return response && { response };
  const name = response.$ref.split('/').at(-1);
  return { response: document.components.responses[name], pointer: ['components', 'responses', name] };
}

function check(name: Name, pointer: readonly string[], body: unknown, what: string): void {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const reference = `${name}#/${path}`;
  const validate = validators.get(reference) ?? compile(reference);
  if (!validate(body)) throw new Error(`${what} is not as described: ${textOf(validate.errors ?? [])}`);
}

function compile(reference: string): ValidateFunction {
  ajv ??= newAjv();
  const validate = ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  return validate;
}

/**
 * Most schemas are compiled for a few replies, so that making them short and fast costs more than it saves: a schema that many name is
 * compiled once instead of within each. That the documents are schemas is held by their own tests.
 */
const QUICKLY_COMPILED = {
  strict: false,
  allErrors: true,
  code: { optimize: false },
  inlineRefs: false,
  validateSchema: false,
} as const;

function newAjv(): Ajv2020 {
  const fresh = new Ajv2020(QUICKLY_COMPILED);
  addFormatsTo.default(fresh);
  for (const [name, document] of Object.entries(documents)) fresh.addSchema(document, name);
  return fresh;
}

function textOf(errors: readonly ErrorObject[]): string {
  return errors
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

/** A member that no document names is a mistake here, although callers have to put up with it. */
function closed(node: Document): Document {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, member]) => [name, closed(member)]));
  if (copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false;
  return copy;
}
