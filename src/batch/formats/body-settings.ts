import { isDigits, readMaxCredits } from '../../credits/max-credits.js';
import { invalidField } from '../../platform/errors/app-error.js';
import type { KnownMembers } from '../../platform/http/known-members.js';
import {
  COLUMN_SETTINGS,
  type RowKind,
  checkDelimiter,
  type IntakeSettings,
  refuseHold,
  RETENTION,
  RETRY_WINDOW,
  REUSE,
  type WholeSetting,
} from './sent-body.js';

/** Puts a value into the settings. @param value of JSON, as it came. @throws AppError `invalid_input` */
type Take = (settings: IntakeSettings, value: unknown) => void;
type Takes = Readonly<Record<string, Take>>;

const OF_ALL: Takes = {
  hold: (_, value) => refuseHold(value),
  name: (settings, value) => void (settings.name = textOrNull('name', value)),
  webhook_url: (settings, value) => void (settings.webhookUrl = textOrNull('webhook_url', value)),
  max_credits: (settings, value) => void (settings.maxCredits = readMaxCredits(value)),
  retry_window_seconds: (settings, value) =>
    void (settings.retryWindowSeconds = whole('retry_window_seconds', value, RETRY_WINDOW)),
  retention_days: (settings, value) => void (settings.retentionDays = whole('retention_days', value, RETENTION)),
};

/** What a body of JSON says of its batch beside its rows. */
const SETTINGS: Readonly<Record<RowKind, Takes>> = {
  addresses: {
    ...OF_ALL,
    reuse_days: (settings, value) => void (settings.reuseDays = whole('reuse_days', value, REUSE) ?? 0),
  },
  people: OF_ALL,
};

/** What a form says beside that: how its file is read. */
const FILE_SETTINGS: Readonly<Record<RowKind, Takes>> = {
  addresses: {
    ...fileSettings('addresses'),
    has_header: (settings, value) => void (settings.hasHeader = truth('has_header', value)),
  },
  people: fileSettings('people'),
};

/** Fields of a form that are text in JSON too. */
const TEXTS = ['name', 'webhook_url'];

/** The settings that a body of JSON may have. */
export function settingsIn(kind: RowKind): KnownMembers {
  return namesOf(SETTINGS[kind]);
}

export function fieldsIn(kind: RowKind): KnownMembers {
  return namesOf({ ...SETTINGS[kind], ...FILE_SETTINGS[kind] });
}

/** Takes a member of JSON, unless it is no setting. */
export function takeSetting(settings: IntakeSettings, kind: RowKind, name: string, value: unknown): void {
  if (Object.hasOwn(SETTINGS[kind], name)) SETTINGS[kind][name]!(settings, value);
}

/** Takes a field of a form, unless it is no setting. */
export function takeField(settings: IntakeSettings, kind: RowKind, name: string, text: string): void {
  if (Object.hasOwn(FILE_SETTINGS[kind], name)) FILE_SETTINGS[kind][name]!(settings, text);
  else takeSetting(settings, kind, name, TEXTS.includes(name) ? text : valueOf(text));
}

function fileSettings(kind: RowKind): Takes {
  const columns = Object.keys(COLUMN_SETTINGS[kind]).map((name): [string, Take] => [
    name,
    (settings, value) => void (settings.namedColumns = { ...settings.namedColumns, [name]: value }),
  ]);
  return {
    delimiter: (settings, value) => void (settings.delimiter = checkDelimiter(String(value))),
    sheet: (settings, value) => void (settings.sheet = String(value)),
    ...Object.fromEntries(columns),
  };
}

function namesOf(takes: Takes): KnownMembers {
  return new Map(Object.keys(takes).map((name) => [name, null]));
}

/** The number or truth value that a field of a form holds; any other text as it is, which is refused as such. */
function valueOf(text: string): unknown {
  if (text === 'false') return false;
  return isDigits(text) ? Number(text) : text;
}

/** @param value as it came; null: as if it had not been given */
function whole(field: string, value: unknown, { minimum, maximum }: WholeSetting): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw invalidField(field, `must be a whole number from ${minimum} to ${maximum}`);
}

/** @param text of a form's field */
function truth(field: string, text: unknown): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidField(field, 'must be true or false');
}

function textOrNull(field: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw invalidField(field, 'must be a string');
  return value;
}
