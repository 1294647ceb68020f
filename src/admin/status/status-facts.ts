import type { CountedRefusals } from '../../sending/sources/source-refusals.service.js';
import type { Operator } from '../operator-administration.service.js';
import type { Workload } from '../workload.service.js';

export interface DatabaseFacts {
  readonly version: string;
  readonly bytes: number;
  /** Connections that Mailsonde has, of those that PostgreSQL takes. */
  readonly connections: number;
  readonly maxConnections: number;
  readonly largest: readonly { readonly table: string; readonly bytes: number }[];
}

/** A key that was refused today for want of credits or by a ceiling (402), or for its rate (429), by one code. */
export interface Refused {
  readonly accountId: string;
  readonly name: string | null;
  readonly keyId: string;
  /** Of the key; null: it is deleted. */
  readonly lastFour: string | null;
  readonly simulated: boolean;
  readonly status: number;
  /** What the caller was told. */
  readonly code: string;
  readonly refusals: number;
}

/** An endpoint with deliveries that are due. */
export interface LateEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly due: number;
  readonly oldestDueAt: Date;
  /** Null: its last attempt succeeded, or it has had none. */
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Why the last attempt that it had got no 2xx: a status, or a word such as `timeout`. */
  readonly lastFailure: string | null;
}

/** A batch that workers have begun. */
export interface BegunBatch {
  readonly id: number;
  readonly name: string | null;
  readonly total: number;
  readonly done: number;
}

/** Answers of the real world on a day of UTC. */
export interface DayFigures {
  readonly utcDate: string;
  readonly answers: number;
  readonly unknown: number;
  readonly credits: number;
  /** Of the unknown answers, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly answers: number }[];
}

/** Why nobody works on a batch whose chunks are due. */
export interface WaitingReason {
  /** Whose workers alone may work on it; null: any worker may. */
  readonly region: string | null;
  /** Its chunks that are due, and how often the most unlucky one was begun. */
  readonly due: number;
  readonly mostAttempts: number;
  /** Chunks of other batches that workers have now, and workers that are alive. */
  readonly leasedElsewhere: number;
}

/** What the credits of a key that was refused are now. */
export interface CreditLimits {
  readonly keyId: string;
  /** Of the account; null: an agent, which has free credits only. */
  readonly available: number | null;
  readonly reserved: number | null;
  /** Ceilings of the key that are used up, with their limits. */
  readonly usedUp: readonly { readonly per: 'day' | 'month' | 'all'; readonly credits: number }[];
}

/** The disk of the database's files. */
export interface Disk {
  readonly freeBytes: number;
  readonly bytes: number;
}

/** What is wrong with a sending address of ours, or who has taken it out. */
export interface SourceFault {
  readonly source: string;
  /** `unusable`: its address or its proxy is not to be had; `rests`: since a block list has it; the last two are an administrator's. */
  readonly kind: 'check' | 'listed' | 'unusable' | 'rests' | 'drained' | 'paused';
  /** Of a check or a block list its name, of an unusable one the machine, else nobody or who has done it. */
  readonly by: string;
  readonly told: string;
}

/** Monitors that are due and that nobody runs. */
export interface DueMonitors {
  readonly due: number;
  /** The one that waits longest, and whose it is. */
  readonly id: number;
  readonly accountId: string;
  readonly name: string | null;
  readonly since: Date;
}

/** A block list that so many watched targets turned listed on at once that it is not believed. */
export interface SuspectList {
  readonly list: string;
  readonly turned: number;
  readonly watched: number;
}

/** An account that went through names of a domain that do not exist, and is asked slowly there. */
export interface NameRun {
  readonly accountId: string;
  readonly name: string | null;
  readonly domain: string;
  readonly answered: number;
  readonly notFound: number;
}

/** What accounts have asked for and how it fares. */
export interface AccountWork {
  /** The most frequent first. */
  readonly refusedToday: readonly Refused[];
  /** How many of the like there are beside these. */
  readonly moreRefusedToday: number;
  readonly lateEndpoints: readonly LateEndpoint[];
  /** The oldest that are worked on. */
  readonly begun: readonly BegunBatch[];
  /** Null: none is due. */
  readonly dueMonitors: DueMonitors | null;
  /** Of the last 24 hours, the newest first. */
  readonly nameRuns: readonly NameRun[];
  /** Yesterday and today. */
  readonly days: readonly [DayFigures, DayFigures];
}

/** What the work of all accounts stands on. */
export interface Infrastructure {
  readonly database: DatabaseFacts;
  /** Null where it is on another machine. */
  readonly disk: Disk | null;
  readonly sourceFaults: readonly SourceFault[];
  readonly suspectLists: readonly SuspectList[];
}

/** What is wrong, in a sentence, and the alert of config/observability/rules.yml that it fires when it lasts, whose section the runbook has. */
export interface Problem {
  readonly alert: string | null;
  readonly text: string;
}

/** What somebody looks at first. */
export interface Status extends Infrastructure, Omit<AccountWork, 'refusedToday'> {
  readonly checkedAt: Date;
  readonly version: string;
  /** None: all is well, as far as the database tells. */
  readonly problems: readonly Problem[];
  readonly workload: Workload;
  readonly oldestWaiting: {
    readonly id: number;
    readonly accountId: string;
    readonly accountName: string | null;
    readonly since: Date;
    readonly why: string;
  } | null;
  readonly refusedToday: readonly (Refused & { readonly why: string })[];
  /** What mail operators wrote, the most frequent first. */
  readonly refusals: readonly CountedRefusals[];
  /** Operators that are paused, that refuse us, or that accept names that nobody has. */
  readonly resting: readonly Operator[];
  readonly ledger: { readonly credits: number; readonly accounts: number; readonly measuredAt: Date } | null;
  readonly pool: { readonly remaining: number; readonly capacity: number; readonly resetsAt: Date };
}
