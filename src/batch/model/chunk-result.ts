import type { VerifiedAddress } from '../../presenting/presenter.js';

export type Verification = VerifiedAddress['verification'];
export type Verdict = Verification['verdict'];

/** The final result for one item of a chunk. */
export interface ChunkResult {
  /** Index in the chunk, from 0. */
  readonly offset: number;
  readonly verification: Verification;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** Whether the owner of the address asked not to be found, for accounts that report it; looked up when the result is read. */
  readonly suppressed?: boolean;
  /** The batch still runs and has no answer for this row: `verification` holds the address alone. */
  readonly isPending?: true;
  /** In a batch of people: the search, of which `verification` is the deciding one. */
  readonly found?: VerifiedAddress['found'];
}
