import type { DnsAnswer } from './domain-dns.js';
import type { Blacklist, ListedCode, TargetKind } from './blacklist-row.js';
import { type ListProof, type ListReading, readListAnswer, readTestPoints } from './list-answer.js';
import { questionName, type Target } from './targets.js';

/** The questions that lists are asked. */
export interface ListDns {
  /** @param attempt from 0: a later attempt goes to another server where there are several */
  a(name: string, attempt: number): Promise<DnsAnswer<string>>;
  txt(name: string, attempt: number): Promise<DnsAnswer<string>>;
}

/** A list that may be asked, and under which zone. */
export interface OpenList {
  readonly list: Blacklist;
  readonly zone: string;
}

/** What a list says of a target. A listing is one only when it was confirmed. */
export type ListFinding =
  | {
      readonly status: 'listed';
      readonly codes: readonly string[];
      readonly found: readonly ListedCode[];
      /** The list's own words. */
      readonly reason: string | null;
    }
  | { readonly status: 'unconfirmed'; readonly codes: readonly string[]; readonly proof: ListProof }
  | Exclude<ListReading, { readonly status: 'listed' }>;

const MAX_REASON_CHARACTERS = 500;

/** Asks a list for its two test points of a kind. */
export async function testList(
  { list, zone }: OpenList,
  kind: TargetKind,
  dns: ListDns,
  attempt = 0,
): Promise<ListProof> {
  const points = list.testPoints[kind];
  if (points === undefined) throw new Error(`${list.id} knows no targets of kind ${kind}`);
  const [listed, clean] = await Promise.all(
    [points.listed, points.clean].map((point) => dns.a(pointName(point, kind, zone), attempt)),
  );
  return readTestPoints(list, { listed: listed!, clean: clean! });
}

/**
 * Asks a list about a target. An answer that would be a listing is doubted first: the question is asked again, and so are the test points
 * of the list, at that moment.
 * @param isProven its test points were right lately
 */
export async function askList(open: OpenList, target: Target, dns: ListDns, isProven: boolean): Promise<ListFinding> {
  const name = questionName(target, open.zone);
  if (name === null) return { status: 'no_answer', why: 'servfail' };
  const first = readListAnswer(open.list, await dns.a(name, 0), isProven);
  if (first.status !== 'listed') return first;
  const [again, proof, words] = await Promise.all([
    dns.a(name, 1).then((answer) => readListAnswer(open.list, answer, true)),
    testList(open, target.kind, dns, 1),
    dns.txt(name, 1),
  ]);
  if (again.status !== 'listed' || proof.state !== 'healthy')
    return { status: 'unconfirmed', codes: first.codes, proof };
  return { ...again, reason: words.outcome === 'found' ? printable(words.records[0] ?? '') : null };
}

function pointName(point: string, kind: TargetKind, zone: string): string {
  if (kind === 'domain') return `${point}.${zone}`;
  return questionName({ kind, value: point }, zone)!;
}

/** Somebody else's words, as one line. */
function printable(text: string): string | null {
  const line = text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARACTERS);
  return line === '' ? null : line;
}
