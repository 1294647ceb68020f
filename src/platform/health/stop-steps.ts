import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

const HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;

type Hook = (...given: unknown[]) => unknown;

/** Which step of a stop has begun and not ended: whoever ends the process anyway can say what it was waiting for. */
export class StopSteps {
  private step: string;
  private readonly hooks = new Set<string>();

  /** @param step the first one */
  constructor(step: string) {
    this.step = step;
  }

  /** Such as `BatchWorker.onModuleDestroy`, or the step itself while no hook runs. */
  get unfinished(): string {
    return this.hooks.size > 0 ? [...this.hooks].join(', ') : this.step;
  }

  /** To be called before the context is closed: Nest tells nobody which hooks it awaits. */
  watch(context: INestApplicationContext): void {
    const watched = new Set<object>();
    for (const { providers, controllers } of context.get(ModulesContainer).values())
      for (const { instance } of [...providers.values(), ...controllers.values()]) {
        if (typeof instance !== 'object' || instance === null || watched.has(instance)) continue;
        watched.add(instance);
        this.watchHooksOf(instance as Record<string, unknown>);
      }
  }

  begin(step: string): void {
    this.step = step;
  }

  private watchHooksOf(instance: Record<string, unknown>): void {
    for (const name of HOOKS) {
      const hook = instance[name];
      if (typeof hook === 'function') instance[name] = this.watched(instance, name, hook as Hook);
    }
  }

  private watched(instance: object, name: string, hook: Hook): Hook {
    const called = `${instance.constructor.name}.${name}`;
    return async (...given) => {
      this.hooks.add(called);
      try {
        await hook.apply(instance, given);
      } finally {
        this.hooks.delete(called);
      }
    };
  }
}
