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
import { databaseOf } from '../config/redis-address.js';
import { QueueClients } from './queue-clients.js';
import { WorkNotifier } from './work-notifier.js';

/** Nest token of all queues. */
const QUEUES = Symbol('QUEUES');

/** Queues that feature modules name, notify by the `WorkNotifier` and work by `@Processor` classes. */
@Global()
@Module({})
export class QueueModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  private isStopping = false;

  constructor(
    @Inject(QUEUES) private readonly queues: readonly Queue[],
    private readonly clients: QueueClients,
  ) {
    for (const queue of queues) this.letGoOfStart(queue);
  }

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
    this.isStopping = true;
    await Promise.all(this.queues.map((queue) => queue.pause(true)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.close()));
    await this.clients.close();
  }

  /**
   * A queue begins by commands to Redis for which @nestjs/bull does not wait, nor does Bull at a close (4.16.5). A stop right after the
   * start closes the connection before their answers: that is no fault, and would be an unhandled rejection.
   */
  private letGoOfStart(queue: Queue): void {
    const begin = queue.process.bind(queue) as (...given: unknown[]) => Promise<void>;
    queue.process = ((...given: unknown[]) =>
      begin(...given).catch((error: unknown) => {
        if (!this.isStopping) throw error;
      })) as Queue['process'];
  }
}

/**
 * Bull publishes events on channels, which the databases of one Redis share: the prefix keeps them apart. In braces, it puts all keys of
 * Bull's scripts into one slot of a cluster.
 */
function prefixOf(url: string): string {
  return `{mailsonde:${databaseOf(url)}}`;
}

/** Replaces `QueueModule` in a program without Redis, such as a command line: the sweeps of the workers find its work. */
@Global()
@Module({ providers: [{ provide: WorkNotifier, useValue: new WorkNotifier([]) }], exports: [WorkNotifier] })
export class NoQueueModule {}
