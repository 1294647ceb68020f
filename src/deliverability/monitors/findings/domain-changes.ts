import { createHash } from 'node:crypto';
import { nameOf } from './observation.js';
import type { Timings } from './timings.js';
import type { MonitorArea, SeenFinding } from './monitor-run.js';
import { kindOf, LOCK, type SeenSet, type WatchedObservation, type WatchedSet, watchSet } from './watched-set.js';
import type { DomainResult } from '../../domains/domain-result.js';
import type { FoundRecordReply } from '../../domains/finding.reply.js';
import { answeredAreas } from '../../../engine/domain/domain-state.js';
import type { ExaminedDomain } from '../../../engine/domain/judges/judge-domain.js';
import { parseTagList, tagOf } from '../../../engine/domain/tag-list.js';

/** A selector that is asked for no more is forgotten; nobody has more than so many of all. */
const MAX_WATCHED = 60;

interface ChangesObservation {
  readonly changes: readonly WatchedSet[];
  readonly findings: readonly SeenFinding[];
  readonly takenBack: ReadonlySet<string>;
  readonly againMs: number | null;
  /** Whether a registry, which is asked once a day, has begun to say something else. */
  readonly asksRegistry: boolean;
}

interface ChangesSeen {
  readonly sets: readonly SeenSet[];
  readonly areas: ReadonlySet<MonitorArea>;
  /** Selectors that were asked for; null: others are watched on. */
  readonly selectors: ReadonlySet<string> | null;
}

/** Takes a look at all that is watched for changes into account. */
export function watchChanges(
  before: readonly WatchedSet[],
  { sets, areas, selectors }: ChangesSeen,
  { now, timings }: { readonly now: Date; readonly timings: Timings },
): ChangesObservation {
  const patience = { now, confirmAfterMs: timings.changeConfirmAfterMs, newsMs: timings.changeNewsMs };
  const isWatched = ({ code, subject }: Pick<WatchedSet, 'code' | 'subject'>) =>
    areas.has(kindOf(code).area) && (code !== 'dkim_key_rotated' || selectors === null || selectors.has(subject));
  const known = new Map(before.filter(isWatched).map((one) => [nameOf(one), one]));
  const seen = new Map(sets.filter(isWatched).map((one) => [nameOf(one), one]));
  const looks = [...new Map<string, Pick<WatchedSet, 'code' | 'subject'>>([...known, ...seen])]
    .slice(0, MAX_WATCHED)
    .map(([name, { code, subject }]): WatchedObservation => {
      const { values } = seen.get(name) ?? { values: null };
      return watchSet(known.get(name) ?? null, { code, subject, values }, patience);
    });
  const pending = looks.filter(({ watched }) => watched.known.others.length > 0 || watched.next !== null);
  return {
    changes: looks.map(({ watched }) => watched),
    findings: looks.flatMap(({ finding }) => finding ?? []),
    takenBack: new Set(looks.flatMap(({ watched, isTakenBack }) => (isTakenBack ? [nameOf(watched)] : []))),
    againMs: pending.length === 0 ? null : timings.changeAgainMs,
    asksRegistry: pending.some(({ watched: { code } }) => kindOf(code).asks === 'registry'),
  };
}

const MAX_CHARACTERS = 300;
const DIGEST_CHARACTERS = 16;

/** What a look saw of all that is watched for changes. What nobody answered, and what is not there, is left out: that is no change. */
export function domainSets({ facts }: ExaminedDomain, result: DomainResult): readonly SeenSet[] {
  const { domain, nameServers, stsPolicy } = facts;
  const of = (area: FoundRecordReply['area'], type: FoundRecordReply['type']) =>
    result.records.filter((one) => one.area === area && one.type === type);
  const valuesOf = (records: readonly FoundRecordReply[]) => records.map(({ value }) => shortened(value));
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
