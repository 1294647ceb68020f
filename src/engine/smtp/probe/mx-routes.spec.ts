import { describe, expect, it } from 'vitest';

import { held } from '../../../../test/support/held.js';
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { SocketPermits } from '../connect/socket-permits.js';
import type { Permit } from '../../../lib/semaphore.js';
import type { MailProvider, MailProviders } from '../../lists/providers.js';
import { CircuitBreaker } from '../connect/breaker.js';
import { Sources } from '../connect/sources.js';
import type { RouteContext } from './route-lanes.js';
import { MxRoutes } from './mx-routes.js';
import type { RecipientProbe } from './recipient-probe.js';

const SOURCE = {
  name: 'default',
  address: null,
  socks5: null,
  helo: 'probe.example.net',
  mailFrom: '',
  region: null,
  weight: 1,
  since: null,
  operators: null,
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Routes whose workers wait for a permit until the test refuses it. */
function openRoutes() {
  const fallback = { name: 'default', caps: { connections: 2, connectionsPerMinute: null } } as MailProvider;
  const providers: MailProviders = { fallback, all: [], forDomain: () => null, forMailHost: () => fallback };
  const refused = held<Permit>();
  const clock = new ManualClock();
  const routes = new MxRoutes(providers, {
    sources: new Sources([SOURCE], { clock }),
    breaker: new CircuitBreaker(clock),
    clock,
    connectionLimiter: { acquire: (host: string) => (host === 'kept' ? held<Permit>().promise : refused.promise) },
    sockets: new SocketPermits(1),
    warm: new Map(),
    waitingForPermit: new Map(),
  } as unknown as RouteContext);
  const routeTo = (key: string, host = key) => routes.routeTo({ key, hosts: [{ name: host, preference: 10 }] });
  return { clock, routes, routeTo, refuse: () => refused.reject(new Error('no permits today')) };
}

const LIST = { turn: 'list', account: 'list', urgent: false, keepWarmMs: 0 };

/** A probe, and the kind of its answer. */
function ask(route: { enqueue(probe: RecipientProbe): void }): Promise<string> {
  return new Promise((resolve) => {
    const probe = { address: 'jane@example.com', asker: LIST, isCancelled: false, next: null } as RecipientProbe;
    route.enqueue({ ...probe, answer: ({ kind }) => resolve(kind) });
  });
}

describe('a route', () => {
  it('a route that nobody asks anything is forgotten a turn of the event loop later', async () => {
    const { routes, routeTo } = openRoutes();
    for (const key of ['a', 'b', 'a']) routeTo(key);
    expect(routes.size).toBe(2);
    await turn();
    expect(routes.size).toBe(0);
  });

  it('a route is shared while it has probes, and forgotten when they are answered', async () => {
    const { routes, routeTo, refuse } = openRoutes();
    const route = routeTo('a');
    const answer = ask(route);
    await turn();
    expect(routeTo('a')).toBe(route);
    refuse();
    expect(await answer).toBe('connect_failed');
    await turn();
    expect(routes.size).toBe(0);
  });

  it('a route that was forgotten and is asked again does not take with it the one in its place', async () => {
    const { routeTo, refuse } = openRoutes();
    const forgotten = routeTo('a', 'refused');
    await turn();
    const inUse = routeTo('a', 'kept');
    void ask(inUse);
    const answer = ask(forgotten);
    await turn();
    refuse();
    expect(await answer).toBe('connect_failed');
    await turn();
    await turn();
    expect(routeTo('a', 'kept')).toBe(inUse);
  });
});

describe('who waits for the other answers of a route', () => {
  const waitFor = (route: { whenAnswered(callback: () => void): void }, count: number) => {
    const called: number[] = [];
    for (let number = 0; number < count; number++) route.whenAnswered(() => called.push(number));
    return called;
  };

  it('who waits for the other answers of a route is called when all are there', async () => {
    const { routeTo, refuse } = openRoutes();
    const route = routeTo('a');
    const answer = ask(route);
    const called = waitFor(route, 2);
    await turn();
    expect(called).toEqual([]);
    refuse();
    await answer;
    await turn();
    expect(called).toEqual([0, 1]);
  });

  it('who waits for the other answers of a route is called although one answer never comes: a hundred waiters at once, fewer after five seconds', async () => {
    const { clock, routeTo } = openRoutes();
    const route = routeTo('a', 'kept');
    void ask(route);
    expect(waitFor(route, 99)).toEqual([]);
    expect(waitFor(route, 1)).toEqual([0]);
    const few = waitFor(route, 2);
    clock.advance(4_999);
    expect(few).toEqual([]);
    clock.advance(1);
    expect(few).toEqual([0, 1]);
  });
});
