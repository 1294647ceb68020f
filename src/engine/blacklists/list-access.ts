import type { Blacklist, KeyOwner } from './blacklist-row.js';

/** What the operator of this installation has agreed with the lists. */
export interface ListAgreements {
  readonly keys: Readonly<Partial<Record<KeyOwner, string>>>;
  /** Lists by their ids: those with which the operator has registered, and those whose terms the operator has read. */
  readonly agreed: readonly string[];
  /** Nothing is charged for what lists answer, so zones for such use may be asked. */
  readonly isNonCommercial: boolean;
}

export type ListAccess = { readonly zone: string } | { readonly refusal: 'needs_key' | 'turned_off' };

/** The zone under which a list may be asked, or why it may not. */
export function accessTo(list: Blacklist, { keys, agreed, isNonCommercial }: ListAgreements): ListAccess {
  if (list.key !== null) {
    const key = keys[list.key];
    if (key !== undefined) return { zone: list.zone.replace('{key}', key) };
    return isNonCommercial && list.freeZone !== null ? { zone: list.freeZone } : { refusal: 'needs_key' };
  }
  if (list.use === 'on' || agreed.includes(list.id)) return { zone: list.zone };
  return { refusal: list.use === 'registered' ? 'needs_key' : 'turned_off' };
}
