import { signal } from '@preact/signals';
import type { Account } from '../../shell/api.js';

export type Verified = Account['schemas']['FullVerificationReply'];

const MAX_RECENT = 20;

/** What was checked in this tab, newest first; it is kept nowhere, and gone with the tab. */
export const recent = signal<readonly Verified[]>([]);

export function remember(verified: Verified): void {
  recent.value = [verified, ...recent.value].slice(0, MAX_RECENT);
}
