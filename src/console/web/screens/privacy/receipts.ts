import { signal } from '@preact/signals';

const MAX_KEPT = 100;

/** The numbers of the erasures that were ordered or looked up in this tab, newest first; gone with the tab, and they hold no address. */
export const receipts = signal<readonly string[]>([]);

export function keepReceipt(id: string): void {
  receipts.value = [id, ...receipts.value.filter((one) => one !== id)].slice(0, MAX_KEPT);
}
