import { join } from 'node:path';

import { createLists } from '../../src/engine/verification/engine.js';
import { type Verification } from '../../src/engine/types.js';
import { CONFIG_DIRECTORY } from '../../src/platform/config/config-file.js';
import { openListsDirectory } from '../../src/verify/ports/lists-directory.js';
import { mailProviders } from '../../src/verify/ports/mail-providers-file.js';
import { REPLY_SETS, type CorpusRecord } from '../../test/corpus/smtp-corpus.js';
import {
  falselyDisposable,
  readAddresses,
  refusedAddresses,
  suggestions,
  type SuggestionShares,
} from './other-sets.js';
import { replay, WAYS, type Replayed, type Shipped, type Way } from './replay.js';
import { shareOf, type Share } from './share.js';
import { deniesRelaying, EXEMPTS_SOME, HONEST, LETS_POSTMASTER_IN, REFUSES_ALL, type World } from './worlds.js';

/** How often one kind of reply gets one kind of verdict. */
export interface Measure {
  readonly what: string;
  readonly world: World;
  readonly isOf: (record: CorpusRecord) => boolean;
  readonly isHit: (verification: Verification) => boolean;
  readonly isWanted: boolean;
  /** At most this share where hits are not wanted, at least where they are; nothing is promised of ambiguous replies and small kinds. */
  readonly promised?: number;
}

export interface Measured {
  readonly measure: Measure;
  readonly set: string;
  readonly way: Way;
  readonly share: Share;
  /** Replies whose verdict is not the one that is wanted. */
  readonly missed: readonly Replayed[];
}

export interface Accuracy {
  readonly replies: readonly Measured[];
  readonly syntax: { readonly read: Share; readonly refused: Share };
  readonly suggestions: SuggestionShares;
  readonly falselyDisposable: Share;
}

const isInvalid = ({ verdict }: Verification) => verdict === 'invalid';
const isAboutUs = ({ truth }: CorpusRecord) => truth === 'not_about_mailbox';
const isAmbiguous = ({ truth }: CorpusRecord) => truth === 'ambiguous';

const MOST_FALSELY_INVALID = 0.005;

export const MEASURES = {
  refusedByAll: {
    what: 'refuses us: called `invalid`',
    world: REFUSES_ALL,
    isOf: (record) => isAboutUs(record) && !deniesRelaying(record),
    isHit: isInvalid,
    isWanted: false,
    promised: MOST_FALSELY_INVALID,
  },
  refusedBesidePostmaster: {
    what: 'refuses us: called `invalid`',
    world: LETS_POSTMASTER_IN,
    isOf: isAboutUs,
    isHit: isInvalid,
    isWanted: false,
    promised: MOST_FALSELY_INVALID,
  },
  refusedBesideExempt: {
    what: 'refuses us: called `invalid`',
    world: EXEMPTS_SOME,
    isOf: isAboutUs,
    isHit: isInvalid,
    isWanted: false,
    promised: MOST_FALSELY_INVALID,
  },
  notFound: {
    what: 'no such mailbox: called `invalid`',
    world: HONEST,
    isOf: ({ truth }) => truth === 'not_found',
    isHit: isInvalid,
    isWanted: true,
    promised: 0.97,
  },
  full: {
    what: 'mailbox is full: called `mailbox_full`',
    world: HONEST,
    isOf: ({ truth }) => truth === 'full',
    isHit: ({ reason }) => reason === 'mailbox_full',
    isWanted: true,
    promised: 0.95,
  },
  disabled: {
    what: 'mailbox is disabled: called `mailbox_disabled`',
    world: HONEST,
    isOf: ({ truth }) => truth === 'disabled',
    isHit: ({ reason }) => reason === 'mailbox_disabled',
    isWanted: true,
    promised: 0.95,
  },
  restricted: {
    what: 'takes mail from some only: called `mailbox_restricted`',
    world: HONEST,
    isOf: ({ truth }) => truth === 'restricted',
    isHit: ({ reason }) => reason === 'mailbox_restricted',
    isWanted: true,
  },
  relayingDenied: {
    what: 'denies relaying: called `domain_not_served`',
    world: REFUSES_ALL,
    isOf: deniesRelaying,
    isHit: ({ reason }) => reason === 'domain_not_served',
    isWanted: true,
  },
  ambiguousToAll: {
    what: 'ambiguous, meant us: called `invalid`',
    world: REFUSES_ALL,
    isOf: isAmbiguous,
    isHit: isInvalid,
    isWanted: false,
  },
  ambiguousBesidePostmaster: {
    what: 'ambiguous, meant us: called `invalid`',
    world: LETS_POSTMASTER_IN,
    isOf: isAmbiguous,
    isHit: isInvalid,
    isWanted: false,
  },
  ambiguousBesideExempt: {
    what: 'ambiguous, meant us: called `invalid`',
    world: EXEMPTS_SOME,
    isOf: isAmbiguous,
    isHit: isInvalid,
    isWanted: false,
  },
  ambiguousOfMailbox: {
    what: 'ambiguous, meant the mailbox: called `invalid`',
    world: HONEST,
    isOf: isAmbiguous,
    isHit: isInvalid,
    isWanted: true,
  },
} as const satisfies Readonly<Record<string, Measure>>;

/** With the lists and providers that are shipped, on loopback. */
export async function measureAccuracy(): Promise<Accuracy> {
  const shipped = await readShipped();
  const replies: Measured[] = [];
  for (const [set, records] of Object.entries(REPLY_SETS))
    replies.push(...(await measureReplies(set, records, shipped)));
  return {
    replies,
    syntax: { read: readAddresses(), refused: refusedAddresses() },
    suggestions: suggestions(shipped.providers),
    falselyDisposable: falselyDisposable(shipped.lists),
  };
}

/** One set of replies alone, in all worlds. */
export async function measureSet(set: string, records: readonly CorpusRecord[]): Promise<readonly Measured[]> {
  return measureReplies(set, records, await readShipped());
}

async function readShipped(): Promise<Shipped> {
  const directory = await openListsDirectory({
    directory: join(CONFIG_DIRECTORY, 'lists'),
    build: createLists,
    onProblem: (line) => console.error(line),
  });
  directory.close();
  return { providers: mailProviders(), lists: directory.current() };
}

/** Undefined where nothing is promised. */
export function isKept({ measure: { isWanted, promised }, share: { hits, of } }: Measured): boolean | undefined {
  if (promised === undefined) return undefined;
  return isWanted ? hits >= promised * of : hits <= promised * of;
}

async function measureReplies(
  set: string,
  records: readonly CorpusRecord[],
  shipped: Shipped,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const world of [REFUSES_ALL, LETS_POSTMASTER_IN, EXEMPTS_SOME, HONEST]) {
    for (const way of WAYS) {
      const replayed = await replay(records, world, way, shipped);
      const ofWorld = Object.values<Measure>(MEASURES).filter((measure) => measure.world === world);
      measured.push(...ofWorld.map((measure) => measuredOf(measure, set, way, replayed)));
    }
  }
  return measured.filter(({ share }) => share.of > 0);
}

function measuredOf(measure: Measure, set: string, way: Way, all: readonly Replayed[]): Measured {
  const replayed = all.filter(({ record }) => measure.isOf(record));
  const isHit = ({ verification }: Replayed) => measure.isHit(verification);
  const share = shareOf(replayed, isHit);
  return { measure, set, way, share, missed: replayed.filter((one) => isHit(one) !== measure.isWanted) };
}
