import { setImmediate as turn } from 'node:timers/promises';
import { DAY_MS } from '../../../lib/durations.js';
import type { Folder, ImapSession } from './imap-session.js';
import { SeedFault } from './seed-fault.js';
import type { Arrival } from './arrivals.store.js';
import { authenticationOf, evidenceOf, headerFields, messageIdOf, type ResultsWriter } from './mail-headers.js';
import { isSurer, MATCH_ORDER, type MatchedBy, matchedBy, type SeenMail, type SoughtTest } from './match-mails.js';

/** Beside INBOX and junk. */
const MAX_OTHER_FOLDERS = 20;
/** What the owner of a mailbox writes is no mail that has come. */
const NOT_SEARCHED = new Set(['\\Sent', '\\Drafts']);
/** Those of Gmail, which is asked for each; what is in none has `tab: null`, since a mailbox may have them turned off. */
const TABS = ['promotions', 'social', 'updates', 'forums'] as const;
/** What can stand in a search of Gmail as one word. */
const SEARCHABLE_ID = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~@-]{3,250}$/;

type Session = Pick<ImapSession, 'folders' | 'examine' | 'headsSince' | 'bodiesWith' | 'gmailSearch' | 'isGmail'>;

interface Candidate {
  readonly by: MatchedBy;
  readonly placement: Arrival['placement'];
  readonly tab: string | null;
  readonly mail: SeenMail;
}

/** What a mailbox tells of itself, when nothing is looked for. */
export interface MailboxOverview {
  readonly folders: number;
  /** It says which of its folders is for junk; without one, junk cannot be told from other folders. */
  readonly hasJunk: boolean;
}

/** Whether a mailbox can be read at all. @throws SeedFault */
export async function readOverview(session: Session): Promise<MailboxOverview> {
  const folders = await session.folders();
  await openInbox(session, folders);
  return { folders: folders.length, hasJunk: folders.some(({ use }) => use === '\\Junk') };
}

/**
 * Looks for the mails of tests in the folders of a mailbox. The surest sign decides, and of two equal ones the folder that a person reads
 * first. A mail is of one test only.
 * @throws SeedFault when it was not all read: then nothing can be said of what was not found
 */
export async function findMails(
  session: Session,
  tests: readonly SoughtTest[],
  writer: ResultsWriter,
): Promise<ReadonlyMap<number, Arrival>> {
  const since = new Date(Math.min(...tests.map(({ createdAt }) => createdAt.getTime())) - DAY_MS);
  const best = new Map<number, Candidate>();
  for (const folder of inOrder(await session.folders())) {
    if (!(await opened(session, folder))) continue;
    const mails: SeenMail[] = [];
    for (const { uid, arrivedAt, head } of await session.headsSince(since)) {
      mails.push({ uid, arrivedAt, fields: headerFields(head) });
      // Strangers write the heads: others get their turn after each.
      await turn();
    }
    for (const { test, by, mail } of await matchesIn(session, mails, tests, best, since)) {
      const known = best.get(test.testId);
      if (known !== undefined && !isSurer(by, known.by)) continue;
      const tab = folder.use === '\\Inbox' && session.isGmail ? await tabOf(session, mail) : null;
      best.set(test.testId, { by, mail, tab, placement: placementIn(folder, tab) });
    }
  }
  return new Map([...best].map(([testId, candidate]) => [testId, arrivalOf(candidate, writer)]));
}

interface Match {
  readonly test: SoughtTest;
  readonly by: MatchedBy;
  readonly mail: SeenMail;
}

async function matchesIn(
  session: Session,
  mails: readonly SeenMail[],
  tests: readonly SoughtTest[],
  best: ReadonlyMap<number, Candidate>,
  since: Date,
): Promise<Match[]> {
  const matches: Match[] = [];
  for (const mail of mails) {
    const found: Match[] = tests.flatMap((test) => {
      const by = matchedBy(test, mail);
      return by === null ? [] : [{ test, by, mail }];
    });
    // What one test knows surely is not another's by a weaker sign.
    matches.push(...found.filter(({ by }) => !found.some((other) => isSurer(other.by, by))));
    await turn();
  }
  const unclaimed = new Map(
    mails
      .filter((mail) => !matches.some((match) => match.mail === mail && isSurer(match.by, 'body')))
      .map((mail) => [mail.uid, mail]),
  );
  for (const test of tests) {
    if (unclaimed.size === 0) break;
    const signs = [best.get(test.testId)?.by, ...matches.filter((one) => one.test === test).map(({ by }) => by)];
    if (signs.some((by) => by !== undefined && !isSurer('body', by))) continue;
    for (const uid of await session.bodiesWith(test.token, since)) {
      const mail = unclaimed.get(uid);
      if (mail !== undefined) matches.push({ test, by: 'body', mail });
    }
  }
  return matches.toSorted((one, other) => MATCH_ORDER.indexOf(one.by) - MATCH_ORDER.indexOf(other.by));
}

function inOrder(folders: readonly Folder[]): Folder[] {
  const isUse = (use: string) => (folder: Folder) => folder.use === use;
  const inboxes = folders.filter(isUse('\\Inbox'));
  const junk = folders.filter(isUse('\\Junk'));
  const others = folders.filter(
    ({ use }) => use === null || (use !== '\\Inbox' && use !== '\\Junk' && use !== '\\All'),
  );
  // It holds what other folders hold, too.
  const all = folders.filter(isUse('\\All'));
  const rest = [...others.filter(({ use }) => use === null || !NOT_SEARCHED.has(use)), ...all];
  if (inboxes.length === 0) throw new SeedFault('protocol_error', 'the server lists no INBOX');
  return [...inboxes.slice(0, 1), ...junk.slice(0, 2), ...rest.slice(0, MAX_OTHER_FOLDERS)];
}

async function opened(session: Session, folder: Folder): Promise<boolean> {
  if (await session.examine(folder.path)) return true;
  // Whoever cannot read these two cannot say that a mail is missing.
  if (folder.use === '\\Inbox' || folder.use === '\\Junk')
    throw new SeedFault('protocol_error', `the server does not open ${folder.use === '\\Inbox' ? 'INBOX' : 'junk'}`);
  return false;
}

async function openInbox(session: Session, folders: readonly Folder[]): Promise<void> {
  await opened(session, inOrder(folders)[0]!);
}

async function tabOf(session: Session, mail: SeenMail): Promise<string | null> {
  const id = messageIdOf(mail.fields);
  if (id === null || !SEARCHABLE_ID.test(id)) return null;
  for (const tab of TABS) {
    const uids = await session.gmailSearch(`category:${tab} rfc822msgid:${id}`);
    if (uids.includes(mail.uid)) return tab;
  }
  return null;
}

function placementIn({ use }: Folder, tab: string | null): Arrival['placement'] {
  if (use === '\\Inbox') return tab === null ? 'inbox' : 'tab';
  return use === '\\Junk' ? 'spam' : 'other_folder';
}

function arrivalOf({ by, placement, tab, mail }: Candidate, writer: ResultsWriter): Arrival {
  const { arrivedAt, fields } = mail;
  return {
    placement,
    tab,
    matchedBy: by,
    arrivedAt,
    authentication: authenticationOf(fields, writer),
    evidence: evidenceOf(fields),
  };
}
