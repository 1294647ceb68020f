import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { OptionalMaxCredits } from '../credits/max-credits.decorator.js';
import { MAX_REUSE_DAYS } from '../reuse/reuse.service.js';
import { OptionalInteger } from '../platform/http/fields.js';

export const DEFAULT_TIMEOUT_MS = 15_000;

export class VerifyRequest {
  /** Any text: a malformed address gets a verdict, not an error. */
  @ApiProperty({ maxLength: 1000, description: 'A malformed address is answered with `invalid`.' })
  @IsString()
  @MaxLength(1000)
  readonly email: string;

  @OptionalInteger({
    minimum: 1000,
    maximum: 60_000,
    default: DEFAULT_TIMEOUT_MS,
    description: 'Milliseconds; when they run out the verdict is `unknown` with the reason so far.',
  })
  readonly timeout_ms?: number | null;

  @OptionalMaxCredits()
  readonly max_credits?: number | null;

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_REUSE_DAYS,
    default: 0,
    description: "The account's own verdict of the address, at most so many days old, is given again for nothing.",
  })
  readonly reuse_days?: number | null;
}
