import { LruMap } from '../../../lib/lru-map.js';
import type { EgressSource, SharedBlock, WarmUpTable } from '../../ports.js';
import type { Clock } from '../../../lib/clock.js';
import type { Port25Report, Port25Trial } from './port25.js';
import { DEFAULT_SOURCE, Source, type SourceCondition } from './source.js';

export interface SourcesOptions {
  readonly clock: Clock;
  /** How those that say since when they ask are warmed up. */
  readonly warmUpTable?: WarmUpTable;
  readonly conditionOf?: (name: string) => SourceCondition;
  /** Asks mail hosts of our own choosing from a source, without which nothing shows that port 25 is blocked. */
  readonly tryPort25?: (source: EgressSource) => Promise<Port25Trial>;
  readonly onPort25Blocked?: (source: string) => void;
  readonly tellOthers?: ((block: SharedBlock) => void) | undefined;
}

/** Addresses that a host has asked to come back for, with the source that it has seen. */
const MAX_GREYLISTED = 50_000;

const DEFAULT_WARM_UP: WarmUpTable = { firstDay: 50, growth: 1.5, most: 10_000 };

/** Our own addresses, in the order in which each operator's hosts should see them. They may change while they ask. */
export class Sources {
  #all: readonly Source[] = [];
  #byName: ReadonlyMap<string, Source> = new Map();
  #warmUpTable = DEFAULT_WARM_UP;
  readonly #greylistedBy = new LruMap<string, string>(MAX_GREYLISTED);

  constructor(
    configs: readonly EgressSource[],
    private readonly options: SourcesOptions,
  ) {
    this.replace(configs, options.warmUpTable);
  }

  get all(): readonly Source[] {
    return this.#all;
  }

  get isSingle(): boolean {
    return this.#all.length === 1;
  }

  get warmUpTable(): WarmUpTable {
    return this.#warmUpTable;
  }

  /**
   * These are our addresses from now on. One that is as it was keeps all that was learned at it; any other begins anew, and who is not
   * among them is taken out.
   */
  replace(configs: readonly EgressSource[], warmUpTable: WarmUpTable = DEFAULT_WARM_UP): void {
    if (configs.length === 0) throw new Error('an engine needs a source');
    const { clock, conditionOf = () => 'open' as const, tellOthers } = this.options;
    const { tryPort25 = async () => 'unclear' as const, onPort25Blocked = () => {} } = this.options;
    const before = this.#all;
    this.#all = configs.map((config) => {
      const known = this.#byName.get(config.name);
      const isSame = known !== undefined && JSON.stringify(known.config) === JSON.stringify(config);
      return isSame ? known : new Source(config, clock, conditionOf, tryPort25, onPort25Blocked, tellOthers);
    });
    this.#byName = new Map(this.#all.map((source) => [source.name, source]));
    this.#warmUpTable = warmUpTable;
    for (const source of before) if (this.#byName.get(source.name) !== source) source.takeOut();
  }

  /** Nothing is found out any more. */
  close(): void {
    for (const { port25 } of this.#all) port25.close();
  }

  named(name: string): Source | null {
    return this.#byName.get(name) ?? null;
  }

  /**
   * The sources that may ask the operator, the one first that its hosts should see as long as it has room. The order is the same in every
   * process and after a restart, so that who comes back to a host comes from the same address; each source is first for its share of the hosts
   * (weighted rendezvous hashing).
   *
   * @param row of the operator in the table of mail operators
   * @param route stands for the set of hosts
   */
  inOrder(row: string, route: string): readonly Source[] {
    if (this.isSingle) return this.#all;
    const mayAsk = ({ config: { operators } }: Source) => operators === null || operators.includes(row);
    return this.#all
      .filter(mayAsk)
      .map((source) => ({ source, share: shareOf(source.name, source.config.weight, route) }))
      .sort((one, other) => one.share - other.share)
      .map(({ source }) => source);
  }

  /** A host wants the recipient to be asked about again later: it will know the address that it has seen. */
  recordGreylisted(recipient: string, source: string): void {
    // One that has a name may get others beside it.
    if (source !== DEFAULT_SOURCE) this.#greylistedBy.set(recipient, source);
  }

  /** The source that has to come back for the recipient, if one has. */
  greylistedBy(recipient: string): string | null {
    return this.isSingle || this.#greylistedBy.size === 0 ? null : (this.#greylistedBy.get(recipient) ?? null);
  }

  /** Port 25 of the machine: open where it is open at one source, blocked where it is at all. */
  get port25(): Port25Report {
    const reports = this.#all.map(({ port25 }) => port25.report);
    const answeredAt = reports.reduce((last, report) => Math.max(last, report.answeredAt ?? 0), 0) || null;
    const open = reports.filter(({ state }) => state === 'open');
    if (open.length > 0) return { state: 'open', since: earliest(open), answeredAt };
    if (reports.every(({ state }) => state === 'blocked'))
      return { state: 'blocked', since: earliest(reports), answeredAt };
    return { state: 'unknown', since: null, answeredAt };
  }
}

function earliest(reports: readonly Port25Report[]): number {
  return Math.min(...reports.map(({ since }) => since ?? Infinity));
}

/** Smaller is better: exponentially distributed with the weight as its rate, so that the chance to be the smallest is the weight's share. */
function shareOf(name: string, weight: number, route: string): number {
  return -Math.log(fractionOf(`${name} ${route}`)) / weight;
}

/** A number in (0, 1) that the text determines: FNV-1a, mixed so that similar texts lie far apart. */
function fractionOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
