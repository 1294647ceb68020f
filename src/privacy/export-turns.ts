import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionLocks } from '../platform/database/session-locks.js';
import { AppError } from '../platform/errors/app-error.js';

/** When a caller may try again whose account is already being exported. */
const RETRY_SECONDS = 10;

/** One export of an account at a time, in all processes together: each reads all that the account has. */
@Injectable()
export class ExportTurns implements BeforeApplicationShutdown {
  private readonly locks: SessionLocks;

  constructor(database: DataSource) {
    this.locks = new SessionLocks(database);
  }

  /** @returns what ends the turn. @throws AppError `export_in_progress` */
  async take(accountId: string): Promise<() => Promise<void>> {
    const end = await this.locks.take(`export of ${accountId}`);
    if (end === null) throw new AppError('export_in_progress', { retryAfterSeconds: RETRY_SECONDS });
    return end;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.locks.close();
  }
}
