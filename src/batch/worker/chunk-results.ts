import type { UsedWork } from '../../credits/credits.service.js';
import type { Verification } from '../../engine/types.js';
import type { VerdictCounts } from '../model/batch-row.js';
import type { RetryPass } from '../model/retry-window.js';
import type { LeasedChunk } from './leased-chunk.js';

export interface DeniedItem {
  readonly offset: number;
  readonly verification: Verification;
  readonly creditsCharged: number;
}

/** The outcome of one pass over a chunk. */
export interface ChunkResults {
  readonly chunk: LeasedChunk;
  /** Final results, as `ResultEncoder` or `PeopleEncoder` writes them. */
  readonly results: string;
  /** Rows by verdict. */
  readonly counts: VerdictCounts;
  readonly creditsCharged: number;
  /** What was done for the credits, by verdict and reason. */
  readonly works: readonly UsedWork[];
  /** Results among them that rest on nothing but the DNS resolver's denial. */
  readonly denials: readonly DeniedItem[];
  /** Null when every item has a final result. */
  readonly retryPass: RetryPass | null;
}
