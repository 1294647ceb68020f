import { describe, expect, it } from 'vitest';
import { databaseOf, readCluster, readSentinels } from './redis-address.js';

describe('the address of Redis', () => {
  it('the address of Redis names sentinels, the primary, its password and database', () => {
    expect(
      readSentinels('redis+sentinel://:p%40ss@10.0.0.1:26380,sentinel-2,[2001:db8::1]:26381/mailsonde/3'),
    ).toMatchObject({
      sentinels: [
        { host: '10.0.0.1', port: 26_380 },
        { host: 'sentinel-2', port: 26_379 },
        { host: '2001:db8::1', port: 26_381 },
      ],
      name: 'mailsonde',
      password: 'p@ss',
      db: 3,
    });
    expect(readSentinels('redis+sentinel://a/b')).toMatchObject({ name: 'b', db: 0 });
    expect(readSentinels('redis+sentinel://a/b')).not.toHaveProperty('tls');
    expect(readSentinels('rediss+sentinel://me:x@a/b')).toMatchObject({ username: 'me', password: 'x', tls: {} });
    expect(readSentinels('redis+sentinel://:100%@a/b')).toMatchObject({ password: '100%' });
  });

  it.each([
    'redis://a:6379/0',
    'redis+sentinel://a',
    'redis+sentinel:///b',
    'redis+sentinel://a:99999/b',
    'redis+sentinel://a,/b',
    'redis+sentinel://a/b/c',
    'redis+sentinel://a b/c',
    '',
  ])('the address of Redis is none of sentinels where it is %s', (url) => {
    expect(readSentinels(url)).toBeNull();
  });

  it('the address of Redis names nodes of a cluster, and their password', () => {
    expect(readCluster('redis+cluster://me:p%40ss@10.0.0.1:7000,node-2,[2001:db8::1]:7001')).toEqual({
      nodes: [
        { host: '10.0.0.1', port: 7_000 },
        { host: 'node-2', port: 6_379 },
        { host: '2001:db8::1', port: 7_001 },
      ],
      options: { username: 'me', password: 'p@ss' },
    });
    expect(readCluster('rediss+cluster://a/')).toEqual({ nodes: [{ host: 'a', port: 6_379 }], options: { tls: {} } });
  });

  it.each([
    'redis://a:6379/0',
    'redis+cluster://',
    'redis+cluster://a,',
    'redis+cluster://a:99999',
    'redis+cluster://a/1',
    'redis+cluster://a b',
    'redis+sentinel://a/b',
    '',
  ])('the address of Redis is none of a cluster where it is %s', (url) => {
    expect(readCluster(url)).toBeNull();
  });

  it('the address of Redis names a database each way', () => {
    const urls = ['redis://a/4', 'redis://a', 'redis+sentinel://a/b/5', 'redis+cluster://a,b'];
    expect(urls.map(databaseOf)).toEqual(['4', '0', '5', '0']);
  });
});
