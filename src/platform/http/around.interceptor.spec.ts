import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import { isObservable, lastValueFrom, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { AroundInterceptor, type Rest, runAroundAsPromises } from './around.interceptor.js';

class Controller {}
const handler = (): void => undefined;

/** What a chain did, in its order, and what it came to. */
async function run(
  consumer: InterceptorsConsumer,
  makers: readonly ((steps: string[]) => NestInterceptor)[],
  handle: (steps: string[]) => Promise<unknown>,
): Promise<{ readonly steps: readonly string[]; readonly result: unknown; readonly wasObservable: boolean }> {
  const steps: string[] = [];
  let wasObservable = false;
  const result = await consumer
    .intercept(
      makers.map((make) => make(steps)),
      ['request', 'reply'],
      new Controller(),
      handler,
      () => handle(steps),
    )
    .then((value) => {
      wasObservable = isObservable(value);
      return isObservable(value) ? lastValueFrom(value) : value;
    })
    .catch((error: Error) => `refused: ${error.message}`);
  return { steps, result, wasObservable };
}

const around = (name: string) => (steps: string[]) =>
  new (class extends AroundInterceptor {
    async around(context: ExecutionContext, rest: Rest): Promise<unknown> {
      steps.push(`${name} of ${context.getClass().name}, ${String(context.getArgs()[0])}`);
      try {
        return `${name}(${String(await rest())})`;
      } finally {
        steps.push(`${name} ends`);
      }
    }
  })();

const throwing = () =>
  new (class extends AroundInterceptor {
    around(): Promise<unknown> {
      throw new Error('no');
    }
  })();

const observable = (steps: string[]): NestInterceptor => ({
  intercept: (_, next) => next.handle().pipe(tap(() => steps.push('observed'))),
});

const answer = async (steps: string[]): Promise<string> => {
  steps.push('handler');
  return Promise.resolve('answer');
};

class Replaced extends InterceptorsConsumer {}
runAroundAsPromises(Replaced);

describe('interceptors that are promises', () => {
  const asNest = new InterceptorsConsumer();
  const asPromises = new Replaced();

  it.each([
    ['pass a value on, from the outermost to the innermost and back', [around('a'), around('b')], answer],
    ['see the error of a handler', [around('a'), around('b')], () => Promise.reject(new Error('late'))],
    ['see the error of an interceptor that throws', [around('a'), throwing, around('b')], answer],
    ['run beside one that is an observable', [around('a'), observable, around('b')], answer],
    ['may be none', [], answer],
  ])('%s, as Nest runs them', async (_, makers, handle) => {
    const [expected, found] = [await run(asNest, makers, handle), await run(asPromises, makers, handle)];
    expect({ ...found, wasObservable: null }).toEqual({ ...expected, wasObservable: null });
    expect(expected.steps.length + String(expected.result).length).toBeGreaterThan(5);
  });

  it('interceptors that are promises are no observables any more, unless one of them is', async () => {
    expect((await run(asPromises, [around('a')], answer)).wasObservable).toBe(false);
    expect((await run(asPromises, [around('a'), observable], answer)).wasObservable).toBe(true);
    expect((await run(asNest, [around('a')], answer)).wasObservable).toBe(true);
  });

  it('interceptors that are promises are replaced once, however often it is asked for', () => {
    const { intercept } = Replaced.prototype;
    runAroundAsPromises(Replaced);
    expect(Replaced.prototype.intercept).toBe(intercept);
  });
});
