import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadEnv } from '../../platform/config/env.js';
import { egressSources } from './egress-sources.js';

const directory = mkdtempSync(join(tmpdir(), 'egress-'));
afterAll(() => rmSync(directory, { recursive: true }));

const NORTH = { name: 'north', address: '192.0.2.1', helo: 'north.example.com', mail_from: 'probe@example.com' };
const SOUTH = { ...NORTH, name: 'south', address: '2001:db8::1', region: 'eu', weight: 2, since: '2026-11-01' };
const PROXY = { host: 'proxy.example.com', port: 1080 };

function sourcesOf(file: unknown, env: NodeJS.ProcessEnv = {}) {
  const path = join(directory, 'egress.json');
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file));
  return egressSources(loadEnv({ EGRESS_FILE: path, ...env }));
}

function refusalOf(file: unknown, env: NodeJS.ProcessEnv = {}): string {
  try {
    sourcesOf(file, env);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

const changed = (change: object): unknown => ({ sources: [NORTH, { ...SOUTH, ...change }] });

describe('the sources of a service', () => {
  it('the sources of a service are one without a file, with the name and the sender of the environment', () => {
    const { all, own } = egressSources(loadEnv({ HELO_NAME: 'probe.example.com', MAIL_FROM: 'a@example.com' }));
    expect(all).toEqual(own);
    expect(own).toMatchObject([
      { name: 'default', address: null, helo: 'probe.example.com', mailFrom: 'a@example.com' },
    ]);
  });

  it('the sources of a service are those of the file, each with what it does not say as it is by default', () => {
    const { own } = sourcesOf({ sources: [NORTH, SOUTH] });
    expect(own).toEqual([
      {
        name: 'north',
        address: '192.0.2.1',
        socks5: null,
        helo: 'north.example.com',
        mailFrom: 'probe@example.com',
        region: null,
        weight: 1,
        since: null,
        operators: null,
      },
      expect.objectContaining({ region: 'eu', weight: 2, since: Date.UTC(2026, 10, 1) }),
    ]);
  });

  it('the sources of a service are warmed up as the file says', () => {
    expect(sourcesOf({ sources: [NORTH] }).warmUp).toEqual({ firstDay: 50, growth: 1.5, most: 10_000 });
    expect(sourcesOf({ sources: [NORTH], warm_up: { first_day: 20, most: 500 } }).warmUp).toEqual({
      firstDay: 20,
      growth: 1.5,
      most: 500,
    });
    expect(refusalOf({ sources: [NORTH], warm_up: { growth: 1 } })).toContain('.warm_up.growth is "1": allowed is');
  });

  it('the sources of a service are warmed up at another pace by operators of a class', () => {
    const warmUp = (classes: unknown) => ({ sources: [NORTH], warm_up: { first_day: 40, classes } });
    const strict = { operators: ['google', 'outlook'], first_day: 10, growth: 1.2 };
    expect(sourcesOf(warmUp([strict, { operators: ['mimecast'] }])).warmUp).toEqual({
      firstDay: 40,
      growth: 1.5,
      most: 10_000,
      operators: {
        google: { firstDay: 10, growth: 1.2, most: 10_000 },
        outlook: { firstDay: 10, growth: 1.2, most: 10_000 },
        mimecast: { firstDay: 50, growth: 1.5, most: 10_000 },
      },
    });
    for (const [classes, message] of [
      ['google', '.warm_up.classes is "google": allowed is a list'],
      [[7], 'allowed is an object'],
      [[{ operators: [] }], '.classes[0].operators is'],
      [[{ operators: ['gogle'] }], '.classes[0].operators is "gogle": allowed is a row'],
      [[{ operators: ['__proto__'] }], '.classes[0].operators is "__proto__": allowed is a row'],
      [[{ operators: ['default'] }], '.classes[0].operators is "default": allowed is a row'],
      [[strict, strict], '.classes[1].operators is "google": allowed is an operator that no other class has'],
      [[{ ...strict, growth: 1 }], '.classes[0].growth is "1": allowed is'],
      [[{ ...strict, pace: 1 }], '.classes[0].pace is "1": allowed is nothing'],
    ] as const)
      expect(refusalOf(warmUp(classes))).toContain(message);
  });

  it('the sources of a service take the password of a proxy from a file beside theirs', () => {
    writeFileSync(join(directory, 'secret'), 'pass word\n');
    const socks5 = { ...PROXY, user: 'me', password_file: 'secret' };
    const { own } = sourcesOf(changed({ address: undefined, socks5 }));
    expect(own[1]!.socks5).toMatchObject({ host: 'proxy.example.com', port: 1080, user: 'me', password: 'pass word' });
  });

  it('the sources of a service are narrowed by name, and by region, where one is said', () => {
    const file = { sources: [NORTH, SOUTH, { ...SOUTH, name: 'west', region: 'us' }] };
    const names = (env: NodeJS.ProcessEnv) => sourcesOf(file, env).own.map(({ name }) => name);
    expect(names({})).toEqual(['north', 'south', 'west']);
    expect(names({ EGRESS: 'west,north' })).toEqual(['north', 'west']);
    expect(names({ REGION: 'eu' })).toEqual(['north', 'south']);
    expect(sourcesOf(file, { EGRESS: 'west' }).all).toHaveLength(3);
  });

  it('the sources of a service make the region of the process, where REGION does not say it and all are of one', () => {
    const west = { ...SOUTH, name: 'west', region: 'us' };
    const regionOf = (sources: readonly object[], env: NodeJS.ProcessEnv = {}) => sourcesOf({ sources }, env).region;
    expect(egressSources(loadEnv({})).region).toBeNull();
    expect(egressSources(loadEnv({ REGION: 'eu' })).region).toBe('eu');
    expect(regionOf([SOUTH])).toBe('eu');
    expect(regionOf([SOUTH, { ...SOUTH, name: 'east' }])).toBe('eu');
    expect(regionOf([SOUTH, west])).toBeNull();
    expect(regionOf([NORTH, SOUTH])).toBeNull();
    expect(regionOf([NORTH, SOUTH, west], { REGION: 'us' })).toBe('us');
    expect(regionOf([NORTH, SOUTH, west], { EGRESS: 'west' })).toBe('us');
  });

  it.each([
    ['no JSON', '{', 'is "Expected'],
    ['a list', [], 'allowed is an object'],
    ['no sources', { sources: [] }, '.sources is "[]": allowed is a list of 1 to 1000 sources'],
    ['a misspelt member', changed({ adress: '192.0.2.1' }), '.sources[1].adress is "192.0.2.1": allowed is nothing'],
    ['a name twice', changed({ name: 'north' }), '.sources[1].name is "north": allowed is a name that no other'],
    ['a name with spaces', changed({ name: 'a b' }), '.sources[1].name is "a b": allowed is a name in kebab case'],
    ['no address', changed({ address: 'here' }), '.sources[1].address is "here": allowed is an IP address'],
    ['no HELO', changed({ helo: undefined }), '.sources[1].helo is "missing": allowed is a host name'],
    ['a sender with a line end', changed({ mail_from: 'a@b\r\n' }), '.sources[1].mail_from is'],
    ['address and proxy', changed({ socks5: PROXY }), '.sources[1].socks5 is "2001:db8::1": allowed is either'],
    [
      'port 0',
      changed({ address: undefined, socks5: { ...PROXY, port: 0 } }),
      '.sources[1].socks5.port is "0": allowed is a port',
    ],
    ['weight 0', changed({ weight: 0 }), '.sources[1].weight is "0": allowed is a number above 0'],
    ['no day', changed({ since: '2026-13-01' }), '.sources[1].since is "2026-13-01": allowed is a day'],
    ['an unknown operator', changed({ operators: ['gogle'] }), '.sources[1].operators is "gogle": allowed is a row'],
    [
      'a user without a password',
      changed({ address: undefined, socks5: { ...PROXY, user: 'me' } }),
      '.socks5.user is "me": allowed is a user together with a password',
    ],
    [
      'a secret that is not there',
      changed({ address: undefined, socks5: { ...PROXY, user: 'me', password_file: 'nowhere' } }),
      '.socks5.password_file is "nowhere": allowed is a file that can be read',
    ],
  ])('the sources of a service refuse the start with file and field: %s', (_, file, message) => {
    expect(refusalOf(file)).toContain(message);
  });

  it('the sources of a service refuse a name in EGRESS, and a region, that no source has', () => {
    expect(refusalOf({ sources: [NORTH] }, { EGRESS: 'east' })).toBe(
      'EGRESS is "east": allowed is names of sources, here north.',
    );
    expect(refusalOf({ sources: [SOUTH] }, { REGION: 'us' })).toBe(
      'REGION is "us": allowed is the region of a source, here eu.',
    );
  });

  it('the sources of a service refuse a name in EGRESS whose source is of another region than REGION', () => {
    const file = { sources: [NORTH, SOUTH] };
    expect(refusalOf(file, { EGRESS: 'south', REGION: 'us' })).toBe(
      'EGRESS is "south": allowed is sources of REGION=us or without a region.',
    );
    expect(refusalOf(file, { EGRESS: 'north,south', REGION: 'eu' })).toBe('accepted');
  });

  it('the sources of a service never show a password', () => {
    const socks5 = { ...PROXY, user: 'me', password: 'x'.repeat(300) };
    expect(refusalOf(changed({ address: undefined, socks5 }))).toContain('.socks5.password is "***"');
    expect(refusalOf('{"sources":[{"password": xxx}]}')).not.toContain('xxx}');
  });
});
