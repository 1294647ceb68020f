import type { FetchMessageObject, ImapFlow, ListResponse } from 'imapflow';
import { PRODUCT } from '../../../platform/product.js';
import { guardedTransport, type ImapEnvironment, type MailboxAccess, type ReadMeter } from './mailbox-access.js';
import { faultOf, SeedFault, type SessionEnd } from './seed-fault.js';

/** A folder as its server lists it. */
export interface Folder {
  readonly path: string;
  /** By RFC 6154, or null: a folder's name says nothing about its use. */
  readonly use: string | null;
}

/** The head of a message in a folder. */
interface FoundHead {
  readonly uid: number;
  readonly arrivedAt: Date;
  /** The header section, cut where it is too long. */
  readonly head: Buffer;
}

/** More than any account that gets nothing but tests; a server that lists some more is read so far. */
const MAX_FOLDERS = 200;
const MAX_PATH_LENGTH = 500;
const MAX_UIDS = 200;
const HEAD_BYTES = 65_536;
const MAX_TOKENS = 20_000;
/** RFC 6154 section 2. */
const USES = ['\\Junk', '\\Sent', '\\Drafts', '\\Trash', '\\Archive', '\\All', '\\Flagged'];

/**
 * One connection to one mailbox, read-only.
 *
 * It is open from `open` to `close`. Folders are opened by EXAMINE, so nothing is marked as seen or recent and nothing can be changed.
 * Every question has a deadline, the session has one too, and so has what a server may send: one that is hostile, mute, or closes in the
 * middle of an answer ends in a `SeedFault`, and its connection is cut.
 */
export class ImapSession {
  readonly #client: ImapFlow;
  readonly #world: ImapEnvironment;
  readonly #secret: string;
  readonly #end: SessionEnd = { code: null };
  readonly #meter: ReadMeter;
  #cancelDeadline = (): void => {};

