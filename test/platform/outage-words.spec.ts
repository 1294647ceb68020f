import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typeorm from 'typeorm';
import { describe, expect, it } from 'vitest';
import { isOutage } from '../../src/platform/errors/outage.js';

/** The others of TypeORM say that we have used it wrongly. */
const OUTAGES_OF_TYPEORM = [
  'CannotExecuteNotConnectedError',
  'ConnectionIsNotSetError',
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
];

/** How the drivers' messages begin when a server is away; the others say that it or we are wrong. */
const OUTAGES_OF_DRIVERS = [
  'All sentinels are unreachable',
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cluster is disconnected.',
  'Cluster is disconnecting.',
  'Cluster is ended.',
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Command aborted due to connection close',
  'Command timed out',
  'Connection is aborted',
  'Connection is closed.',
  'Connection is discarded because a new connection is made',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Node is disconnected',
  'None of startup nodes is available',
  'Query read timeout',
  'Ready check failed: ',
  "Socket timeout. Expecting data, but didn't receive any in ",
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Too many Cluster redirections. Last error: ',
  'connect ETIMEDOUT',
  'timeout exceeded when trying to connect',
  'timeout expired',
];
/** What a driver says when it has been used wrongly, or set up wrongly. */
const NO_OUTAGE =
  /SASL|pipeline|Pipeline|Received unexpected|must be|already|not supported|not support|invalid|Invalid|is not a function|null or undefined|requires|SSL|subscriber|CROSSSLOT|slot|monitoring mode|unexpected condition|Unknown|Released?|Passing|more than once|Buffer|cannot|Supplying|circular|bad length|non-|unknown|certificate|should contain|not implemented|^c$|^timeout$|Requires/;

/** The constant beginnings of the messages of all errors that a package makes. */
function messagesOf(...folder: string[]): string[] {
  const directory = join('node_modules', ...folder);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.js') && !/node_modules|\.test\.js|native/.test(name))
    .flatMap((name) => {
      const source = readFileSync(join(directory, name), 'utf8');
      const found = source.matchAll(/Error\(\s*(?:"([^"\n]+)"|'([^'\n]+)'|`([^`$\n]+))/g);
      return [...found].map(([, ...texts]) => texts.find((text) => text !== undefined)!);
    });
}

const NAMED = Object.entries(typeorm as Record<string, unknown>)
  .filter(([, one]) => typeof one === 'function' && one.prototype instanceof Error)
  .map(([name]) => name);

describe('an error that is an outage, so that the request may be tried again', () => {
  it('an error that is an outage, so that the request may be tried again is known by name among all that TypeORM has', () => {
    expect(NAMED.length).toBeGreaterThan(40);
    const away = NAMED.filter((name) => isOutage(Object.assign(new Error('?'), { name })));
    expect(away.sort()).toEqual(OUTAGES_OF_TYPEORM);
  });

  it('an error that is an outage, so that the request may be tried again is known by its text among all that the drivers of PostgreSQL and Redis say', () => {
    const said = [
      ...messagesOf('pg', 'lib'),
      ...messagesOf('pg-pool'),
      ...messagesOf('pg-protocol', 'dist'),
      ...messagesOf('ioredis', 'built'),
    ];
    expect(said.length).toBeGreaterThan(80);
    const away = new Set(said.filter((text) => isOutage(new Error(text))));
    expect([...away].sort()).toEqual(OUTAGES_OF_DRIVERS.filter((text) => away.has(text)));
    expect(OUTAGES_OF_DRIVERS.filter((text) => !isOutage(new Error(text)))).toEqual([]);
    // Whoever takes a new release of a driver says here what its new words mean.
    expect(said.filter((text) => !away.has(text) && !NO_OUTAGE.test(text))).toEqual([]);
  });
});
