import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { INBOUND_LIMITS } from './inbound-limits.js';
import { NetworkPlaces } from './network-places.js';

const LIMITS = { ...INBOUND_LIMITS, clients: 8, clientsPerNetwork: 3, clientsOfNewSites: 3, clientsOfKnownSites: 1 };
const FREE = { instead: null };

let clock: ManualClock;
let places: NetworkPlaces;
let busy: Set<string>;

beforeEach(() => {
  clock = new ManualClock();
  places = new NetworkPlaces(LIMITS, clock);
  busy = new Set();
});

/** A session is called by the address that it comes from, and by a letter where there are several. */
function take(session: string): ReturnType<NetworkPlaces['take']> {
  return places.take(session, session.replace(/[a-z]$/, ''), (one) => busy.has(one));
}

function takeAll(...sessions: readonly string[]): void {
  for (const session of sessions) expect(take(session)).toEqual(FREE);
}

function makeKnown(session: string): void {
  takeAll(session);
  places.accepted(session);
  places.leave(session);
}

describe('the places of the receiver', () => {
  it('the places of the receiver are a few for a network, whichever of its addresses come', () => {
    takeAll('10.0.0.1', '10.0.0.2', '10.0.0.255');
    expect(take('10.0.0.3')).toBeNull();
    places.leave('10.0.0.2');
    takeAll('10.0.0.3');
    takeAll('2001:db8::1', '2001:db8:0:1::1');
  });

  it('the places of the receiver are counted by a /64 of IPv6', () => {
    takeAll('2001:DB8::1', '2001:DB8::2', '2001:DB8::3');
    expect(take('2001:DB8::4')).toBeNull();
    takeAll('2001:DB8:0:1::1');
  });

  it('the places of the receiver are kept at the end for sites that have none', () => {
    takeAll('10.0.0.1', '10.0.0.2', '10.0.1.1', '10.0.1.2', '10.0.2.1');
    expect(take('10.0.0.3')).toBeNull();
    takeAll('10.0.3.1');
    expect(take('10.0.3.2')).toBeNull();
  });

  it('the places of the receiver are not kept for the networks of a /48 that has some', () => {
    takeAll('2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1', '2001:db8:0:4::1');
    expect(take('2001:db8:0:5::1')).toBeNull();
    takeAll('2001:db8:1::1');
  });

  it('the places of the receiver are kept at the very end for sites whose mail was accepted', () => {
    makeKnown('10.9.0.1');
    takeAll(...sites(7));
    expect(take('10.8.0.1')).toEqual({ instead: '10.0.0.1' });
    takeAll('10.9.0.2');
  });

  it('the places of the receiver are kept for a known site until its last mail is two days old', () => {
    makeKnown('10.9.0.1');
    takeAll(...sites(7));
    clock.advance(INBOUND_LIMITS.knownMs - 1);
    takeAll('10.9.0.2');
    places.leave('10.9.0.2');
    clock.advance(1);
    expect(take('10.9.0.2')).toEqual({ instead: '10.0.0.1' });
  });

  it('the places of the receiver are known of so many sites, the latest', () => {
    places = new NetworkPlaces({ ...LIMITS, knownSites: 1 }, clock);
    makeKnown('10.9.0.1');
    makeKnown('10.9.1.1');
    takeAll(...sites(7));
    expect(take('10.9.0.1')).toEqual({ instead: '10.0.0.1' });
    takeAll('10.9.1.1');
  });

  it('the places of the receiver are given up by the site with most connections, its oldest without a MAIL first', () => {
    takeAll('10.0.0.1', '10.0.1.1', '10.0.1.2', '10.0.1.3', '10.0.0.2', '10.0.2.1', '10.0.3.1');
    places.begun('10.0.1.1');
    const given = [4, 5, 6, 7].map((site) => take(`10.0.${site}.1`)?.instead);
    expect(given).toEqual(['10.0.1.2', '10.0.0.1', '10.0.1.3', '10.0.0.2']);
  });

  it('the places of the receiver are given up by those who hand a mail over when nobody else has one to give', () => {
    takeAll('10.0.0.1', '10.0.0.2', '10.0.1.1', '10.0.2.1', '10.0.3.1', '10.0.4.1', '10.0.5.1');
    for (const session of ['10.0.0.1', '10.0.0.2', '10.0.1.1', '10.0.2.1', '10.0.3.1', '10.0.4.1']) busy.add(session);
    expect(take('10.0.6.1')).toEqual({ instead: '10.0.5.1' });
    busy.add('10.0.6.1');
    expect(take('10.0.7.1')).toEqual({ instead: '10.0.0.1' });
  });

  it('the places of the receiver are given up by nobody who has one connection and hands a mail over', () => {
    takeAll(...sites(7));
    for (const session of sites(7)) busy.add(session);
    expect(take('10.0.8.1')).toBeNull();
  });

  it('the places of the receiver are given up by no known site with one connection to strangers, but to other known sites', () => {
    for (let site = 0; site < 8; site += 1) makeKnown(`10.0.${site}.1`);
    makeKnown('10.9.0.1');
    takeAll(...sites(8));
    expect(take('10.8.0.1')).toBeNull();
    expect(take('10.9.0.1')).toEqual({ instead: '10.0.0.1' });
  });

  it('the places of the receiver are given up by a known site that has two', () => {
    makeKnown('10.0.0.1');
    takeAll('10.0.0.1', '10.0.0.2', ...sites(6).slice(1));
    expect(take('10.8.0.1')).toEqual({ instead: '10.0.0.1' });
  });

  it('the places of the receiver are given to a proxy as to a known site, as many as it likes, and it gives none up', () => {
    const proxy = (session: string) => places.take(session, null, () => false);
    takeAll('10.0.0.1');
    for (const session of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) expect(proxy(session)).toEqual(FREE);
    expect(proxy('h')).toEqual({ instead: '10.0.0.1' });
    expect(take('10.0.1.1')).toBeNull();
    expect(proxy('i')).toBeNull();
  });
});

function sites(count: number): readonly string[] {
  return Array.from({ length: count }, (_, site) => `10.0.${site}.1`);
}