  private constructor(Flow: typeof ImapFlow, access: MailboxAccess, world: ImapEnvironment) {
    const { limits } = world;
    const { host, port, security, user, secret } = access;
    this.#world = world;
    this.#meter = { readBytes: 0, maxBytes: limits.sessionBytes, fault: 'too_much_data' };
    this.#secret = 'password' in secret ? secret.password : secret.accessToken;
    this.#client = new Flow({
      host,
      port,
      secure: security === 'tls',
      doSTARTTLS: security === 'tls' ? undefined : security === 'starttls',
      transport: guardedTransport(world, { plain: security === 'none' }, this.#meter),
      auth: 'password' in secret ? { user, pass: secret.password } : { user, accessToken: secret.accessToken },
      clientInfo: { name: PRODUCT.name },
      logger: false,
      disableCompression: true,
      disableAutoIdle: true,
      disableAutoEnable: true,
      disableBinary: true,
      disableIMAP4rev2: true,
      connectionTimeout: limits.connectMs,
      greetingTimeout: limits.callMs,
      socketTimeout: limits.callMs,
      maxLineLength: limits.responseBytes,
      maxLiteralSize: limits.responseBytes,
      maxResponseSize: limits.responseBytes,
      maxResponseTokens: MAX_TOKENS,
    });
    this.#client.on('error', (error: unknown) => this.#note(error));
  }

  /** @param signal cuts the connection, whatever it is waiting for. @throws SeedFault */
  static async open(access: MailboxAccess, world: ImapEnvironment, signal?: AbortSignal): Promise<ImapSession> {
    // Loaded with the first session: most installations have no seed mailboxes, and each worker would have it in memory.
    const { ImapFlow: Flow } = await import('imapflow');
    const session = new ImapSession(Flow, access, world);
    const cancel = world.timer.after(world.limits.sessionMs, () => session.#cut('timeout'));
    const abort = (): void => session.#cut('connection_failed');
    signal?.addEventListener('abort', abort, { once: true });
    session.#cancelDeadline = () => {
      cancel();
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted === true) abort();
    try {
      await session.#ask(() => session.#client.connect(), world.limits.connectMs + 2 * world.limits.callMs);
    } catch (fault) {
      // Nobody closes a session that was not opened: its deadline and its listener would stay.
      session.#cut('connection_failed');
      throw fault;
    }
    return session;
  }

  /** Whether the server is Gmail's, which has categories instead of folders. */
  get isGmail(): boolean {
    return this.#client.capabilities.has('X-GM-EXT-1');
  }

  /** Folders that can be opened. @throws SeedFault */
  async folders(): Promise<Folder[]> {
    const { listBytes, sessionBytes } = this.#world.limits;
    Object.assign(this.#meter, { maxBytes: this.#meter.readBytes + listBytes, fault: 'too_many_folders' });
    // Not `listOnly`, which would not ask an extended server for the uses.
    const listed = await this.#ask(() => this.#client.list());
    Object.assign(this.#meter, { maxBytes: sessionBytes, fault: 'too_much_data' });
    return listed
      .filter(({ path, flags }) => path.length <= MAX_PATH_LENGTH && !isClosed(flags))
      .slice(0, MAX_FOLDERS)
      .map((folder) => ({ path: folder.path, use: useOf(folder) }));
  }

  /** Opens a folder for reading. @returns whether the server has done so. @throws SeedFault */
  async examine(path: string): Promise<boolean> {
    try {
      await this.#ask(() => this.#client.mailboxOpen(path, { readOnly: true }));
      return true;
    } catch (error) {
      // The server lives on and will not open this one: other folders can be read.
      if (this.#client.usable && error instanceof SeedFault && error.code === 'protocol_error') return false;
      throw error;
    }
  }

  /** The newest messages of the open folder that came on that day or later. @throws SeedFault */
  async headsSince(day: Date): Promise<FoundHead[]> {
    const uids = await this.#search({ since: day });
    if (uids.length === 0) return [];
    const newest = uids.toSorted((one, other) => other - one).slice(0, MAX_UIDS);
    const query = { uid: true, internalDate: true, bodyParts: [{ key: 'HEADER', start: 0, maxLength: HEAD_BYTES }] };
    const messages = await this.#ask(() => this.#client.fetchAll(newest.join(','), query, { uid: true }));
    return messages.slice(0, MAX_UIDS).flatMap(headOf);
  }

  /** Messages of the open folder since that day with a word in their text, which the server decodes. @throws SeedFault */
  bodiesWith(word: string, day: Date): Promise<number[]> {
    return this.#search({ since: day, body: word });
  }

  /** Messages of the open folder that Gmail's own search finds. @throws SeedFault */
  gmailSearch(query: string): Promise<number[]> {
    return this.#search({ gmraw: query });
  }

  /** Says goodbye where the server listens, and cuts the connection. Never rejects. */
  async close(): Promise<void> {
    await this.#ask(() => this.#client.logout()).catch(() => undefined);
    this.#cut('connection_failed');
  }

  async #search(query: { since?: Date; body?: string; gmraw?: string }): Promise<number[]> {
    const uids = await this.#ask(() => this.#client.search(query, { uid: true }));
    // `false`: the server has refused the search, and what it holds is unknown.
    if (!Array.isArray(uids)) throw new SeedFault('protocol_error', 'the server refuses to search');
    return uids.slice(-10 * MAX_UIDS);
  }

  async #ask<T>(work: () => Promise<T>, withinMs = this.#world.limits.callMs): Promise<T> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#world.timer.after(withinMs, () => {
        this.#cut('timeout');
        reject(new SeedFault('timeout'));
      });
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      throw faultOf(error, this.#end, this.#secret);
    } finally {
      cancel();
      late.catch(() => undefined);
    }
  }

  /** The first error of the socket is the cause; what waits for an answer only learns that the connection has gone. */
  #note(error: unknown): void {
    this.#end.code ??= faultOf(error, this.#end, this.#secret).code;
  }

  #cut(code: 'timeout' | 'connection_failed'): void {
    this.#end.code ??= code;
    this.#cancelDeadline();
    this.#client.close();
  }
}

function isClosed(flags: ReadonlySet<string>): boolean {
  return [...flags].some((flag) => /^\\(noselect|nonexistent)$/i.test(flag));
}

function useOf({ path, flags }: ListResponse): string | null {
  // RFC 3501 section 5.1: INBOX is this name in any case.
  if (path.toUpperCase() === 'INBOX') return '\\Inbox';
  // What the server says, and not `specialUse`, which the library also guesses from names.
  const said = new Set([...flags].map((flag) => flag.toLowerCase()));
  return USES.find((use) => said.has(use.toLowerCase())) ?? null;
}

function headOf({ uid, internalDate, headers: head }: FetchMessageObject): FoundHead[] {
  const arrivedAt = new Date(internalDate ?? NaN);
  if (head === undefined || Number.isNaN(arrivedAt.getTime())) return [];
  return [{ uid, arrivedAt, head: head.subarray(0, HEAD_BYTES) }];
}
