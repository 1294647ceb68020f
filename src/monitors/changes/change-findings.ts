import type { FindingArea, FindingSeverity } from '../../engine/domain/finding.js';
import type { SeenFinding } from '../model/monitor-run.js';
import type { Change } from './known-set.js';

interface ChangeKind {
  readonly area: FindingArea;
  readonly severity: FindingSeverity;
  readonly rfc: string | null;
  readonly asks: keyof typeof LOOKS;
  /** Whether a change is one that anybody has to know of. */
  isNews?(change: Change): boolean;
  sentence(subject: string): string;
}

/** So many looks in a row must have seen a change. A registry says the same to everybody, the DNS may not. */
export const LOOKS = { dns: 3, registry: 2 } as const;
export const LOCK = 'client transfer prohibited';

/** What a domain publishes otherwise than before, by codes that are stable. Somebody has changed it: that is news, and may be right. */
export const CHANGES = {
  mx_changed: {
    area: 'mx',
    severity: 'info',
    rfc: null,
    asks: 'dns',
    sentence: (domain) => `Mail for ${domain} goes to other mail hosts than before.`,
  },
  spf_changed: {
    area: 'spf',
    severity: 'info',
    rfc: null,
    asks: 'dns',
    sentence: (domain) => `The SPF record of ${domain}, or one that it includes, asks for other names than before.`,
  },
  dkim_key_rotated: {
    area: 'dkim',
    severity: 'info',
    rfc: null,
    asks: 'dns',
    sentence: (selector) => `The DKIM key of the selector ${selector} is another one than before.`,
  },
  sts_id_unchanged: {
    area: 'mta_sts',
    severity: 'warning',
    rfc: 'RFC 8461 section 3.1',
    asks: 'dns',
    // `id digest`, one of each before and after: the policy is another one, and its id the same.
    isNews: ({ before, after }) =>
      before.length === 1 && after.length === 1 && before[0]!.split(' ')[0] === after[0]!.split(' ')[0],
    sentence: (domain) =>
      `The MTA-STS policy of ${domain} is another one than before, and the id in its record is the same: senders keep to the policy that they know.`,
  },
  name_servers_changed: {
    area: 'registration',
    severity: 'warning',
    rfc: null,
    asks: 'dns',
    sentence: (domain) =>
      `Other name servers than before answer for ${domain}: who runs them decides where its mail goes.`,
  },
  registrar_changed: {
    area: 'registration',
    severity: 'warning',
    rfc: null,
    asks: 'registry',
    sentence: (domain) => `Another registrar than before has the registration of ${domain}.`,
  },
  registration_lock_gone: {
    area: 'registration',
    severity: 'warning',
    rfc: 'RFC 8056',
    asks: 'registry',
    isNews: ({ before, after }) => before.includes(LOCK) && !after.includes(LOCK),
    sentence: (domain) =>
      `The registrar's lock of ${domain} (clientTransferProhibited) is gone: the domain can be moved to another registrar.`,
  },
} as const satisfies Readonly<Record<string, ChangeKind>>;

export type ChangeCode = keyof typeof CHANGES;

export function isChange(code: string): code is ChangeCode {
  return Object.hasOwn(CHANGES, code);
}

export function kindOf(code: ChangeCode): ChangeKind {
  return CHANGES[code];
}

/** @param at since when it is so, as far as anybody has looked */
export function changeFinding(code: ChangeCode, subject: string, { before, after }: Change, at: string): SeenFinding {
  const kind = kindOf(code);
  const { area, severity, rfc } = kind;
  const evidence = { before, after, changed_at: at };
  return { code, area, severity, subject, explanation: kind.sentence(subject), evidence, fix: null, rfc };
}
