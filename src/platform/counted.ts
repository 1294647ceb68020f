/** Our sentences are in English. */
const PLURALS = new Intl.PluralRules('en');

/** A count with its noun, as people read it: `1 credit`, `2 credits`. */
export function counted(count: number, one: string, others = `${one}s`): string {
  return `${count} ${PLURALS.select(count) === 'one' ? one : others}`;
}
