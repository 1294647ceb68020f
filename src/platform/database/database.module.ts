import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createDataSource, type DatabaseOptions } from './data-source.js';
import { ReadDatabase } from './read-database.js';
import { Replica } from './replica.js';

/** A replica that does not take a connection so soon is away: the primary is there. */
const REPLICA_CONNECT_MS = 1_000;

/** The one `DataSource`, for every room, and where to read from. They close last, when requests and jobs have ended. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reads: ReadDatabase,
  ) {}

  /** @param readUrl a replica of it; null: there is none */
  static register(url: string, options: DatabaseOptions = {}, readUrl: string | null = null): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DataSource, useFactory: () => createDataSource(url, options) },
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
