/** Mail hosts behind all domains: half as many as there are domains in a realistic list. */
export const HOSTS = 20_000;
const LARGEST = 5;

/** Whether the sink says that the mailbox exists. */
export const exists = (email: string): boolean => email.startsWith('ok');

/** Domains from this number on have mail hosts that no domain before it has. */
export const OTHERS_FROM = 1_000_000;

/**
 * A realistic list: half of it at the five largest domains, the rest over many; 3% do not exist. In no order.
 * @param firstDomain the number of the largest domain
 * @param domains how many there are; by default as many as such a list has
 */
export function* batchAddresses(
  count: number,
  firstDomain = 0,
  domains = Math.max(LARGEST + 1, Math.round(count * 0.06)),
): Generator<string> {
  for (let i = 0; i < count; i++) {
    const part = (i * 0.618_033_988_7) % 1;
    const domain = i % 2 === 0 ? (i / 2) % LARGEST : LARGEST + Math.floor(part * (domains - LARGEST));
    yield `${(i * 0.754_877_666_2) % 1 < 0.03 ? 'no' : 'ok'}.user${i}@d${firstDomain + domain}.example.com`;
  }
}
