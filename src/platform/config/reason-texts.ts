import { IsIn, Length } from 'class-validator';
import { CONFIG_DIRECTORY, readRows } from './config-file.js';

export const ACTIONS = ['send', 'send_with_care', 'review', 'retry_later', 'do_not_send'] as const;

/** Advice about an address. */
export type Action = (typeof ACTIONS)[number];

/** One row of `config/reasons.json`: the text and the advice that API, documents and tools share. */
export interface ReasonText {
  readonly verdict: 'valid' | 'invalid' | 'risky' | 'unknown';
  readonly explanation: string;
  readonly action: Action;
}

export type ReasonTexts = Readonly<Record<string, ReasonText>>;

/** `config/reasons.json`; the row's name is the reason's. */
export class ReasonRow {
  @IsIn(['valid', 'invalid', 'risky', 'unknown'], { message: 'valid, invalid, risky, unknown' })
  readonly verdict: 'valid' | 'invalid' | 'risky' | 'unknown';

  @Length(1, 1000, { message: 'a text of 1 to 1000 characters' })
  readonly explanation: string;

  @IsIn(ACTIONS, { message: ACTIONS.join(', ') })
  readonly action: Action;
}

/** @throws ConfigurationError naming path and value that is wrong. */
export function loadReasonTexts(directory = CONFIG_DIRECTORY): ReasonTexts {
  return Object.fromEntries(readRows('reasons.json', ReasonRow, directory));
}
