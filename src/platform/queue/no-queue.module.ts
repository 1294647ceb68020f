import { Global, Module } from '@nestjs/common';
import { WorkNotifier } from './work-notifier.js';

/** Replaces `QueueModule` in a program without Redis, such as a command line: the sweeps of the workers find its work. */
@Global()
@Module({ providers: [{ provide: WorkNotifier, useValue: new WorkNotifier([]) }], exports: [WorkNotifier] })
export class NoQueueModule {}
