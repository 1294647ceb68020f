import { Logger, type OnApplicationBootstrap, type OnModuleDestroy, type Provider, type Type } from '@nestjs/common';
import { Periodic, type PeriodicOptions } from '../lib/periodic.js';
import { TIMER, type Timer } from './clock.js';

/** What runs again and again, and whose last run ends before what it uses is closed. */
abstract class Repeated implements OnModuleDestroy {
  protected readonly logger: Logger;
  protected readonly periodic: Periodic;

  /** @param failure begins the line of the log when a run has failed; the next one comes at its time */
  protected constructor(failure: string, options: Omit<PeriodicOptions, 'onError'>, name = new.target.name) {
    this.logger = new Logger(name);
    this.periodic = new Periodic(() => this.run(), {
      ...options,
      onError: (error) => this.logger.warn(`${failure}: ${(error as Error).message}`),
    });
  }

  /** Does what is due now. */
  abstract run(): Promise<unknown>;

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }
}

/** A job of the service that runs from its start on. */
export abstract class PeriodicJob extends Repeated implements OnApplicationBootstrap {
  onApplicationBootstrap(): void | Promise<void> {
    this.periodic.start();
  }
}

/** What this process knows of something that others change: while the server that keeps it is away, what was known stays. */
export abstract class KnownState extends Repeated {
  /** Takes up what has changed. */
  abstract read(): Promise<void>;

  run(): Promise<void> {
    return this.read();
  }

  /** Reads it once, and then again and again: nobody goes by it before what holds is known. */
  async start(): Promise<void> {
    await this.read();
    this.periodic.start();
  }
}

/** Another object's method as a job, which logs under the name of its class. */
class PeriodicCall extends PeriodicJob {
  constructor(
    name: string,
    private readonly call: () => Promise<unknown>,
    failure: string,
    options: Omit<PeriodicOptions, 'onError'>,
  ) {
    super(failure, options, name);
  }

  run(): Promise<unknown> {
    return this.call();
  }
}

/**
 * A provider for the worker's module of a feature, which calls a method of one of its services again and again. What the service does at
 * the end of the process is the service's own.
 * @param failure begins the line of the log when a call has failed; the next one comes at its time
 */
export function periodically<Service, Method extends string>(
  service: Type<Service & Record<Method, () => Promise<unknown>>>,
  method: Method,
  everyMs: number,
  failure: string,
  { firstAfterMs = 0 }: Pick<PeriodicOptions, 'firstAfterMs'> = {},
): Provider {
  return {
    provide: `${service.name}.${method} every ${everyMs} ms`,
    inject: [service, TIMER],
    useFactory: (instance: Record<Method, () => Promise<unknown>>, timer: Timer) =>
      new PeriodicCall(service.name, () => instance[method](), failure, { everyMs, firstAfterMs, timer }),
  };
}
