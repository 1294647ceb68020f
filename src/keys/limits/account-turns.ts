import { Injectable, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { POOL_SIZE } from '../../platform/database/data-source.js';
import type { Principal } from '../access/principal.js';
import { type Permit, Semaphore } from '../../lib/semaphore.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Reflector } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AroundInterceptor, type Rest } from '../../platform/http/around.interceptor.js';
import { onReplyEnd } from '../../platform/http/reply-end.js';
import type { CallerRequest } from '../access/caller.js';

type Caller = Pick<Principal, 'accountId' | 'simulated'> & { readonly keyId?: string };

/** What changes lock in common. Those of one line wait for one another; administrators have the same lines for themselves. */
export type LineName =
  | 'accounts'
  | 'agents'
  | 'blacklists'
  | 'claims'
  | 'egress'
  | 'endpoints'
  | 'erasures'
  | 'keys'
  | 'monitors'
  | 'operators'
  | 'opt-outs'
  | 'schedules'
  | 'seeds'
  | 'suppressions'
  | 'work';

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
  /** Those whose change has begun: each request has a caller object of its own. */
  private readonly inTurn = new WeakSet<Caller>();

  /**
   * Makes one change of a line at a time, so that the others do not wait for its locks.
   * @param line changes of other lines, of the other mode and of other accounts do not wait
   * @throws AppError `unavailable` when too many wait; the signal's reason
   * @throws Error for a caller whose turn it is already, since it would wait for itself for ever
   */
  async change<T>(caller: Caller, line: LineName, work: () => Promise<T>, waiting?: Waiting): Promise<T> {
    if (this.inTurn.has(caller)) throw new Error(`a change that has its turn asks for a turn of the line ${line}`);
    const name = `${nameOf(caller)} ${caller.simulated} ${line}`;
    // Each line is its own: all of them together may have no more connections than reads have.
    return this.changes.run(name, () => this.read(caller, () => this.whileMarked(caller, work), waiting), waiting);
  }

  private async whileMarked<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    this.inTurn.add(caller);
    try {
      return await work();
    } finally {
      this.inTurn.delete(caller);
    }
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
  /** Keys whose first deletion is there. */
  readonly deleting: Set<string>;
}

export interface Waiting {
  /** Ends the wait: the caller has gone. It is asked for only where somebody has to wait. */
  readonly gone?: () => AbortSignal;
  /**
   * The key that deletes something, such as another key. Its first deletion goes before what is none; the further ones take turns with all
   * others, so that a flood of them keeps nobody else's waiting.
   */
  readonly deletedBy?: string;
}

/** Gives each name so many places. Whatever more comes under the name waits in the line of the name, and keeps no other name waiting. */
export class Lines {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly places: number) {}

  /**
   * @returns a place, which the caller gives back
   * @throws AppError `unavailable` when too many wait; the signal's reason
   */
  async enter(name: string, { gone, deletedBy }: Waiting = {}): Promise<Permit> {
    const line = this.lines.get(name) ?? { places: new Semaphore(this.places), size: 0, deleting: new Set() };
    if (line.size >= this.places + MAX_WAITING && deletedBy === undefined) throw refusal();
    const signal = line.size < this.places ? undefined : gone?.();
    this.lines.set(name, line);
    line.size += 1;
    const first = deletedBy === undefined || line.deleting.has(deletedBy) ? null : deletedBy;
    if (first !== null) line.deleting.add(first);
    const leave = (place: Permit | null): void => {
      if (first !== null) line.deleting.delete(first);
      this.leave(name, line, place);
    };
    try {
      const place = await line.places.acquire(signal, first === null ? (deletedBy ?? '') : null);
      return { release: once(() => leave(place)) };
    } catch (error) {
      leave(null);
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

/** Under which a route, or its controller, says in what line its changes wait. */
export const IN_TURN = 'in turn';

/**
 * Marks a route, or all of a controller, whose changes lock what they have in common: the account's keys, endpoints, monitors. It does
 * nothing else for long; a route of a marked controller that does says `false`.
 */
export const InTurn = (line: LineName | false) => SetMetadata(IN_TURN, line);

/**
 * Lets the requests of an account wait for their turn (`AccountTurns`): marked changes of a mode, those of each line by themselves, and
 * all reads. A reply that streams gives its turn back when its first byte can be sent.
 */
@Injectable()
export class InTurnInterceptor extends AroundInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly turns: AccountTurns,
  ) {
    super();
  }

  around(context: ExecutionContext, rest: Rest): Promise<unknown> {
    const { method, principal } = context.getArgByIndex<CallerRequest>(0);
    if (principal === undefined) return rest();
    const gone = () => goneSignal(context);
    if (method === 'GET' || method === 'HEAD') return this.turns.read(principal, rest, { gone });
    const targets = [context.getHandler(), context.getClass()];
    const line = this.reflector.getAllAndOverride<LineName | false | undefined>(IN_TURN, targets);
    if (line === undefined || line === false) return rest();
    return this.turns.change(principal, line, rest, {
      gone,
      ...(method === 'DELETE' && { deletedBy: principal.keyId }),
    });
  }
}

function goneSignal(context: ExecutionContext): AbortSignal {
  const gone = new AbortController();
  const { raw: request } = context.getArgByIndex<{ readonly raw: IncomingMessage }>(0);
  const { raw: reply } = context.getArgByIndex<{ readonly raw: ServerResponse }>(1);
  onReplyEnd(request, reply, () => gone.abort(refusal()));
  return gone.signal;
}
