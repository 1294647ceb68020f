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

/** Why a mail is not taken as a report, as its owner is told. */
export const READING_REFUSALS = {
  mail_too_large: 'The email is larger than 10 MB.',
  reading_too_long: 'Mailsonde needs more than 15 seconds to read the email.',
  reading_too_large: 'Mailsonde needs more than 128 MB of memory to read the email.',
  mail_malformed: 'The email is not built as RFC 5322 and MIME want it.',
  no_report: 'The email contains no DMARC, TLS or failure report.',
  too_many_reports: 'The email contains more than 50 reports or files.',
  archive_malformed: 'The compressed file is damaged.',
  unpacked_too_large: 'The reports take more than 50 MB when they are unpacked.',
  json_malformed: 'The report is not valid JSON.',
  json_too_deep: 'The report nests its members deeper than a report needs.',
  xml_malformed: 'The report is not valid XML.',
  xml_with_doctype: 'The report has a document type declaration, which can be used for attacks.',
  xml_too_deep: 'The report nests its elements deeper than a report needs.',
  too_many_records: 'The report has more records than Mailsonde reads.',
  report_incomplete:
    'The report lacks the domain, the reporter, its number, its period or its source; or, in a failure report, what failed.',
} as const;

export type Refusal = keyof typeof READING_REFUSALS;

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
