import type { Reason, Verdict, Verification } from '../types.js';
import type { Candidate, SeenPatterns } from './candidates.js';
import type { FinderData, Speller } from './finder-data.js';
import type { NameInput } from './names.js';

/**
 * Why an address was given or not: what the engine said of the deciding address, or one of the finder's own. `shared_local_part`: it
 * exists and may be somebody else's. `catch_all_undetermined`: it was accepted, and whether every name is could not be learned.
 * `no_candidate_exists`: the server has refused each. `name_unreadable`: nothing in the name
 * can be written in an address. `public_mail_domain`, `domain_unreadable`: a row of a batch that could not be searched for. `suppressed`: the person asked not to be found.
 */
export type FindingReason =
  | Reason
  | 'shared_local_part'
  | 'catch_all_undetermined'
  | 'no_candidate_exists'
  | 'name_unreadable'
  | 'suppressed'
  | 'public_mail_domain'
  | 'domain_unreadable';

export interface Tried {
  readonly candidate: Candidate;
  readonly verification: Verification;
}

export interface Guess {
  readonly email: string;
  readonly pattern: string;
  /** 0–1: how likely it is the person's address. */
  readonly confidence: number;
}

export interface Finding {
  /** Null when there is none to give. */
  readonly email: string | null;
  readonly pattern: string | null;
  readonly verdict: Verdict;
  readonly reason: FindingReason;
  readonly confidence: number;
  /** The verification of the deciding address; null when none was asked about. */
  readonly verification: Verification | null;
  /** Other addresses that the person may have, likeliest first, at most three. */
  readonly alternatives: readonly Guess[];
  readonly tried: readonly Tried[];
  /** Addresses of the domain whose pattern is known, and how many of them are of the one given. */
  readonly knownAddresses: number;
  readonly knownOfPattern: number;
}

export interface SearchOutcome {
  readonly domain: string;
  /** The candidates in the order in which they were verified; all but the last were refused. */
  readonly tried: readonly Tried[];
  /** All that could be asked about, likeliest first. */
  readonly candidates: readonly Candidate[];
  readonly isSuppressed: boolean;
  /** Nothing in the name can be written in an address. */
  readonly isUnreadable: boolean;
  readonly seen: SeenPatterns;
}

const MAX_ALTERNATIVES = 3;
/** The doubt left: the organisation may have another person with this name, or with this initial and family name. */
const SURE_OF_NAMES = 0.98;
const SURE_OF_INITIALS = 0.93;
const SURE_OF_SHARED = 0.6;
/** The doubt is an address of a pattern that is not in the data, or with a number. */
const SURE_OF_PATTERNS = 0.95;
/** Lowers the confidence of a guess that no server confirmed. */
const UNCONFIRMED = 0.5;
const BOTH_NAMES = /\{first\}.*\{last\}|\{last\}.*\{first\}/;

/** The finding that a search's outcome amounts to. */
export function concludeSearch(outcome: SearchOutcome): Finding {
  const { domain, tried, candidates, isSuppressed, isUnreadable, seen } = outcome;
  const last = tried.at(-1);
  const knownAddresses = [...seen.values()].reduce((sum, count) => sum + count, 0);
  const common = { tried, knownAddresses };
  const nobody = { ...common, email: null, pattern: null, alternatives: [], knownOfPattern: 0 };
  if (isSuppressed) return { ...nobody, verdict: 'unknown', reason: 'suppressed', confidence: 0, verification: null };
  // All candidates may be role mailboxes, as for a person called Sales.
  const emptyReason = isUnreadable ? 'name_unreadable' : 'no_candidate_exists';
  if (last === undefined)
    return { ...nobody, verdict: 'unknown', reason: emptyReason, confidence: 0, verification: null };

  const { verification, candidate } = last;
  const refused = tried.filter((one) => isRefused(one.verification));
  const refusedWeight = refused.reduce((sum, one) => sum + one.candidate.weight, 0);
  if (refused.length === tried.length) {
    const confidence = rounded(refusedWeight * SURE_OF_PATTERNS);
    return { ...nobody, verdict: 'invalid', reason: 'no_candidate_exists', confidence, verification };
  }
  if (verification.verdict === 'invalid') {
    const { verdict, reason, confidence } = verification;
    return { ...nobody, verdict, reason, confidence, verification };
  }
  // The refused candidates are ruled out, which makes the others likelier.
  const likelihood = ({ weight }: Candidate) => (weight / Math.max(weight, 1 - refusedWeight)) * SURE_OF_PATTERNS;
  const guess = (one: Candidate, factor: number): Guess => ({
    email: `${one.localPart}@${domain}`,
    pattern: one.pattern,
    confidence: rounded(likelihood(one) * factor),
  });
  const isAccepted = verification.verdict !== 'unknown' && verification.reason !== 'catch_all';
  const isShared = isAccepted && !candidate.isPersonal;
  const isUndetermined = isAccepted && verification.checks.catchAll === 'undetermined';
  const confidence = isAccepted
    ? rounded(verification.confidence * sureness(candidate))
    : guess(candidate, verification.verdict === 'unknown' ? UNCONFIRMED : 1).confidence;
  const asked = new Set(tried.map((one) => one.candidate));
  const others = candidates.filter((one) => !asked.has(one)).slice(0, MAX_ALTERNATIVES);
  return {
    ...common,
    email: `${candidate.localPart}@${domain}`,
    pattern: candidate.pattern,
    ...(verification.verdict === 'valid' && (isUndetermined || isShared)
      ? { verdict: 'risky', reason: isUndetermined ? 'catch_all_undetermined' : 'shared_local_part' }
      : { verdict: verification.verdict, reason: verification.reason }),
    confidence,
    verification,
    alternatives: isAccepted && !isShared && !isUndetermined ? [] : others.map((one) => guess(one, UNCONFIRMED)),
    knownOfPattern: seen.get(candidate.pattern) ?? 0,
  };
}

/** The mailbox does not exist, or mail to it would do harm: the next candidate is verified. */
export function isRefused({ reason }: Verification): boolean {
  return reason === 'mailbox_not_found' || reason === 'mailbox_disabled' || reason === 'spam_trap';
}

function sureness({ isPersonal, pattern }: Candidate): number {
  if (!isPersonal) return SURE_OF_SHARED;
  return BOTH_NAMES.test(pattern) ? SURE_OF_NAMES : SURE_OF_INITIALS;
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

export interface FindRequest {
  readonly name: NameInput;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** How often each pattern was seen among the domain's addresses. */
  readonly seen: SeenPatterns;
}

export interface FindOptions {
  /** Milliseconds after which the answer is the best guess so far. */
  readonly budgetMs: number;
  readonly data: FinderData;
  readonly spell: Speller;
  /** Searches of one list share it where others wait for the same mail hosts; without one the search waits behind no list. */
  readonly turn?: string;
  /** Who searches, as in `VerifyOptions`. */
  readonly account?: string | null;
  /** Resolves to the addresses whose owners asked not to be found. */
  readonly suppressed: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
}
