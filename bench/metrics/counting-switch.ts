import { Counter, Histogram } from 'prom-client';

/**
 * Loaded before the service (`node --import`): whoever started it turns counting off and on by a message, `true` or `false`, and is told by
 * `'cost'` how often this process counted and what one time takes: the last calls are made again and again.
 */
export type Asked = boolean | 'cost';

export interface CostOfCounting {
  readonly calls: number;
  /** CPU of one call. */
  readonly micros: number;
}

const KEPT = 256;
const ROUNDS = 400;

const last: (() => void)[] = [];
let isCounting = true;
let calls = 0;

// Each metric takes one of these as its own `inc` or `observe` when it is made.
for (const [prototype, name] of [
  [Counter.prototype, 'incWithoutExemplar'],
  [Histogram.prototype, 'observeWithoutExemplar'],
] as const) {
  const count = Reflect.get(prototype, name) as (this: unknown, ...values: unknown[]) => void;
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]) {
    if (!isCounting) return;
    last[calls++ % KEPT] = () => count.apply(this, values);
    count.apply(this, values);
  });
}

process.on('message', (asked: Asked) => {
  if (asked === 'cost') process.send!(cost());
  else process.send!((isCounting = asked));
});

function cost(): CostOfCounting {
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) for (const call of last) call();
  const { user, system } = process.cpuUsage(before);
  return { calls, micros: last.length === 0 ? 0 : (user + system) / ROUNDS / last.length };
}
