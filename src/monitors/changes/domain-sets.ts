import { createHash } from 'node:crypto';
import type { DomainResult, FoundRecord } from '../../domains/domain-result.js';
import { answeredAreas } from '../../engine/domain/domain-state.js';
import type { ExaminedDomain } from '../../engine/domain/judges/judge-domain.js';
import { parseTagList, tagOf } from '../../engine/domain/tag-list.js';
import { LOCK } from './change-findings.js';
import type { SeenSet } from './watched-set.js';

const MAX_CHARACTERS = 300;
const DIGEST_CHARACTERS = 16;

/** What a look saw of all that is watched for changes. What nobody answered, and what is not there, is left out: that is no change. */
export function domainSets({ facts }: ExaminedDomain, result: DomainResult): readonly SeenSet[] {
  const { domain, nameServers, stsPolicy } = facts;
  const of = (area: FoundRecord['area'], type: FoundRecord['type']) =>
    result.records.filter((one) => one.area === area && one.type === type);
  const valuesOf = (records: readonly FoundRecord[]) => records.map(({ value }) => shortened(value));
  const keyName = `._domainkey.${domain}.`;
  const terms = result.spf_terms.map(({ domain: named, term }) => shortened(`${named} ${term}`));
  const spf = answeredAreas(facts).has('spf') ? valuesOf(of('spf', 'TXT')) : [];
  const [sts] = of('mta_sts', 'TXT');
  const id = sts === undefined ? null : tagOf(parseTagList(sts.value), 'id');
  const policy = stsPolicy?.outcome === 'found' ? digest(stsPolicy.text) : null;
  const { registration } = result;
  const { registrar = null, statuses = [] } = registration?.status === 'found' ? registration : {};
  const sets: readonly SeenSet[] = [
    { code: 'mx_changed', subject: domain, values: valuesOf(of('mx', 'MX')) },
    { code: 'spf_changed', subject: domain, values: spf.length === 0 ? [] : [...spf, ...terms] },
    ...of('dkim', 'TXT').map(({ name, value }): SeenSet => {
      return { code: 'dkim_key_rotated', subject: name.slice(0, -keyName.length), values: [shortened(value)] };
    }),
    { code: 'sts_id_unchanged', subject: domain, values: id === null || policy === null ? [] : [`${id} ${policy}`] },
    { code: 'name_servers_changed', subject: nameServers.domain, values: valuesOf(of('registration', 'NS')) },
    {
      code: 'registrar_changed',
      subject: nameServers.domain,
      values: registrar === null ? [] : [shortened(registrar)],
    },
  ];
  const seen = sets.filter(({ values }) => values !== null && values.length > 0);
  if (registration?.status !== 'found') return seen;
  // That there is none is what matters.
  const locks = statuses.filter((status) => status === LOCK);
  return [...seen, { code: 'registration_lock_gone', subject: nameServers.domain, values: locks }];
}

/** As much as is worth keeping, and what tells it from others. */
function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${Buffer.from(text.slice(0, MAX_CHARACTERS)).toString()}… (${digest(text)})`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS);
}
