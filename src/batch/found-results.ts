import type { Finding } from '../finder/finder-search.service.js';
import type { ChunkResult, Verdict, Verification } from './batch-results.js';

/** The answer for one person. */
export interface FoundResult extends ChunkResult {
  readonly found: { readonly finding: Finding; readonly domain: string };
}

/** A round's findings on their way into one text: people have little in common, so each is written whole. */
export class FoundEncoder {
  private readonly rows: string[] = [];

  get count(): number {
    return this.rows.length;
  }

  add(result: ChunkResult): void {
    this.rows.push(JSON.stringify(result));
  }

  toString(): string {
    return `[${this.rows.join(',')}]`;
  }
}

/** The findings of one round. */
export class StoredFindings {
  private readonly rows: ReadonlyMap<number, FoundResult>;

  constructor(text: string) {
    this.rows = new Map((JSON.parse(text) as FoundResult[]).map((row) => [row.offset, row]));
  }

  /** Null for a person whom this round did not settle. */
  verdictAt(offset: number): Verdict | null {
    return this.rows.get(offset)?.verification.verdict ?? null;
  }

  /**
   * Of a person whom this round settled.
   * @param repeat what a further row says that has the person of an earlier one: only the first row is charged
   */
  at(offset: number, repeat?: string): ChunkResult {
    const row = this.rows.get(offset)!;
    return repeat === undefined ? row : { ...row, creditsCharged: 0 };
  }
}

/** Stands where nobody was asked about. */
export const NOTHING_VERIFIED: Verification = {
  email: '',
  normalizedEmail: null,
  verdict: 'unknown',
  reason: 'temporary_failure',
  score: 0,
  confidence: 0,
  checks: {
    syntax: 'skipped',
    mx: 'skipped',
    smtp: 'skipped',
    catchAll: null,
    disposable: false,
    role: false,
    free: false,
    spamTrap: false,
    privacyRelay: false,
  },
  didYouMean: null,
  provider: null,
  mxHost: null,
  retryAfterSeconds: null,
  evidence: {
    stage: 'syntax',
    mxHost: null,
    mxAddress: null,
    code: null,
    enhanced: null,
    text: null,
    at: 0,
    fromCache: false,
  },
  checkedAt: 0,
};
