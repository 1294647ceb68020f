import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { MAX_NAMED, OptionalSelectors, OptionalSenders } from '../../domains/sender-fields.js';
import { PageQuery } from '../../../platform/http/page.js';
import {
  OptionalFlag,
  OptionalInteger,
  OptionalOneOf,
  OptionalSomeOf,
  OptionalText,
  OptionalTime,
} from '../../../platform/http/fields.js';
import { FINDING_STATES, type FindingState, MONITOR_AREAS, type MonitorArea } from '../findings/monitor-run.js';
import { ALERT_FROM, MONITOR_KINDS, MONITOR_STATES, type MonitorKind, type MonitorState } from '../findings/monitor.js';
import { DEFAULT_MINUTES } from '../monitor-choices.js';
import { NUMBER_PATTERN } from '../../../platform/http/ids.js';

const MAX_TARGET = 1_000;
const MAX_MINUTES = 10_080;

/** What an owner chooses, when a monitor is made and later. */
class MonitorChoices {
  @OptionalText(200, 'Your own name for it.')
  readonly name?: string | null;

  @OptionalInteger({
    minimum: 1,
    maximum: MAX_MINUTES,
    nullable: true,
    description: `From one run to the next, at least what the plan allows; ${DEFAULT_MINUTES} when left out, or the plan's shortest.`,
  })
  readonly interval_minutes?: number | null;

  @OptionalSomeOf(MONITOR_AREAS, MAX_NAMED, {
    nullable: true,
    description: 'Only these; all when null. An address is looked for on block lists only.',
  })
  readonly checks?: readonly MonitorArea[] | null;

  @OptionalSelectors({
    nullable: true,
    description: 'Selectors of its DKIM keys; without one those that mail services use are looked for once a day.',
  })
  readonly dkim_selectors?: readonly string[] | null;

  @OptionalSenders({ nullable: true })
  readonly sending_addresses?: readonly string[] | null;

  @OptionalOneOf(ALERT_FROM, {
    nullable: true,
    default: 'warning',
    description: 'Findings below it are shown and never told.',
  })
  readonly alert_from?: (typeof ALERT_FROM)[number] | null;

  @OptionalFlag({ nullable: true, description: 'Whether what the first run finds is told; false when left out.' })
  readonly notify_first?: boolean | null;

  @OptionalFlag({ nullable: true, description: 'False: it does not run; true when left out.' })
  readonly enabled?: boolean | null;
}

export class CreateMonitorRequest extends MonitorChoices {
  @ApiProperty({ enum: MONITOR_KINDS })
  @IsIn(MONITOR_KINDS)
  readonly kind: MonitorKind;

  @ApiProperty({ minLength: 1, maxLength: MAX_TARGET, example: 'example.com' })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TARGET)
  readonly target: string;
}

/** What is left out stays as it is. */
export class ChangeMonitorRequest extends MonitorChoices {}

export class MonitorsQuery extends PageQuery {
  @OptionalOneOf(MONITOR_STATES)
  readonly state?: MonitorState;
}

export class MonitorFindingsQuery extends PageQuery {
  @OptionalOneOf(FINDING_STATES)
  readonly state?: FindingState;
}

export class MonitorDiffQuery {
  // The service asks for both: whose monitor it is not is told nothing else.
  @ApiProperty({ type: String, pattern: NUMBER_PATTERN, description: 'The id of a run.' })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  readonly from?: string;

  @ApiProperty({ type: String, pattern: NUMBER_PATTERN, description: 'The id of a run.' })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  readonly to?: string;
}

/** Of a finding, or of all that a block list says. */
export class MuteRequest {
  @OptionalTime({
    nullable: true,
    description: 'Until then nothing is told of it; null: it is told again. Left out it stays.',
  })
  readonly muted_until?: string | null;

  @OptionalText(1_000, 'Your own words about it; null takes them away.')
  readonly note?: string | null;
}
