import { Redis } from 'ioredis';
import { onDatabase } from './batches.js';

/** How a word may be written in something that is stored: as it is, as bytes, in base64 at any place, in UTF-16. */
function encodingsOf(word: string): string[] {
  const bytes = Buffer.from(word);
  // The letters that do not depend on what stands before and behind the word.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const utf16 = Buffer.from(word, 'utf16le').toString('hex');
  return [word, bytes.toString('hex'), ...base64, utf16];
}

/** Every place of PostgreSQL and Redis in which a text stands, in whatever encoding; bytes are looked through as such. */
export async function tracesOf(
  { databaseUrl, redisUrl }: { readonly databaseUrl: string; readonly redisUrl: string },
  texts: readonly string[],
): Promise<string[]> {
  const wanted = texts.flatMap(encodingsOf).map((text) => text.toLowerCase());
  const isIn = (text: string) => wanted.some((one) => text.toLowerCase().includes(one));
  const tables = await onDatabase(
    databaseUrl,
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    // Bytes are hexadecimal in a row's text.
    const rows = (await onDatabase(databaseUrl, `SELECT t::text AS row FROM ${name} AS t`)) as { row: string }[];
    if (rows.some(({ row }) => isIn(row))) found.push(name);
  }
  const redis = new Redis(redisUrl);
  try {
    for (const key of await redis.keys('*')) {
      if (isIn(key) || isIn(JSON.stringify(await valueOf(redis, key)))) found.push(`redis ${key}`);
    }
  } finally {
    redis.disconnect();
  }
  return found;
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const read: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, 0, -1, 'WITHSCORES'),
    // Gone since it was listed.
    none: async () => null,
  };
  const type = await redis.type(key);
  if (read[type] === undefined) throw new Error(`${key} is a ${type}, which is not looked through`);
  return read[type]();
}
