import { BullModule, getQueueToken } from '@nestjs/bull';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Queue } from 'bull';
import { QueueClients } from './queue-clients.js';
import { WorkNotifier } from './work-notifier.js';

/** Nest token of all queues. */
const QUEUES = Symbol('QUEUES');

/** Queues that rooms name, notify by the `WorkNotifier` and work by `@Processor` classes. */
@Global()
@Module({})
export class QueueModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(QUEUES) private readonly queues: readonly Queue[],
    private readonly clients: QueueClients,
  ) {}

  static register(url: string, names: readonly string[]): DynamicModule {
    const clients = new QueueClients(url);
    const queues = BullModule.registerQueue(...names.map((name) => ({ name })));
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({
          createClient: clients.create,
          prefix: prefixOf(url),
          // PostgreSQL has the outcome of the work; Redis keeps only enough jobs to examine a recent fault.
          defaultJobOptions: { removeOnComplete: true, removeOnFail: 100 },
        }),
        queues,
      ],
      providers: [
        { provide: QueueClients, useValue: clients },
        { provide: QUEUES, inject: names.map((name) => getQueueToken(name)), useFactory: (...all: Queue[]) => all },
        { provide: WorkNotifier, inject: [QUEUES], useFactory: (all: Queue[]) => new WorkNotifier(all) },
      ],
      exports: [queues, WorkNotifier],
    };
  }

  /** Takes no new jobs and waits for the running ones, while everything they use is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.pause(true)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()));
    await this.clients.close();
  }
}

/** Bull publishes events on channels, which the databases of one Redis share: the prefix keeps them apart. */
function prefixOf(url: string): string {
  const database = new URL(url).pathname.slice(1) || '0';
  return `mailsonde:${database}`;
}
