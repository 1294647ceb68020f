import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { packageVersion } from '../config/config-file.js';
import { ENV, type Env } from '../config/env.js';
import { REDIS, type RedisClient } from '../redis/redis.js';
import { Gauges } from '../metrics/gauges.js';

/** What every process tells of itself, its connections to PostgreSQL and its Redis. */
@Injectable()
export class ServerGauges {
  constructor(gauges: Gauges, database: DataSource, @Inject(REDIS) redis: RedisClient, @Inject(ENV) { role }: Env) {
    const version = packageVersion();
    gauges.addLocal({
      name: 'mailsonde_build_info',
      help: 'Always 1; the labels are the version of the program and the role of the process.',
      labels: ['version', 'role'],
      read: () => [[1, version, role]],
    });
    const pool = (database.driver as unknown as { readonly master: pg.Pool }).master;
    gauges.addLocal({
      name: 'mailsonde_database_connections',
      help: 'Connections to PostgreSQL of this process, by state.',
      labels: ['state'],
      read: () => [
        [pool.idleCount, 'idle'],
        [pool.totalCount - pool.idleCount, 'busy'],
      ],
    });
    gauges.addLocal({
      name: 'mailsonde_database_waiting',
      help: 'Statements that wait for a connection to PostgreSQL now.',
      read: () => pool.waitingCount,
    });
    gauges.addLocal({
      name: 'mailsonde_database_up',
      help: '1: PostgreSQL answers this process.',
      read: () => upOf(() => database.query('select 1')),
    });
    gauges.addLocal({
      name: 'mailsonde_redis_ping_seconds',
      help: 'The time that Redis took to answer a PING at this scrape; missing while it does not answer.',
      read: async () => {
        const startedAt = performance.now();
        await redis.ping();
        return (performance.now() - startedAt) / 1000;
      },
    });
    gauges.addLocal({
      name: 'mailsonde_redis_up',
      help: '1: Redis answers this process.',
      read: () => upOf(() => redis.ping()),
    });
  }
}

async function upOf(ask: () => Promise<unknown>): Promise<number> {
  try {
    await ask();
    return 1;
  } catch {
    return 0;
  }
}
