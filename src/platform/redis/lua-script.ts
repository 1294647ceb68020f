import type { RedisClient } from './redis.js';

/** Runs the script: first its keys, then its arguments. */
export type LuaScript<Result> = (redis: RedisClient, ...keysAndArguments: (string | number)[]) => Promise<Result>;

/**
 * A Lua script that Redis runs as one atomic step. The client sends it whole once and by its hash afterwards.
 *
 * It must run on Redis, Valkey and js-redis-server alike: no `redis.replicate_commands`; numbers above 2^31 as text by
 * `string.format('%.0f', n)`, never by `%d` or `tostring`; `TIME` may have whole milliseconds only.
 * @param name unique in the process.
 * @param numberOfKeys null when it differs from run to run: then the first of `keysAndArguments` is the number.
 */
export function defineScript<Result>(name: string, numberOfKeys: number | null, lua: string): LuaScript<Result> {
  return (redis, ...keysAndArguments) => {
    if (!(name in redis)) redis.defineCommand(name, numberOfKeys === null ? { lua } : { numberOfKeys, lua });
    return (redis as unknown as Record<string, (...args: (string | number)[]) => Promise<Result>>)[name]!(
      ...keysAndArguments,
    );
  };
}
