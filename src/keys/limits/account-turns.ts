import { Injectable } from '@nestjs/common';
import { POOL_SIZE } from '../../platform/database/data-source.js';
import type { Principal } from '../access/principal.js';
import { Lines, type Waiting } from './lines.js';

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
