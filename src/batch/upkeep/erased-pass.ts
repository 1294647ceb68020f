import { parseAddress } from '../../engine/syntax/address.js';
import { NOTHING_VERIFIED } from '../../engine/types.js';
import type { ErasedAddress } from '../../platform/erased-address.js';
import { VerdictBlock } from '../../reuse/verdict-block.js';
import { kindOf } from '../model/batch-kind.js';
import type { BatchKindName } from '../model/batch.js';
import type { ChunkResult, Verification } from '../model/chunk-result.js';
import { PeopleEncoder, ResultEncoder } from '../model/result-codec.js';
import { readRowRefs, type RowRef, type SentColumns } from '../model/row-ref.js';

/** What is left of an item, of a repetition of it and of a cell. */
export const ERASED_TEXT = '';

/** What an erased item is answered that had no verdict to keep. */
export const ERASED_ANSWER: Verification = { ...NOTHING_VERIFIED, verdict: 'invalid', reason: 'invalid_syntax' };

/** A block of rows as it is stored. */
export interface StoredBlock {
  /** By index in the block, as sent: duplicates of earlier rows. */
  readonly repeated: Readonly<Record<number, string>>;
  readonly rowRefs: Buffer;
  readonly extraColumns: readonly (readonly string[])[] | null;
}

/** A block without the address; null where it is as it was. */
export interface ErasedBlock {
  readonly repeated: StoredBlock['repeated'] | null;
  readonly extraColumns: StoredBlock['extraColumns'];
  /** Rows that have lost something. */
  readonly rows: number;
}

/**
 * Takes an address out of a block of rows: rows that had it keep their place and nothing else, because their other columns are about the
 * same person; in other rows each cell that names the address is emptied.
 * @param refs of the items that are gone
 */
export function eraseFromBlock(
  { repeated, rowRefs, extraColumns }: StoredBlock,
  refs: ReadonlySet<RowRef>,
  address: ErasedAddress,
): ErasedBlock {
  const touched = new Set<number>();
  for (const [row, ref] of readRowRefs(rowRefs).entries()) if (refs.has(ref)) touched.add(row);
  const gone = new Set(touched);
  const texts = Object.entries(repeated).map(([row, text]): readonly [string, string] => {
    if (!gone.has(Number(row)) && !isItem(text, address)) return [row, text];
    touched.add(Number(row));
    return [row, ERASED_TEXT];
  });
  const cells =
    extraColumns?.map((values, row) => {
      if (!gone.has(row) && !values.some((value) => address.isIn(value))) return values;
      touched.add(row);
      return values.map((value) => (gone.has(row) || address.isIn(value) ? ERASED_TEXT : value));
    }) ?? null;
  return {
    repeated: texts.some(([row, text]) => repeated[Number(row)] !== text) ? Object.fromEntries(texts) : null,
    extraColumns: touched.size > 0 ? cells : null,
    rows: touched.size,
  };
}

/** The names of the columns without the address, which stands among them where a file had no header; null: as they were. */
export function eraseFromColumns(sent: SentColumns, address: ErasedAddress): SentColumns | null {
  const { names, layout } = sent;
  const clean = (name: string) => (address.isIn(name) ? ERASED_TEXT : name);
  const left = { ...sent, names: names.map(clean), layout: layout && { ...layout, name: clean(layout.name) } };
  return JSON.stringify(left) === JSON.stringify(sent) ? null : left;
}

type Found = NonNullable<ChunkResult['found']>;

/** A chunk of a batch as it is stored: its items, and the packed results of each pass. */
export interface StoredChunk {
  readonly items: readonly string[];
  /** Verdicts that items are given again (`VerdictBlock`); null: none, or they have been. */
  readonly kept: Buffer | null;
  readonly passes: readonly { readonly pass: number; readonly results: string }[];
}

/** A chunk without the address. */
export interface ErasedChunk {
  /** Null: as they were. */
  readonly items: readonly string[] | null;
  /** Without those of the items that are gone. */
  readonly kept: Buffer | null;
  /** Only those that have changed. */
  readonly passes: readonly { readonly pass: number; readonly results: string }[];
  /** The items that are gone. */
  readonly offsets: ReadonlySet<number>;
}

/**
 * Takes an address out of a chunk. Its item becomes an empty text, and of its result nothing stays but what counts: verdict, reason, score,
 * checks, price and time. Other results that name the address, as a suggestion or in the words of a server, lose that alone.
 */
