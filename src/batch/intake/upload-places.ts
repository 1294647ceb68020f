import { type Permit, Semaphore } from '../../lib/semaphore.js';
import { Turns } from '../../lib/turns.js';
import type { Principal } from '../../keys/access/principal.js';
import { Lines } from '../../keys/limits/account-turns.js';

/** Slices of live keys that go one after another while one of a test key waits. */
const LIVE_IN_A_ROW = 8;

type Uploader = Pick<Principal, 'accountId' | 'simulated'>;

/**
 * Divides the time of the event loop among uploads. An upload parses and packs in slices; before each but its first it waits here, and reads
 * nothing from its connection meanwhile. One slice is begun in each round of the event loop, so that all other requests go on between two.
 * Accounts take turns, and test keys have one slice after eight of live keys, or where no live key wants one.
 */
export class Slices {
  private readonly live = new Turns<() => void>();
  private readonly simulated = new Turns<() => void>();
  private liveInARow = 0;
  private isDue = false;

  next({ accountId, simulated }: Uploader): Promise<void> {
    return new Promise((resolve) => {
      (simulated ? this.simulated : this.live).add(resolve, accountId);
      this.plan();
    });
  }

  private plan(): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.take()();
      if (this.live.size + this.simulated.size > 0) this.plan();
    });
  }

  private take(): () => void {
    const isLive = this.simulated.size === 0 || (this.live.size > 0 && this.liveInARow < LIVE_IN_A_ROW);
    this.liveInARow = isLive ? this.liveInARow + 1 : 0;
    return (isLive ? this.live : this.simulated).take()!;
  }
}

/** One for the process, as it has one event loop. */
const slices = new Slices();

/** Waits until the upload may parse and pack its next slice. */
export function nextSlice(uploader: Uploader): Promise<void> {
  return slices.next(uploader);
}

/** Each may take 150 MB of memory. */
const WORKBOOKS = { live: 2, simulated: 1 };

/** The places of workbooks that unpack to more than some megabytes. Accounts take turns, and have one at a time. */
export class WorkbookPlaces {
  private readonly ofAccount = new Lines(1);
  private readonly live = new Semaphore(WORKBOOKS.live);
  private readonly simulated = new Semaphore(WORKBOOKS.simulated);

  /** @param gone the caller has gone. @throws AppError `unavailable` when too many of the account wait; the signal's reason */
  async enter({ accountId, simulated }: Uploader, gone: AbortSignal): Promise<Permit> {
    const line = await this.ofAccount.enter(`${accountId} ${simulated}`, { gone: () => gone });
    try {
      const place = await (simulated ? this.simulated : this.live).acquire(gone, accountId);
      return { release: () => [place, line].forEach((one) => one.release()) };
    } catch (error) {
      line.release();
      throw error;
    }
  }
}

const workbooks = new WorkbookPlaces();

export function workbookPlace(uploader: Uploader, gone: AbortSignal): Promise<Permit> {
  return workbooks.enter(uploader, gone);
}

/** Each may hold a workbook on the disk. */
const previews = new Lines(1);

/** Looks at one table of an account at a time. @param gone the caller has gone. @throws AppError `unavailable` when too many wait */
export function previewInTurn<T>(
  { accountId, simulated }: Uploader,
  gone: AbortSignal,
  preview: () => Promise<T>,
): Promise<T> {
  return previews.run(`${accountId} ${simulated}`, preview, { gone: () => gone });
}

/** What the uploads of one mode may have in this process. */
interface UploadLimits {
  /** Uploads of an account that are read at once. */
  readonly ofAccount: number;
  /** Uploads of all accounts with more rows than one flush: each may take a hundred megabytes of memory. */
  readonly large: number;
  /** Connections to PostgreSQL. */
  readonly writing: number;
}

const LIVE: UploadLimits = { ofAccount: 4, large: 24, writing: 3 };
const SIMULATED: UploadLimits = { ofAccount: 2, large: 6, writing: 1 };

/** The places of uploads under way. Accounts share them, and test keys have their own. */
export class UploadPlaces {
  private readonly live = new PlacesOfMode(LIVE);
  private readonly simulated = new PlacesOfMode(SIMULATED);

  /**
   * Waits for a place of the account.
   * @param gone the caller has gone, or its time is up
   * @throws AppError `unavailable` when too many uploads of the account wait; the signal's reason
   */
  enter(
    { accountId, simulated }: Pick<Principal, 'accountId' | 'simulated'>,
    gone?: AbortSignal,
  ): Promise<UploadPlace> {
    return (simulated ? this.simulated : this.live).enter(accountId!, gone);
  }
}

class PlacesOfMode {
  readonly large: Semaphore;
  private readonly places: Lines;
  private readonly writing: Semaphore;
  /** One of an account writes at a time: its uploads would wait for the lock of its balance with a connection in hand. */
  private readonly writers = new Lines(1);

  constructor({ ofAccount, large, writing }: UploadLimits) {
    this.places = new Lines(ofAccount);
    this.large = new Semaphore(large);
    this.writing = new Semaphore(writing);
  }

  async enter(accountId: string, gone?: AbortSignal): Promise<UploadPlace> {
    const place = await this.places.enter(accountId, { ...(gone && { gone: () => gone }) });
    return new UploadPlace(this, accountId, place, gone);
  }

  write<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.writers.run(accountId, () => this.writing.run(work, accountId));
  }
}

/** What one upload holds. */
export class UploadPlace {
  private large: Permit | null = null;

  constructor(
    private readonly all: PlacesOfMode,
    private readonly accountId: string,
    private readonly place: Permit,
    private readonly gone: AbortSignal | undefined,
  ) {}

  /** Waits, before the upload becomes a large one, for a place among those. An upload that is small or slow takes none. */
  async enlarge(): Promise<void> {
    this.large ??= await this.all.large.acquire(this.gone, this.accountId);
  }

  /** Writes when a connection is free for it. */
  write<T>(work: () => Promise<T>): Promise<T> {
    return this.all.write(this.accountId, work);
  }

  /** A second call does nothing. */
  leave(): void {
    this.large?.release();
    this.place.release();
  }
}
