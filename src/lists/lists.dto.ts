import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OptionalText } from '../platform/http/text.js';

export class RenameListRequest {
  @ApiPropertyOptional({ pattern: '\\S' })
  @OptionalText(200, 'Null, or left out: the list keeps its name.')
  @Matches(/\S/, { message: 'name must not be blank' })
  readonly name?: string | null;
}
