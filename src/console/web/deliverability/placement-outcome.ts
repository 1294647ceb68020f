import type { Account } from '../session/api.js';
import { providerName } from '../parts/provider-names.js';
import { count, counted } from '../parts/values.js';

export type PlacementTest = Account['schemas']['PlacementTestReply'];
export type Placement = NonNullable<PlacementTest['placement']>;
export type PlacementCounts = Account['schemas']['PlacementCountsReply'];
export type Report = NonNullable<PlacementTest['report']>;
type Finding = Report['findings'][number];

/** Where mail can lie, best first: as a heading, in what colour, and in a sentence. */
export const PLACES = [
  ['inbox', 'Inbox', 'valid', 'in the inbox'],
  ['tab', 'Tab', 'unknown', 'in a tab'],
  ['other_folder', 'Other folder', 'risky', 'in another folder'],
  ['spam', 'Spam', 'invalid', 'in spam'],
  ['missing', 'Missing', 'invalid', 'missing'],
] as const;

interface Outcome {
  /** Such as `2 of 6 in spam`. */
  readonly badge: string;
  /** Such as `2 of 6 mailboxes put it in spam.` */
  readonly headline: string;
  readonly colour: string;
  /** Some of it lies where its readers do not look; a tab is a kind of inbox. */
  readonly isBad: boolean;
}

/** Where a mail went, the worst first; where it went well is told only if it went nowhere else. */
export function outcomeOf(counts: PlacementCounts): Outcome {
  const { measured, pending } = counts;
  const there = PLACES.toReversed().filter(([place]) => counts[place] > 0);
  const bad = there.filter(([place]) => place !== 'inbox' && place !== 'tab');
  const told = bad.length > 0 ? bad : there;
  const sentence = (of: string, toWords: (words: string) => string) =>
    told.map(([place, , , words], at) => `${count(counts[place])}${at === 0 ? of : ''} ${toWords(words)}`).join(', ');
  const put = sentence(` of ${counted(measured, 'mailbox', 'mailboxes')}`, (words) =>
    words === 'missing' ? 'did not get it' : `put it ${words}`,
  );
  const none = pending > 0 ? 'No mailbox has it yet.' : 'No mailbox could be measured.';
  return {
    badge: sentence(` of ${count(measured)}`, (words) => words) || 'not measured',
    headline: put === '' ? none : `${pending > 0 ? 'So far ' : ''}${put}.`,
    colour: told[0]?.[2] ?? 'unknown',
    isBad: bad.length > 0,
  };
}

/** Who a mail is from puts it into spam sooner than how it is known, and that sooner than what is in it. */
const LIKELIEST: readonly string[] = [
  'authentication',
  'reputation',
  'transport',
  'spam_filter',
  'unsubscribe',
  'headers',
  'content',
];
const HARMS: readonly string[] = ['critical', 'warning', 'info'];

/** What harms most comes first, and of that the likeliest cause. */
export function byCause(findings: readonly Finding[]): Finding[] {
  const place = ({ severity, area }: Finding) => HARMS.indexOf(severity) * 10 + LIKELIEST.indexOf(area);
  return findings.toSorted((a, b) => place(a) - place(b));
}

/** No message shows these to anybody. */
const NEVER_SEEN: readonly string[] = ['complaint_rate', 'unsubscribe_within_two_days'];

/** Checks without an answer: nobody can say that they passed. */
export function unansweredIn({ bulk_sender_rules: rules, reputation }: Report): string[] {
  const unseen = rules.filter(({ rule, result }) => result === 'cannot_be_seen' && !NEVER_SEEN.includes(rule));
  const silent = reputation.filter(({ status, coverage }) => status === 'unknown' || coverage?.partial === true);
  return [
    ...unseen.map(({ rule }) =>
      rule.replaceAll('_', ' ').replace(/^(spf|dkim|dmarc|tls)/, (name) => name.toUpperCase()),
    ),
    ...silent.map(({ target }) => `block lists about ${target}`),
  ];
}

/** What providers say themselves of a mail that they did not put into the inbox, where it is not all `pass`: such as `Gmail: SPF fail`. */
export function failedAt({ providers }: Pick<Placement, 'providers'>): string[] {
  const said = providers.flatMap(({ provider, seeds }) =>
    seeds.flatMap(({ placement: place, authentication }) => {
      const failed = Object.entries(authentication ?? {}).filter(([, result]) => result !== null && result !== 'pass');
      if (place === 'inbox' || place === 'tab' || failed.length === 0) return [];
      return `${providerName(provider)}: ${failed.map(([name, result]) => `${name.toUpperCase()} ${result}`).join(', ')}`;
    }),
  );
  return [...new Set(said)];
}
