/** Where a seed has found the mail; `seed_error`: we could not look, so it counts nowhere. */
export const PLACEMENTS = ['inbox', 'tab', 'spam', 'other_folder', 'missing', 'pending', 'seed_error'] as const;

export type Placement = (typeof PLACEMENTS)[number];

/** What one mailbox tells of a test. */
export interface SeedStanding {
  /** As `config/mail-providers.json` or the operator names it: `gmail`. */
  readonly provider: string;
  readonly placement: Placement;
  /** The tab of a `tab`: `promotions`. */
  readonly tab: string | null;
  readonly arrivedAfterS: number | null;
  /** By what the mail was known for that of the test; null: none was found. */
  readonly matchedBy: 'recipient' | 'header' | 'subject' | 'body' | 'message_id' | 'from_and_subject' | null;
  /** What the provider's own servers say of the mail; null: they say nothing. */
  readonly authentication: Readonly<Record<'spf' | 'dkim' | 'dmarc', string | null>> | null;
}

export type PlacementCounts = Readonly<Record<'measured' | Placement, number>>;

export interface ProviderPlacement extends PlacementCounts {
  readonly provider: string;
  readonly seeds: readonly SeedStanding[];
}

export interface SeedPlacement extends PlacementCounts {
  readonly providers: readonly ProviderPlacement[];
}

/** What all seeds of a test tell together; measured is what has an outcome: neither `pending` nor an error of ours. */
export function placementOf(seeds: readonly SeedStanding[]): SeedPlacement {
  const providers = [...new Set(seeds.map(({ provider }) => provider))].toSorted();
  return {
    ...countsOf(seeds),
    providers: providers.map((provider) => {
      const own = seeds.filter((seed) => seed.provider === provider);
      return { provider, ...countsOf(own), seeds: own };
    }),
  };
}

function countsOf(seeds: readonly SeedStanding[]): PlacementCounts {
  const count = (wanted: Placement) => seeds.filter(({ placement }) => placement === wanted).length;
  const counts = Object.fromEntries(PLACEMENTS.map((one) => [one, count(one)])) as Record<Placement, number>;
  return { measured: seeds.length - counts.pending - counts.seed_error, ...counts };
}
