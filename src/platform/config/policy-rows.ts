import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Length,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/* The rows of `config/*.json` as they are written, with the allowed values of each member. */

function Count(min: number, max: number): PropertyDecorator {
  const message = `a whole number from ${min} to ${max}`;
  return applyDecorators(IsInt({ message }), Min(min, { message }), Max(max, { message }));
}

function CountOrNull(min: number, max: number): PropertyDecorator {
  const message = `null or a whole number from ${min} to ${max}`;
  const given = ValidateIf((_, value) => value !== null);
  return applyDecorators(given, IsInt({ message }), Min(min, { message }), Max(max, { message }));
}

function Words(message: string): PropertyDecorator {
  return applyDecorators(
    IsArray({ message }),
    IsString({ each: true, message }),
    Length(1, 100, { each: true, message }),
  );
}

class RateRow {
  @IsIn(['window', 'bucket'], { message: 'window, bucket' })
  readonly kind: 'window' | 'bucket';

  @ValidateIf(({ kind }: RateRow) => kind === 'window')
  @Count(1, 1_000_000)
  readonly requests?: number;

  @ValidateIf(({ kind }: RateRow) => kind === 'window')
  @Count(1, 86_400)
  readonly windowSeconds?: number;

  @ValidateIf(({ kind }: RateRow) => kind === 'bucket')
  @Count(1, 1_000_000)
  readonly perSecond?: number;

  @ValidateIf(({ kind }: RateRow) => kind === 'bucket')
  @Count(1, 1_000_000)
  readonly burst?: number;
}

/** `config/key-policies.json`; the row's name is its policy's. */
export class KeyPolicyRow {
  @IsIn(['envelope', 'flat'], { message: 'envelope, flat' })
  readonly shape: 'envelope' | 'flat';

  @Type(() => RateRow)
  @IsObject({ message: 'an object with kind and its numbers' })
  @ValidateNested()
  readonly rate: RateRow;

  @Count(1, 100_000)
  readonly requestsInFlight: number;

  @Count(0, 1_000_000)
  readonly batchSize: number;

  @CountOrNull(0, 1_000_000)
  readonly dailyFreeCredits: number | null;

  @Count(0, 1_000_000_000)
  readonly grantedCredits: number;

  @Count(0, 1_000_000_000)
  readonly lowCredits: number;

  @CountOrNull(1, 36_500)
  readonly keyLifeDays: number | null;

  @IsBoolean({ message: 'true or false' })
  readonly chargeUnknown: boolean;

  @IsBoolean({ message: 'true or false' })
  readonly chargeMalformed: boolean;

  /** The longest retention in days; null: that of `RETENTION_DAYS`. */
  @CountOrNull(1, 3650)
  readonly retentionDays: number | null;

  /** The most addresses and domains of one check against block lists. */
  @Count(0, 25)
  readonly blacklistTargets: number;

  /** The most monitors of an account in each mode. */
  @Count(0, 100_000)
  readonly monitors: number;

  /** The shortest interval of a monitor. */
  @Count(1, 10_080)
  readonly monitorMinutes: number;

  /** So long the history of a monitor is kept. */
  @Count(30, 3650)
  readonly monitorDays: number;
  /** Placement tests that may wait at once. */
  @Count(0, 10_000)
  readonly placementTests: number;

  /** Whether the account may register endpoints for events. */
  @IsBoolean({ message: 'true or false' })
  readonly webhooks: boolean;

  @ValidateIf(({ mcpTools }: KeyPolicyRow) => mcpTools !== 'all')
  @Words('all, or a list of tool names')
  readonly mcpTools: 'all' | readonly string[];
}

/** `config/credit-prices.json`; the row's name is the operation's. */
export class CreditPriceRow {
  @Count(0, 1_000_000)
  readonly costCredits: number;

  @Words('a list of outcomes')
  readonly freeOutcomes: readonly string[];
}

/** `config/webhook-retries.json`, row `delivery`. */
export class WebhookRetriesRow {
  /** The pause before each attempt, counted from the one before it (the first: from the event). */
  @IsArray({ message: 'a list of seconds' })
  @ArrayNotEmpty({ message: 'a list of seconds' })
  @IsInt({ each: true, message: 'a list of whole seconds' })
  @Min(0, { each: true, message: 'a list of seconds from 0' })
  @Max(604_800, { each: true, message: 'a list of seconds up to 604800' })
  readonly delaysSeconds: readonly number[];

  /**
   * The largest share of each delay that chance adds to it, so that deliveries which failed together do not come back together.
   */
  @IsNumber({}, { message: 'a number from 0 to 1' })
  @Min(0, { message: 'a number from 0 to 1' })
  @Max(1, { message: 'a number from 0 to 1' })
  readonly jitter: number;

  /** The deadline of a whole attempt, from the look-up of the name to the end of the reply. */
  @Count(1, 60)
  readonly deadlineSeconds: number;

  /** A longer `Retry-After` is cut. */
  @Count(0, 604_800)
  readonly maxRetryAfterSeconds: number;

  /** Days without a success after which an endpoint is disabled. */
  @Count(1, 365)
  readonly disableAfterDays: number;

  /** Deliveries a second to one receiving host from all accounts together, in the long run. */
  @Count(1, 10_000)
  readonly hostPerSecond: number;

  /** Deliveries at once to one receiving host from all accounts together. */
  @Count(1, 100_000)
  readonly hostBurst: number;
}

/** `config/console.json`, row `reading`. */
export class ConsoleLimitsRow {
  /** Requests a second of one key's sessions, in the long run. */
  @Count(1, 10_000)
  readonly perSecond: number;

  /** Requests at once after a pause. */
  @Count(1, 100_000)
  readonly burst: number;

  @Count(1, 10_000)
  readonly requestsInFlight: number;
}
