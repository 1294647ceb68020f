import { Injectable } from '@nestjs/common';
import { POOL_SIZE } from '../../platform/database/data-source.js';
import type { Principal } from '../access/principal.js';
import { type Permit, Semaphore } from '../../lib/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';

type Caller = Pick<Principal, 'accountId' | 'simulated'> & { readonly keyId?: string };

/** Half of the connections to PostgreSQL, for reads and changes; for test keys a fifth. */
const CONNECTIONS = POOL_SIZE / 2;
const SIMULATED_CONNECTIONS = POOL_SIZE / 5;

/**
 * Lets what an account asks wait here, in this process, and not with a connection to PostgreSQL in hand: 150 requests at once would take all
 * connections from everybody else. An administrator is an account of its own. Nobody looks anything up elsewhere in a turn, since the
 * others of the line wait for it.
 */
@Injectable()
export class AccountTurns {
  private readonly changes = new Lines(1);
  private readonly connections = new Lines(CONNECTIONS);
  private readonly simulatedConnections = new Lines(SIMULATED_CONNECTIONS);

  /**
   * Makes one change of a kind at a time, so that the others do not wait for its locks.
   * @param of what is changed: changes of something else, of the other mode and of other accounts do not wait
   * @throws AppError `unavailable` when too many wait; the signal's reason
   */
  change<T>(caller: Caller, of: string, work: () => Promise<T>, waiting?: Waiting): Promise<T> {
    const name = `${nameOf(caller)} ${caller.simulated} ${of}`;
    // Each kind has a line of its own: all of them together may have no more connections than reads have.
    return this.changes.run(name, () => this.read(caller, work, waiting), waiting);
  }

  /** Reads while the account has connections left. @throws AppError as `change` does */
  read<T>(caller: Caller, work: () => Promise<T>, waiting?: Waiting): Promise<T> {
    return (caller.simulated ? this.simulatedConnections : this.connections).run(nameOf(caller), work, waiting);
  }
}

function nameOf({ accountId, keyId }: Caller): string {
  return accountId ?? keyId!;
}

/** What waits holds its request in memory; a caller who is refused may ask again. */
const MAX_WAITING = 200;
const RETRY_SECONDS = 1;

interface Line {
  readonly places: Semaphore;
  /** Those that have a place and those that wait. */
  size: number;
}

export interface Waiting {
  /** Ends the wait: the caller has gone. It is asked for only where somebody has to wait. */
  readonly gone?: () => AbortSignal;
  /** Goes before the others, such as a revocation. */
  readonly isUrgent?: boolean;
}

/** Gives each name so many places. Whatever more comes under the name waits in the line of the name, and keeps no other name waiting. */
export class Lines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly places: number) {}

  /**
   * @returns a place, which the caller gives back
   * @throws AppError `unavailable` when too many wait; the signal's reason
   */
  async enter(name: string, { gone, isUrgent = false }: Waiting = {}): Promise<Permit> {
    const line = this.lines.get(name) ?? { places: new Semaphore(this.places), size: 0 };
    if (line.size >= this.places + MAX_WAITING && !isUrgent) throw refusal();
    const signal = line.size < this.places ? undefined : gone?.();
    this.lines.set(name, line);
    line.size += 1;
    try {
      const place = await line.places.acquire(signal, isUrgent ? null : '');
      return { release: once(() => this.leave(name, line, place)) };
    } catch (error) {
      this.leave(name, line, null);
      throw error;
    }
  }

  async run<T>(name: string, work: () => Promise<T>, waiting?: Waiting): Promise<T> {
    const place = await this.enter(name, waiting);
    try {
      return await work();
    } finally {
      place.release();
    }
  }

  private leave(name: string, line: Line, place: Permit | null): void {
    place?.release();
    line.size -= 1;
    if (line.size === 0) this.lines.delete(name);
  }
}

/** The reason with which a wait ends whose caller has gone: nobody gets it, and it is no fault of the service. */
export function refusal(): AppError {
  return new AppError('unavailable', { retryAfterSeconds: RETRY_SECONDS });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
