import { Injectable } from '@nestjs/common';
import { ReadDatabase } from './read-database.js';
import { Gauges } from '../metrics/gauges.js';

/** A replica further behind is as good as none: reads do not wait for it. */
const MAX_LAG_SECONDS = 2;

/** What a process tells of its replica; nothing where it has none. */
@Injectable()
export class ReplicaGauges {
  constructor(gauges: Gauges, reads: ReadDatabase) {
    gauges.addShared({
      name: 'mailsonde_replica_up',
      help: '1: the replica of DATABASE_READ_URL answers and is at most 2 s behind; missing where none is configured.',
      read: async () => {
        const lag = await reads.lagSeconds();
        return lag === undefined ? [] : [{ value: lag !== null && lag <= MAX_LAG_SECONDS ? 1 : 0 }];
      },
    });
    gauges.addShared({
      name: 'mailsonde_replica_lag_seconds',
      help: 'How far the replica is behind the primary; missing while it does not answer, or is no replica.',
      read: async () => {
        const lag = await reads.lagSeconds();
        return typeof lag === 'number' ? [{ value: lag }] : [];
      },
    });
  }
}
