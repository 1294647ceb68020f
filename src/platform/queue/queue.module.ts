import { BullModule, getQueueToken } from '@nestjs/bull';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Global,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bull';
import { BatchBell } from './batch-bell.js';
import { QueueClients } from './queue-clients.js';
import { QUEUES } from './jobs.js';
import { WebhookBell } from './webhook-bell.js';

/** All queues, to be injected with `@InjectQueue(QUEUES.…)` and worked by `@Processor(QUEUES.…)` classes. */
@Global()
@Module({})
export class QueueModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clients: QueueClients,
  ) {}

  static register(url: string): DynamicModule {
    const clients = new QueueClients(url);
    const queues = BullModule.registerQueue(...Object.values(QUEUES).map((name) => ({ name })));
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({
          createClient: clients.create,
          prefix: prefixOf(url),
          // What happened to a piece of work is told by PostgreSQL; Redis keeps only enough to look at a recent fault.
          defaultJobOptions: { removeOnComplete: true, removeOnFail: 100 },
        }),
        queues,
      ],
      providers: [{ provide: QueueClients, useValue: clients }, BatchBell, WebhookBell],
      exports: [queues, BatchBell, WebhookBell],
    };
  }

  /** Takes no new jobs and waits for the running ones, while everything that they use is still open. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues().map((queue) => queue.pause(true)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.queues().map((queue) => queue.close()));
    await this.clients.close();
  }

  private queues(): Queue[] {
    return Object.values(QUEUES).map((name) => this.modules.get<Queue>(getQueueToken(name), { strict: false }));
  }
}

/** Bull tells of events on channels, which the databases of one Redis share: the prefix keeps them apart. */
function prefixOf(url: string): string {
  const database = new URL(url).pathname.slice(1) || '0';
  return `mailsonde:${database}`;
}
