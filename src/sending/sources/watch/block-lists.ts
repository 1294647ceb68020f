import { askList, type ListDns, type OpenList, testList } from '../../../mail-dns/ask-list.js';
import {
  type Blacklist,
  SEVERITIES,
  type TargetKind,
  accessTo,
  type ListAgreements,
} from '../../../mail-dns/blacklist-row.js';
import { knows } from '../../../mail-dns/list-answer.js';
import { readTarget } from '../../../mail-dns/targets.js';

/** A block list that has an address of ours, twice asked and with right test points. */
export interface Listing {
  readonly list: string;
  readonly address: string;
  readonly told: string;
  /** Mail hosts refuse whom it lists. */
  readonly isHarmful: boolean;
}

export interface ListsAnswer {
  readonly listings: readonly Listing[];
  /** Lists that gave a usable answer for every address, by their ids. */
  readonly answered: readonly string[];
  /** Lists without one, with why. */
  readonly silent: readonly string[];
}

/** What is refused only by few says nothing of the others: it is shown, and nothing rests for it. */
const HARMFUL_FROM = SEVERITIES.indexOf('medium');

/** The lists that may be asked about addresses without an agreement, or with those of this installation. */
export function openLists(lists: readonly Blacklist[], agreements: ListAgreements): readonly OpenList[] {
  return lists.flatMap((list) => {
    const access = accessTo(list, agreements);
    const isOfAddresses = knows(list, 'ipv4') || knows(list, 'ipv6');
    return 'zone' in access && isOfAddresses ? [{ list, zone: access.zone }] : [];
  });
}

/**
 * Asks the lists about addresses, by the operator's own resolver, the test points of each first (RFC 5782 section 5): a list that refuses
 * to answer, or answers for everything, has listed nobody.
 */
export async function queryBlockLists(
  addresses: readonly string[],
  lists: readonly OpenList[],
  dns: ListDns,
): Promise<ListsAnswer> {
  const looked = await Promise.all(lists.map((open) => queryList(addresses, open, dns)));
  return {
    listings: looked.flatMap(({ listings }) => listings),
    answered: looked.flatMap(({ trouble }, i) => (trouble === null ? [lists[i]!.list.id] : [])),
    silent: looked.flatMap(({ trouble }, i) => (trouble === null ? [] : [`${lists[i]!.list.id} (${trouble})`])),
  };
}

async function queryList(
  addresses: readonly string[],
  open: OpenList,
  dns: ListDns,
): Promise<{ readonly listings: readonly Listing[]; readonly trouble: string | null }> {
  const listings: Listing[] = [];
  let trouble: string | null = null;
  const proven = new Map<TargetKind, boolean>();
  for (const address of addresses) {
    const target = readTarget(address);
    if (typeof target === 'string' || !knows(open.list, target.kind)) continue;
    if (!proven.has(target.kind)) {
      const proof = await testList(open, target.kind, dns);
      proven.set(target.kind, proof.state === 'healthy');
      if (proof.state !== 'healthy') trouble = proof.why ?? proof.state;
    }
    if (proven.get(target.kind) !== true) continue;
    const finding = await askList(open, target, dns, true);
    if (finding.status === 'listed') {
      const told = [finding.found.map(({ meaning }) => meaning).join(', '), finding.reason].filter(Boolean).join(': ');
      const isHarmful = finding.found.some(({ severity }) => SEVERITIES.indexOf(severity) >= HARMFUL_FROM);
      listings.push({ list: open.list.id, address, told, isHarmful });
    } else if (finding.status !== 'not_listed') trouble = 'why' in finding ? finding.why : finding.status;
  }
  return { listings, trouble };
}
