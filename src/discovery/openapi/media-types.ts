import { COLUMN_SETTINGS, DELIMITER_NAMES, type RowKind } from '../../batch/formats/sent-body.js';
import { FORMATS, formatsOf } from '../../batch/formats/formats.js';
import { RESULT_TYPES } from '../../batch/results/result-writers.js';
import type { Operation } from './operations.js';

type Content = Record<string, { schema?: object }>;

/** Schemas by the media type that the documents name; JSON is not here. */
const FILE_TYPES = new Map([
  ...FORMATS.flatMap(({ mediaTypes, description, isText }): [string, object][] =>
    description === null
      ? []
      : [[mediaTypes[0], { type: 'string', ...(!isText && { format: 'binary' }), description }]],
  ),
  [
    RESULT_TYPES.zip,
    { type: 'string', format: 'binary', description: 'A CSV for each verdict that rows have, and `summary.pdf`.' },
  ],
]);

/* Nest writes one schema for all content types of a route; only JSON has it. */
const upload = (kind: RowKind, ...further: string[]) => ({
  type: 'object',
  required: ['file'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    webhook_url: { type: 'string', format: 'uri', maxLength: 2048 },
    max_credits: { type: 'integer', minimum: 0, description: 'The most that the batch may cost.' },
    ...Object.fromEntries(
      Object.entries(COLUMN_SETTINGS[kind]).map(([name, what]) => [
        name,
        { type: 'string', description: `The CSV's column with the ${what}: its name, or its number from 1.` },
      ]),
    ),
    ...(kind === 'addresses' && {
      has_header: {
        type: 'boolean',
        description: 'Whether the first record of a CSV has names; what its rows tell when left out.',
      },
    }),
    delimiter: {
      type: 'string',
      enum: DELIMITER_NAMES,
      description: 'What divides the columns of a CSV; what its first line tells when left out.',
    },
    sheet: { type: 'string', description: "The Excel workbook's sheet: its name, or its number from 1." },
    // Generators of clients make a file of this format; OpenAPI 3.1's own way they take for text.
    file: {
      type: 'string',
      format: 'binary',
      description: `${LIST.format([...fileLabels(kind), ...further])}; after the other fields.`,
    },
  },
});

const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Labels of the formats that a form recognises by the file's extension. */
const fileLabels = (kind: RowKind) =>
  formatsOf(kind).flatMap(({ label, extension }) => (extension === null ? [] : [label]));

/** The forms by the id of their operation. */
const UPLOADS: Readonly<Record<string, object>> = {
  submitBatch: upload('addresses'),
  submitPeople: upload('people', 'JSON'),
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
    else if (FILE_TYPES.has(type)) content[type] = { schema: FILE_TYPES.get(type)! };
  }
}
