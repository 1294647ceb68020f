import { type Checks, object, oneOf, text } from '../../lib/checked-json.js';
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
export const REASON_ROW = object<Checks<ReasonText>>({
  verdict: oneOf('valid', 'invalid', 'risky', 'unknown'),
  explanation: text,
  action: oneOf(...ACTIONS),
});

/** @throws ConfigurationError naming path and value that is wrong. */
export function loadReasonTexts(directory = CONFIG_DIRECTORY): ReasonTexts {
  return Object.fromEntries(readRows('reasons.json', REASON_ROW, directory));
}
