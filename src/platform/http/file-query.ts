import { invalidField } from '../errors/app-error.js';
import { PageQuery } from './page.js';
import { FILE_FORMATS, type FileFormat } from './table-file.js';
import { OptionalOneOf } from './fields.js';

const FORMATS = ['json', ...FILE_FORMATS] as const;

/** The query of a listing that may also be had whole, as a file. */
export class FileQuery extends PageQuery {
  @OptionalOneOf(FORMATS, {
    default: 'json',
    description: '`csv` and `ndjson` are files of all entries, without pages.',
  })
  readonly format?: (typeof FORMATS)[number];
}

/** The file that is wanted; null for a page. @throws AppError `invalid_input` for a page of a file */
export function fileFormatOf({ format = 'json', limit, cursor }: FileQuery): FileFormat | null {
  if (format === 'json') return null;
  for (const [name, value] of Object.entries({ limit, cursor }))
    if (value !== undefined) throw invalidField(name, 'needs format=json');
  return format;
}
