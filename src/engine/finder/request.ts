import type { SeenPatterns } from './candidates.js';
import type { FinderData, Speller } from './finder-data.js';
import type { NameInput } from './names.js';

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