export function eraseFromChunk(
  kind: BatchKindName,
  { items, kept, passes }: StoredChunk,
  address: ErasedAddress,
): ErasedChunk {
  const decoded = passes.map(({ pass, results }) => ({ pass, decoder: kindOf({ kind }).decode(results, items) }));
  const offsets = new Set<number>();
  for (const [offset, item] of items.entries()) {
    const results = decoded.flatMap(({ decoder }) => (decoder.verdictAt(offset) === null ? [] : [decoder.at(offset)]));
    if (isItem(item, address) || results.some((result) => isAnswerOf(result, address))) offsets.add(offset);
  }
  const rewritten = decoded.flatMap(({ pass, decoder }) => {
    const encoder = kind === 'find' ? new PeopleEncoder() : new ResultEncoder();
    let isChanged = false;
    for (const offset of items.keys()) {
      if (decoder.verdictAt(offset) === null) continue;
      const result = decoder.at(offset);
      const left = offsets.has(offset) ? blank(result) : withoutMentions(result, address);
      isChanged ||= left !== result;
      encoder.add(left);
    }
    return isChanged ? [{ pass, results: encoder.toString() }] : [];
  });
  const left = items.map((item, offset) => (offsets.has(offset) ? ERASED_TEXT : item));
  return { items: offsets.size === 0 ? null : left, kept: withoutOffsets(kept, offsets), passes: rewritten, offsets };
}

function withoutOffsets(kept: Buffer | null, offsets: ReadonlySet<number>): Buffer | null {
  if (kept === null || offsets.size === 0) return kept;
  const rest = new VerdictBlock(kept).filter((_, offset) => !offsets.has(offset));
  return rest.count === 0 ? null : rest.toBuffer();
}

/** Whether a text that was sent is the address, perhaps with the name of its owner. */
function isItem(item: string, address: ErasedAddress): boolean {
  if (address.is(item)) return true;
  const parsed = parseAddress(item);
  return (parsed.ok && address.is(parsed.address.normalized)) || address.isIn(item);
}

function isAnswerOf({ verification, found }: ChunkResult, address: ErasedAddress): boolean {
  return found === undefined ? address.is(verification.normalizedEmail) : address.is(found.finding.email);
}

function blank({ offset, verification, creditsCharged, latencyMs, found }: ChunkResult): ChunkResult {
  if (found === undefined)
    return { offset, creditsCharged, latencyMs, verification: { ...withoutHosts(verification), email: ERASED_TEXT } };
  const { verdict, reason, confidence } = found.finding;
  const finding: Found['finding'] = {
    email: null,
    pattern: null,
    verdict,
    reason,
    confidence,
    verification: null,
    alternatives: [],
    tried: [],
    knownAddresses: 0,
    knownOfPattern: 0,
  };
  const nothing = { ...NOTHING_VERIFIED, verdict, checkedAt: verification.checkedAt };
  return { offset, creditsCharged, latencyMs, verification: nothing, found: { finding, domain: ERASED_TEXT } };
}

/** Mail hosts may tell whose domain it was, and their words may repeat the address. */
function withoutHosts(verification: Verification): Verification {
  const evidence = { ...verification.evidence, mxHost: null, mxAddress: null, text: null };
  return { ...verification, normalizedEmail: null, didYouMean: null, mxHost: null, evidence };
}

function withoutMentions(result: ChunkResult, address: ErasedAddress): ChunkResult {
  const { found } = result;
  if (!isMentionedIn(result, address)) return result;
  const verification = withoutMentionsIn(result.verification, address);
  if (found === undefined) return { ...result, verification };
  const { finding } = found;
  const left = {
    ...finding,
    verification: finding.verification && withoutMentionsIn(finding.verification, address),
    alternatives: finding.alternatives.filter(({ email }) => !address.is(email)),
    tried: finding.tried
      .filter((tried) => !address.is(tried.verification.email))
      .map((tried) => ({ ...tried, verification: withoutMentionsIn(tried.verification, address) })),
  };
  return { ...result, verification, found: { ...found, finding: left } };
}

function isMentionedIn({ verification, found }: ChunkResult, address: ErasedAddress): boolean {
  // A finding is looked through as a text: addresses stand in many places of it.
  if (found !== undefined) return address.isIn(JSON.stringify(found)) || address.isIn(JSON.stringify(verification));
  return address.is(verification.didYouMean) || address.isIn(verification.evidence.text);
}

function withoutMentionsIn(verification: Verification, address: ErasedAddress): Verification {
  const { didYouMean, evidence } = verification;
  const isTold = address.is(verification.email) || address.is(verification.normalizedEmail);
  if (isTold) return { ...withoutHosts(verification), email: ERASED_TEXT };
  if (!address.is(didYouMean) && !address.isIn(evidence.text)) return verification;
  return {
    ...verification,
    didYouMean: address.is(didYouMean) ? null : didYouMean,
    evidence: { ...evidence, text: address.isIn(evidence.text) ? null : evidence.text },
  };
}
