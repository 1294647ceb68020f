/** Why a mail is not taken as a report. */
export const REFUSALS = [
  'mail_too_large',
  'reading_too_long',
  'reading_too_large',
  'mail_malformed',
  'no_report',
  'too_many_reports',
  'archive_malformed',
  'unpacked_too_large',
  'json_malformed',
  'json_too_deep',
  'xml_malformed',
  'xml_with_doctype',
  'xml_too_deep',
  'too_many_records',
  'report_incomplete',
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** Ends the reading of a mail from wherever it stands; the reader turns it into a value. */
export class Unreadable extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal);
  }
}

/** The same, of which the refusal is a value. */
export async function orRefusal<T>(read: () => Promise<T>): Promise<T | { readonly refusal: Refusal }> {
  try {
    return await read();
  } catch (fault) {
    if (fault instanceof Unreadable) return { refusal: fault.refusal };
    throw fault;
  }
}
