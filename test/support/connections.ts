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

/** Holds a table so that nobody else reads or changes it while the work is done. */
export async function whileLocked<T>(url: string, table: string, work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return await work();
  } finally {
    await holder.query('ROLLBACK');
    await holder.end();
  }
}

/** How many connections wait for a lock. */
export async function lockWaiters(url: string): Promise<number> {
  const { rows } = await connectionsTo(url).query<{ waiting: number }>(
    `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]!.waiting;
}
