import pg from 'pg';

const pools = new Map<string, pg.Pool>();

/** The test's own connections to a database, kept from one statement to the next: opening one takes twenty times as long as most statements. */
export function connectionsTo(url: string): pg.Pool {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true });
    // One that the server has ended is not used again.
    pool.on('error', () => undefined);
    pools.set(url, pool);
  }
  return pool;
}

export async function closeConnections(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}
