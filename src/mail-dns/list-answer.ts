import type { DnsAnswer } from './domain-dns.js';
import { type Blacklist, type ListedCode, SEVERITIES, type Severity, type TargetKind } from './blacklist-row.js';

/** Why a list gave no usable answer (docs/deliverability.md#checking-block-lists). */
export const LIST_TROUBLES = [
  'timeout',
  'servfail',
  'untrusted',
  'public_resolver',
  'too_many_questions',
  'wrong_question',
  'refused',
  'outside_loopback',
  'unproven',
  'test_point_missing',
  'lists_everything',
] as const;

export type ListTrouble = (typeof LIST_TROUBLES)[number];

/**
 * What one answer says. `unknown_code`: the row does not know the code, which is kept as evidence and never a listing. `unhealthy`: the
 * list, or the resolver on the way, answers what no list may.
 */
export type ListReading =
  | { readonly status: 'listed'; readonly codes: readonly string[]; readonly found: readonly ListedCode[] }
  | { readonly status: 'not_listed' }
  | { readonly status: 'unknown_code'; readonly codes: readonly string[] }
  | { readonly status: 'refused' | 'unhealthy'; readonly codes: readonly string[]; readonly why: ListTrouble }
  | { readonly status: 'no_answer'; readonly why: ListTrouble };

/** Health of a list for one kind of targets, as its test points have shown it. `silent`: they got no answer. */
export type ListState = 'healthy' | 'refused' | 'unhealthy' | 'silent';

export interface ListProof {
  readonly state: ListState;
  /** Null when it is healthy. */
  readonly why: ListTrouble | null;
}

/** A code of this network refuses on every list: the resolver is a public one, or asks too much. */
const REFUSAL = /^127\.255\.255\.\d+$/;
const TROUBLE_OF_CODE: Readonly<Record<string, ListTrouble>> = {
  '127.255.255.252': 'wrong_question',
  '127.255.255.254': 'public_resolver',
  '127.255.255.255': 'too_many_questions',
};

/**
 * Reads the A records with which a list answered a question.
 * @param isProven its test points are right at this resolver: without that, an absence says nothing
 */
export function readListAnswer(list: Blacklist, answer: DnsAnswer<string>, isProven: boolean): ListReading {
  if (answer.outcome === 'nxdomain' || answer.outcome === 'nodata')
    return isProven ? { status: 'not_listed' } : { status: 'no_answer', why: 'unproven' };
  if (answer.outcome !== 'found') return { status: 'no_answer', why: answer.outcome };
  const codes = [...new Set(answer.records)].toSorted();
  if (codes.some((code) => !code.startsWith('127.'))) return { status: 'unhealthy', codes, why: 'outside_loopback' };
  const refusal = codes.find((code) => REFUSAL.test(code));
  if (refusal !== undefined) return { status: 'refused', codes, why: TROUBLE_OF_CODE[refusal] ?? 'refused' };
  if (codes.some((code) => list.refusals.some((pattern) => isCode(pattern, code))))
    return { status: 'refused', codes, why: 'refused' };
  const found = list.answers.filter((known) => codes.some((code) => means(known, code)));
  return found.length > 0 ? { status: 'listed', codes, found } : { status: 'unknown_code', codes };
}

/** What the answers for a list's two test points say of it (RFC 5782 section 5). */
export function readTestPoints(
  list: Blacklist,
  answers: { readonly listed: DnsAnswer<string>; readonly clean: DnsAnswer<string> },
): ListProof {
  const listed = readListAnswer(list, answers.listed, true);
  const clean = readListAnswer(list, answers.clean, true);
  for (const reading of [listed, clean])
    if (reading.status === 'refused' || reading.status === 'unhealthy')
      return { state: reading.status, why: reading.why };
  for (const reading of [listed, clean])
    if (reading.status === 'no_answer') return { state: 'silent', why: reading.why };
  if (listed.status === 'not_listed') return { state: 'unhealthy', why: 'test_point_missing' };
  if (clean.status !== 'not_listed') return { state: 'unhealthy', why: 'lists_everything' };
  return { state: 'healthy', why: null };
}

/** The worst of severities; null of none. */
export function worstOf(severities: Iterable<Severity>): Severity | null {
  let worst: Severity | null = null;
  for (const severity of severities)
    if (worst === null || SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(worst)) worst = severity;
  return worst;
}

/** Whether much mail is lost by a listing: lists of this standing must have answered before a target is clean. */
export function matters(severity: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf('high');
}

/** Whether the list knows targets of this kind. */
export function knows(list: Blacklist, kind: TargetKind): boolean {
  return list.testPoints[kind] !== undefined;
}

function means({ codes, bit }: ListedCode, code: string): boolean {
  if (codes !== null) return isCode(codes, code);
  const [, last] = /^127\.0\.0\.(\d+)$/.exec(code) ?? [];
  return last !== undefined && bit !== null && (Number(last) & bit) !== 0;
}

/** @param pattern four octets, each a number or a range */
function isCode(pattern: string, code: string): boolean {
  const octets = code.split('.').map(Number);
  const parts = pattern.split('.');
  return parts.every((part, index) => {
    const [from = NaN, to = from] = part.split('-').map(Number);
    const octet = octets[index] ?? NaN;
    return octet >= from && octet <= to;
  });
}
