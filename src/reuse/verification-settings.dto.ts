import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

const REUSE = 'Whether verdicts are kept for `reuse_days`. Switching it off deletes what is kept.';

export class VerificationSettingsRequest {
  @ApiProperty({ description: REUSE })
  @IsBoolean()
  readonly reuse: boolean;
}
