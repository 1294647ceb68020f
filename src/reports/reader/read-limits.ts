/**
 * What a mail with a report may hold at most. Anybody may write to the address of a domain's reports, since its DMARC record
 * shows it to the world.
 */
export const READ_LIMITS = {
  /** RFC 9990 leaves the size to who receives; large operators stop at what ordinary mail may have. */
  mailBytes: 10 * 1024 * 1024,
  /** Reports shrink to a twentieth when they are packed, so that 2.5 MB of one fit; no larger one is known. */
  unpackedBytes: 50 * 1024 * 1024,
  headerBytes: 256 * 1024,
  mimeDepth: 16,
  /** A mail that was forwarded whole holds another one; so many times that is looked into. */
  forwards: 3,
  /** Reports of one mail, and files of one archive. */
  reports: 50,
  /** The schema of RFC 9990 is six deep; extensions may go deeper. */
  xmlDepth: 32,
  records: 20_000,
  /** Elements of the whole report; a record with eight signatures has fifty. */
  elements: 1_500_000,
  /** Elements of all reports of a mail, those that are read a second time included: one report of that size may be. */
  elementsOfMail: 3_000_000,
  /** Messages of one record: more than anybody sends in a day from one address. */
  recordMessages: 1_000_000_000,
  /** Characters of any text that is kept. */
  textLength: 255,
  /** Characters of a member of JSON that are looked at, before it is cut. */
  lookedAtLength: 2_000,
  /** A report on encryption is read whole; those of the largest senders have some hundred kilobytes. */
  jsonBytes: 5 * 1024 * 1024,
  /** RFC 8460 is six deep. */
  jsonDepth: 16,
  /** Members of objects and of lists; a failure has seven. */
  jsonValues: 250_000,
  /** Of one report on encryption: RFC 8460 has one for each domain, its mail hosts and its MTA-STS policy. */
  policies: 100,
} as const;

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
