/**
 * What a mail with a report may hold at most. Anybody may write to the address of a domain's reports, since its DMARC record
 * shows it to the world.
 */
export const READ_LIMITS = {
  /** RFC 9990 leaves the size to who receives; large operators stop at what ordinary mail may have. */
  mailBytes: 10 * 1024 * 1024,
  /** Reports shrink to a twentieth, so whatever fits into a mail and is honest fits in here. */
  unpackedBytes: 50 * 1024 * 1024,
  headerBytes: 256 * 1024,
  mimeDepth: 16,
  /** The schema of RFC 9990 is six deep; extensions may go deeper. */
  xmlDepth: 32,
  records: 20_000,
  /** Elements of the whole report; a record with eight signatures has fifty. */
  elements: 1_500_000,
  /** Messages of one record: more than anybody sends in a day from one address. */
  recordMessages: 1_000_000_000,
  /** Characters of any text that is kept. */
  textLength: 255,
} as const;
