import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { HOUR_MS } from '../../lib/durations.js';
import { Periodic } from '../../lib/periodic.js';
import type { SharedBlock } from '../../engine/ports.js';
import { TIMER, type Timer } from '../../platform/clock.js';
import { defineScript } from '../../platform/redis/lua-script.js';
import { REDIS } from '../../platform/redis/redis.js';

const EVERY_MS = 1_000;
/** Hostile lists may open far more circuits: then all are forgotten here, and each process goes on with what it knows. */
const MAX_BLOCKS = 5_000;
/** Longer than any circuit is open. */
const LIFE_MS = 12 * HOUR_MS;
const KEYS = ['{limiter}:blocks', '{limiter}:blocks:version'] as const;

/** KEYS: blocks by name, their version. ARGV: name, text, most, milliseconds to live. All go together when none was told of for long. */
const TELL_SCRIPT = `
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then redis.call('DEL', KEYS[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
-- A version that Redis has lost must not come again.
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[2], redis.call('TIME')[1] .. '000') end
redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return 1
`;

/** KEYS: as above. ARGV: the version that is known. Returns the version, and all blocks where it is another one. */
const READ_SCRIPT = `
local version = redis.call('GET', KEYS[2]) or ''
if version == ARGV[1] then return { version } end
return { version, redis.call('HVALS', KEYS[1]) }
`;

const tellBlock = defineScript<number>('tellBlock', 2, TELL_SCRIPT);
const readBlocks = defineScript<[version: string, texts?: string[]]>('readBlocks', 2, READ_SCRIPT);

/**
 * Tells all processes what one has found out: that a mail operator refuses a source, or that port 25 is closed for it. Redis is read each
 * second. While it is away, or has lost what it knew, each process goes on with what it knows and learns for itself.
 */
@Injectable()
export class RedisBlocks implements OnModuleDestroy {
  private readonly logger = new Logger(RedisBlocks.name);
  private readonly reads: Periodic;
  private adopt: (blocks: readonly SharedBlock[]) => void = () => {};
  private version = '';

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(TIMER) timer: Timer,
  ) {
    this.reads = new Periodic(() => this.read(), {
      everyMs: EVERY_MS,
      timer,
      onError: (error) => this.logger.debug(`who refuses us was not read: ${(error as Error).message}`),
    });
  }

  start(adopt: (blocks: readonly SharedBlock[]) => void): void {
    this.adopt = adopt;
    this.reads.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.reads.stop();
  }

  /** Never throws: what is not told is learned by the others themselves. */
  readonly tell = (block: SharedBlock): void => {
    const name = `${block.operator} ${block.source}`;
    tellBlock(this.redis, ...KEYS, name, JSON.stringify(block), MAX_BLOCKS, LIFE_MS).catch(() => undefined);
  };

  /** Takes up what is new. */
  async read(): Promise<void> {
    const [version, texts = []] = await readBlocks(this.redis, ...KEYS, this.version);
    this.version = version;
    this.adopt(texts.map((text) => JSON.parse(text) as SharedBlock));
  }
}
