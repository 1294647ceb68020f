import { type DynamicModule, Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterOutages } from '../errors/outage.js';
import { createDataSource, type DatabaseOptions } from './data-source.js';
import { ReadDatabase, Replica } from './read-database.js';

/** A replica that does not take a connection so soon is away: the primary is there. */
const REPLICA_CONNECT_MS = 1_000;

interface ServiceDatabaseOptions extends DatabaseOptions {
  /** A replica of it; null, the default: there is none. */
  readonly readUrl?: string | null;
  /** How long an outage is waited out before the first connection; 0, the default: not at all. */
  readonly waitSeconds?: number;
}

/** The one `DataSource`, for every feature module, and where to read from. They close last, when requests and jobs have ended. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  static register(
    url: string,
    { readUrl = null, waitSeconds: seconds = 0, ...options }: ServiceDatabaseOptions = {},
  ): DynamicModule {
    const onOutage = ({ message }: Error): void =>
      new Logger('Start').warn(
        `PostgreSQL went away during the start: ${message}. Waiting for it, ${seconds} s at most.`,
      );
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: DataSource,
          useFactory: () => afterOutages(() => createDataSource(url, options), { seconds, onOutage }),
        },
        {
          provide: ReadDatabase,
          inject: [DataSource],
          useFactory: (primary: DataSource) =>
            new ReadDatabase(primary, readUrl === null ? null : replicaOf(primary, readUrl, options)),
        },
      ],
      exports: [DataSource, ReadDatabase],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reads.close();
    await this.dataSource.destroy();
  }
}

function replicaOf(primary: DataSource, url: string, options: DatabaseOptions): Replica {
  return new Replica(primary, () => createDataSource(url, { ...options, connectTimeoutMs: REPLICA_CONNECT_MS }));
}
