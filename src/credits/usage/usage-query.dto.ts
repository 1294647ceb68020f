import { OptionalDay } from '../../platform/http/time.js';
import { USAGE_COLUMNS, type UsageColumn } from './usage.store.js';
import { OptionalOneOf } from '../../platform/http/input/fields.js';

const COLUMNS = Object.keys(USAGE_COLUMNS) as UsageColumn[];
const FORMATS = ['json', 'csv'] as const;

export class UsageQuery {
  @OptionalDay('The first day (UTC); 29 days before `to` unless it is named.')
  readonly from?: string;

  @OptionalDay('The last day (UTC), today unless it is named; at most 366 days in all.')
  readonly to?: string;

  @OptionalOneOf(COLUMNS, { default: 'day' })
  readonly by?: UsageColumn;

  @OptionalOneOf(FORMATS, { default: 'json' })
  readonly format?: (typeof FORMATS)[number];
}
