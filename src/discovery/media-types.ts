import type { Operation } from './operations.js';

type Content = Record<string, { schema?: object }>;

const TEXT_TYPES: Readonly<Record<string, string>> = {
  'text/csv': 'RFC 4180.',
  'text/plain': 'One address a line.',
  'application/x-ndjson': 'One JSON value a line.',
};

/* Nest writes one schema for all content types of a route; only JSON has it. */
const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    webhook_url: { type: 'string', format: 'uri', maxLength: 2048 },
    email_column: {
      type: 'string',
      description: "The CSV's column with the addresses: its name, or its number from 1.",
    },
    file: {
      type: 'string',
      contentMediaType: 'text/csv',
      description: 'CSV, lines or NDJSON; after the other fields.',
    },
  },
};

/** Gives every content type that is not JSON the schema of what it carries. @param jsonOnly leaves out all the others */
export function describeMediaTypes(operation: Operation, jsonOnly: boolean): void {
  const { requestBody, responses } = operation as { requestBody?: { content?: Content }; responses: object };
  const contents = [requestBody, ...(Object.values(responses) as { content?: Content }[])].map((body) => body?.content);
  for (const content of contents) if (content) describe(content, jsonOnly && content === requestBody?.content);
}

function describe(content: Content, jsonOnly: boolean): void {
  for (const type of Object.keys(content)) {
    if (type === 'application/json') continue;
    if (jsonOnly) delete content[type];
    else if (type === 'multipart/form-data') content[type] = { schema: UPLOAD };
    else if (type in TEXT_TYPES) content[type] = { schema: { type: 'string', description: TEXT_TYPES[type] } };
  }
}
