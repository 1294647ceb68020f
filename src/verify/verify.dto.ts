import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { MAX_REUSE_DAYS } from '../reuse/reuse.service.js';

export const DEFAULT_TIMEOUT_MS = 15_000;

export class VerifyRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A malformed address is answered with `invalid`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1000,
    maximum: 60_000,
    default: DEFAULT_TIMEOUT_MS,
    description: 'Milliseconds; when they run out the verdict is `unknown` with the reason so far.',
  })
  @IsOptional()
  @IsInt()
  @Min(1000)
  @Max(60_000)
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_REUSE_DAYS,
    default: 0,
    description: "The account's own verdict of the address, at most so many days old, is given again for nothing.",
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_REUSE_DAYS)
  readonly reuse_days?: number | null;
}

const REUSE = 'Whether verdicts are kept for `reuse_days`. Switching it off deletes what is kept.';

export class VerificationSettingsRequest {
  @ApiProperty({ description: REUSE })
  @IsBoolean()
  readonly reuse: boolean;
}

export class VerificationSettingsReply {
  @ApiProperty({
    description:
      'Whether verdicts may be kept for `reuse_days`; they are kept from the first request that asks for it.',
  })
  readonly reuse: boolean;
}
