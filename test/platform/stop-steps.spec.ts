import { type BeforeApplicationShutdown, Controller, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { StopSteps } from '../../src/platform/health/stop-steps.js';

it('a stop knows which hooks it waits for, of providers and of controllers, and otherwise which step', async () => {
  const ends: (() => void)[] = [];
  const gone: string[] = [];
  const hang = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  @Injectable()
  class Pool implements OnModuleDestroy, BeforeApplicationShutdown {
    private readonly name = 'a pool';
    onModuleDestroy(): Promise<void> {
      return hang();
    }
    async beforeApplicationShutdown(): Promise<void> {
      await hang();
      gone.push(this.name);
    }
  }
  @Controller()
  class Gate implements OnModuleDestroy {
    onModuleDestroy(): Promise<void> {
      return hang();
    }
  }
  @Module({ providers: [Pool, { provide: 'THE_SAME', useExisting: Pool }], controllers: [Gate] })
  class Room {}

  const app = await NestFactory.createApplicationContext(Room, { logger: false });
  const steps = new StopSteps('the start');
  expect(steps.unfinished).toBe('the start');
  steps.watch(app);
  steps.begin('requests and connections');
  expect(steps.unfinished).toBe('requests and connections');
  const closed = app.close();
  const end = () => ends.splice(0).forEach((resolve) => resolve());
  await expect
    .poll(() => steps.unfinished.split(', ').sort())
    .toEqual(['Gate.onModuleDestroy', 'Pool.onModuleDestroy']);
  end();
  await expect.poll(() => steps.unfinished).toBe('Pool.beforeApplicationShutdown');
  end();
  await closed;
  expect(steps.unfinished).toBe('requests and connections');
  expect(gone).toEqual(['a pool']);
});
