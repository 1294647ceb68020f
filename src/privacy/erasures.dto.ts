import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { RequiredText } from '../platform/http/text.js';

/** More than any address has, because domains may be written in letters. */
const MAX_EMAIL = 1_000;

export class EraseRequest {
  @ApiProperty({
    format: 'email',
    description: 'In any spelling; with another `+tag` it is another address.',
  })
  @RequiredText(MAX_EMAIL)
  readonly email: string;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description:
      'The address goes onto the suppression list, which has its hash alone. Otherwise it leaves that list too; one with a `+tag` takes nothing off it, because the list does not know tags.',
  })
  @IsOptional()
  @IsBoolean()
  readonly suppress?: boolean | null;
}
