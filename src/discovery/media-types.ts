import type { Operation } from './operations.js';

type Content = Record<string, { schema?: object }>;

const TEXT_TYPES: Readonly<Record<string, string>> = {
  'text/csv': 'RFC 4180.',
  'text/plain': 'One address a line.',
  'application/x-ndjson': 'One JSON value a line.',
};

/* Nest writes one schema for all content types of a route; only JSON has it. */
const upload = (columns: Readonly<Record<string, string>>, kinds: string) => ({
  type: 'object',
  required: ['file'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    webhook_url: { type: 'string', format: 'uri', maxLength: 2048 },
    ...Object.fromEntries(
      Object.entries(columns).map(([name, what]) => [
        name,
        { type: 'string', description: `The CSV's column with the ${what}: its name, or its number from 1.` },
      ]),
    ),
    // Generators of clients make a file of this format; OpenAPI 3.1's own way they take for text.
    file: { type: 'string', format: 'binary', description: `${kinds}; after the other fields.` },
  },
});

/** The forms by the id of their operation. */
const UPLOADS: Readonly<Record<string, object>> = {
  submitBatch: upload({ email_column: 'addresses' }, 'CSV, lines or NDJSON'),
  submitPeople: upload(
    {
      full_name_column: 'full names',
      first_name_column: 'first names',
      last_name_column: 'last names',
      domain_column: 'domains',
    },
    'CSV, NDJSON or JSON',
  ),
};

/** Gives every content type that is not JSON the schema of what it carries. @param jsonOnly leaves out all the others */
export function describeMediaTypes(operation: Operation, jsonOnly: boolean): void {
  const { requestBody, responses } = operation as { requestBody?: { content?: Content }; responses: object };
  const contents = [requestBody, ...(Object.values(responses) as { content?: Content }[])].map((body) => body?.content);
  const form = UPLOADS[operation.operationId ?? ''];
  for (const content of contents) if (content) describe(content, jsonOnly && content === requestBody?.content, form);
}

function describe(content: Content, jsonOnly: boolean, form: object | undefined): void {
  for (const type of Object.keys(content)) {
    if (type === 'application/json') continue;
    if (jsonOnly) delete content[type];
    else if (type === 'multipart/form-data' && form) content[type] = { schema: form };
    else if (type in TEXT_TYPES) content[type] = { schema: { type: 'string', description: TEXT_TYPES[type] } };
  }
}
