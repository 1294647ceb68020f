import type { EgressSource } from '../../engine/ports.js';
import { lookAtLists } from '../../sources/watch/block-lists.js';
import { checkIdentity, type CheckName } from '../../sources/watch/identity-checks.js';
import type { Outside } from '../../sources/watch/outside.js';
import { fail, pass, skipped, type CheckResult } from './check-result.js';

const SHOWN = {
  helo: 'HELO name',
  reverse_name: 'reverse name',
  spf: 'SPF',
  port_25: 'port 25',
  block_lists: 'block lists',
} satisfies Record<CheckName, string>;
const ADVICE = 'docs/egress.md has the records that each source needs.';

/** Looks at the sources of `EGRESS_FILE` as a worker does each quarter of an hour. */
export async function examineSources(sources: readonly EgressSource[], outside: Outside): Promise<CheckResult[]> {
  const examined = await Promise.all(sources.map((source) => examineSource(source, outside)));
  return examined.flat();
}

async function examineSource(source: EgressSource, outside: Outside): Promise<CheckResult[]> {
  const { addresses, findings } = await checkIdentity(source, outside.dns);
  const ofNames = findings.map(({ check, state, told }) => {
    const text = `${source.name}, ${SHOWN[check]}: ${told}`;
    if (state === 'pass') return pass('source', text);
    return state === 'fail' ? fail('source', text, ADVICE) : skipped('source', text);
  });
  return [...ofNames, await examineBlockLists(addresses, outside, source.name)];
}

/** Whether a block list has one of our addresses; lists whose test points are not right say nothing (RFC 5782 section 5). */
export async function examineBlockLists(
  addresses: readonly string[],
  { dns, lists }: Outside,
  source: string | null = null,
): Promise<CheckResult> {
  const of = (text: string) => (source === null ? text : `${source}: ${text}`);
  if (addresses.length === 0) return skipped('block_lists', of('no public address of ours is known'));
  const { listings, answered, silent } = await lookAtLists(addresses, lists, dns);
  const found = listings.map(({ list, address, told }) => `${address} is on ${list} (${told})`);
  if (found.length > 0)
    return fail(
      'block_lists',
      of(found.join('; ')),
      'Find out what was sent from the address, then ask the list to take it off.',
    );
  const unheard = silent.length === 0 ? '' : `; no usable answer of ${silent.join(', ')}`;
  if (answered.length === 0)
    return skipped('block_lists', of(`no list could be asked${unheard}`), 'Set DNS_SERVERS to a resolver of your own.');
  return pass('block_lists', of(`${answered.join(', ')} do not have ${addresses.join(', ')}${unheard}`));
}
