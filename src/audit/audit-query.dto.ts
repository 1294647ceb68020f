import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { invalidField } from '../platform/errors/app-error.js';
import { FILE_FORMATS, type FileFormat } from '../platform/http/files/table-file.js';
import { PageQuery } from '../platform/http/page.js';

const FORMATS = ['json', ...FILE_FORMATS] as const;

export class AuditFileQuery extends PageQuery {
  @ApiPropertyOptional({
    enum: FORMATS,
    default: 'json',
    description: '`csv` and `ndjson` are files of all entries, without pages.',
  })
  @IsOptional()
  @IsIn(FORMATS)
  readonly format?: (typeof FORMATS)[number];
}

/** The file that is wanted; null for a page. @throws AppError `invalid_input` for a page of a file */
export function fileFormatOf({ format = 'json', limit, cursor }: AuditFileQuery): FileFormat | null {
  if (format === 'json') return null;
  for (const [name, value] of Object.entries({ limit, cursor }))
    if (value !== undefined) throw invalidField(name, 'needs format=json');
  return format;
}
