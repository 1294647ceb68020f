import allProviders from 'email-providers/all.json' with { type: 'json' };
import commonProviders from 'email-providers/common.json' with { type: 'json' };
import { parseAddress, type Lists, type MailProviders } from '../../src/engine/verification/engine.js';
import { LOOK_ALIKE_DOMAINS, POPULAR_DOMAINS } from '../../src/engine/syntax/popular-domains.js';
import { createSuggester } from '../../src/engine/syntax/suggest.js';
import { BAD_ADDRESSES, GOOD_ADDRESSES } from '../../test/corpus/addresses.js';
import { shareOf, type Share } from './share.js';

/** The well-formed addresses of the corpus that are read, with their normal form. */
export function readAddresses(): Share {
  return shareOf(GOOD_ADDRESSES, ([given, normal = given]) => {
    const parsed = parseAddress(given);
    return parsed.ok && parsed.address.normalized === normal;
  });
}

/** The malformed addresses of the corpus that are refused, for their fault. */
export function refusedAddresses(): Share {
  const all = Object.entries(BAD_ADDRESSES).flatMap(([problem, given]) =>
    given.map((text) => [problem, text] as const),
  );
  return shareOf(all, ([problem, text]) => {
    const parsed = parseAddress(text);
    return !parsed.ok && parsed.problem === problem;
  });
}

export interface SuggestionShares {
  /** Slips in names that are long enough to be corrected, which are corrected to what was meant. */
  readonly longNames: Share;
  readonly shortNames: Share;
  /** Suggestions for slips that are another domain than the one that was meant. */
  readonly wrong: Share;
  /** Domains of mailbox providers that are "corrected"; the set holds misspelt ones too. */
  readonly meddling: Share;
}

/** The length from which names have few real neighbours. */
const LONG_NAME = 5;

export function suggestions(providers: MailProviders): SuggestionShares {
  const suggester = createSuggester({ knownDomains: (domain) => providers.forDomain(domain) !== null });
  const suggested = (domain: string) => suggester.suggestFor(parseAddress(`jane@${domain}`))?.slice('jane@'.length);
  const answers = slips().map(({ given, meant }) => ({ meant, suggestion: suggested(given) }));
  const isLong = ({ meant }: { meant: string }) => meant.indexOf('.') >= LONG_NAME;
  const isRight = ({ meant, suggestion }: (typeof answers)[number]) => suggestion === meant;
  const offered = answers.filter(({ suggestion }) => suggestion !== undefined);
  return {
    longNames: shareOf(answers.filter(isLong), isRight),
    shortNames: shareOf(
      answers.filter((answer) => !isLong(answer)),
      isRight,
    ),
    wrong: shareOf(offered, (answer) => !isRight(answer)),
    meddling: shareOf(allProviders as readonly string[], (domain) => suggested(domain) !== undefined),
  };
}

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

interface Slip {
  readonly given: string;
  readonly meant: string;
}

/** Every single slip of the hand in the first label of a popular domain, but for those that make another real domain. */
function slips(): readonly Slip[] {
  const real = new Set<string>([...POPULAR_DOMAINS, ...LOOK_ALIKE_DOMAINS, ...allProviders]);
  const meantBy = new Map<string, string>();
  for (const meant of POPULAR_DOMAINS) {
    const dot = meant.indexOf('.');
    for (const label of mistyped(meant.slice(0, dot))) {
      const given = label + meant.slice(dot);
      if (!real.has(given) && !meantBy.has(given)) meantBy.set(given, meant);
    }
  }
  return [...meantBy].map(([given, meant]) => ({ given, meant }));
}

/** Two letters swapped, one left out, one doubled, or the next key of the row hit instead. */
function mistyped(label: string): readonly string[] {
  return label.split('').flatMap((letter, at) => {
    const before = label.slice(0, at);
    const after = label.slice(at + 1);
    const swapped = after === '' ? [] : [before + after[0] + letter + after.slice(1)];
    const nextKeys = KEY_ROWS.flatMap((row) => (row.includes(letter) ? neighbours(row, letter) : []));
    const hit = nextKeys.map((key) => before + key + after);
    return [...swapped, before + after, before + letter + letter + after, ...hit].filter((other) => other !== label);
  });
}

function neighbours(row: string, letter: string): readonly string[] {
  const at = row.indexOf(letter);
  return [row[at - 1], row[at + 1]].filter((key) => key !== undefined);
}

/** Services that `email-providers` calls common and that give addresses to throw away, by what their own pages say. */
const THROW_AWAY_SERVICES = new Set([
  '10minutemail.com',
  'bugmenot.com',
  'chacuo.net',
  'emailondeck.com',
  'guerrillamail.com',
  'mail-tester.com',
  'mailinator.com',
  'temp-mail.org',
  'yopmail.com',
]);

/** Common mailbox providers that the lists call disposable. */
export function falselyDisposable({ flagsOfDomain }: Lists): Share {
  const lasting = (commonProviders as readonly string[]).filter((domain) => !THROW_AWAY_SERVICES.has(domain));
  return shareOf(lasting, (domain) => flagsOfDomain(domain).disposable);
}
