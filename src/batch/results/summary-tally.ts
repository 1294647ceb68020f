import type { RowFact, Verdict } from '../model/chunk-result.js';

/** The domains and the mail operators that a summary names, those with the most rows first. */
export const MAX_NAMED = 20;

export type CountsByVerdict = Readonly<Record<Verdict, number>>;

interface ReasonCount {
  readonly reason: string;
  readonly verdict: Verdict;
  readonly rows: number;
}

interface DomainCounts extends CountsByVerdict {
  readonly domain: string;
  readonly rows: number;
}

interface ProviderCounts extends CountsByVerdict {
  /** Null: of no mail operator that the service knows by name. */
  readonly provider: string | null;
  readonly rows: number;
}

/** What the rows of a batch came to, without the rows. */
export interface BatchSummary {
  /** Rows that are answered. */
  readonly rows: number;
  readonly reasons: readonly ReasonCount[];
  readonly domains: readonly DomainCounts[];
  /** Different domains, those that are not named too. */
  readonly allDomains: number;
  readonly providers: readonly ProviderCounts[];
}

const VERDICTS: readonly Verdict[] = ['valid', 'invalid', 'risky', 'unknown'];

/** Counts rows by reason, domain and mail operator. A million domains are four numbers and a name each. */
export class SummaryTally {
  private rows = 0;
  private readonly reasons = new Map<string, { readonly reason: string; readonly verdict: Verdict; rows: number }>();
  /** The place of a domain's four numbers in `byDomain`. */
  private readonly places = new Map<string, number>();
  private byDomain = new Uint32Array(4 * 1024);
  private readonly providers = new Map<string | null, Record<Verdict, number>>();

  /**
   * @param domain null: none
   * @param rows that have this answer: repeated ones count as often as they were sent
   */
  add({ verdict, reason, provider }: RowFact, domain: string | null, rows: number): void {
    this.rows += rows;
    // A search for a person may end with one reason in two verdicts.
    const key = `${reason} ${verdict}`;
    let known = this.reasons.get(key);
    if (known === undefined) this.reasons.set(key, (known = { reason, verdict, rows: 0 }));
    known.rows += rows;
    let counts = this.providers.get(provider);
    if (counts === undefined) this.providers.set(provider, (counts = { valid: 0, invalid: 0, risky: 0, unknown: 0 }));
    counts[verdict] += rows;
    if (domain !== null) this.addDomain(domain, verdict, rows);
  }

  summary(): BatchSummary {
    const providers = [...this.providers].map(([provider, counts]) => ({ provider, rows: sumOf(counts), ...counts }));
    return {
      rows: this.rows,
      reasons: [...this.reasons.values()].sort(byRows(({ reason, verdict }) => `${reason} ${verdict}`)),
      domains: this.topDomains(),
      allDomains: this.places.size,
      providers: providers.sort(byRows(({ provider }) => provider ?? '')).slice(0, MAX_NAMED),
    };
  }

  private addDomain(domain: string, verdict: Verdict, rows: number): void {
    let place = this.places.get(domain);
    if (place === undefined) {
      place = this.places.size * VERDICTS.length;
      this.places.set(domain, place);
      if (place === this.byDomain.length) {
        const grown = new Uint32Array(place * 2);
        grown.set(this.byDomain);
        this.byDomain = grown;
      }
    }
    this.byDomain[place + VERDICTS.indexOf(verdict)]! += rows;
  }

  private topDomains(): DomainCounts[] {
    const top: DomainCounts[] = [];
    const order = byRows<DomainCounts>(({ domain }) => domain);
    for (const [domain, place] of this.places) {
      const counts = Object.fromEntries(VERDICTS.map((verdict, i) => [verdict, this.byDomain[place + i]!]));
      const one = { domain, rows: sumOf(counts as CountsByVerdict), ...(counts as CountsByVerdict) };
      if (top.length === MAX_NAMED && order(one, top.at(-1)!) > 0) continue;
      top.push(one);
      top.sort(order);
      top.splice(MAX_NAMED);
    }
    return top;
  }
}

function sumOf({ valid, invalid, risky, unknown }: CountsByVerdict): number {
  return valid + invalid + risky + unknown;
}

/** The most rows first; those with as many by name, so that two summaries of one batch are alike. */
function byRows<One extends { readonly rows: number }>(nameOf: (one: One) => string) {
  return (one: One, other: One): number => other.rows - one.rows || (nameOf(one) < nameOf(other) ? -1 : 1);
}
