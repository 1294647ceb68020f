import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { OptionalText } from '../platform/http/text.js';
import { OptionalGrace, OptionalTime } from './key-fields.js';

export class CreateKeyRequest {
  @ApiPropertyOptional({ enum: ['live', 'test'], default: 'live' })
  @IsOptional()
  @IsIn(['live', 'test'])
  readonly kind?: 'live' | 'test' | null;

  @OptionalText(80, 'What the key is for.')
  readonly name?: string | null;

  @OptionalTime('From then on the key is refused; without it, it does not expire.')
  readonly expires_at?: string | null;
}

export class RotateKeyRequest {
  @OptionalGrace()
  readonly grace_seconds?: number | null;
}
