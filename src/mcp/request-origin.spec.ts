import { describe, expect, it } from 'vitest';
import { refuseOrigin } from './request-origin.js';

const PUBLIC_URL = 'https://mail.example.com/sonde';

describe('refuseOrigin', () => {
  it.each([
    ['the public name', 'mail.example.com', undefined],
    ['the public name in any case, with a port', 'MAIL.example.com:8443', undefined],
    ['localhost', 'localhost:3000', undefined],
    ['an IPv4 address', '10.1.2.3:3000', undefined],
    ['an IPv6 address', '[::1]:3000', undefined],
    ['its own page', 'mail.example.com', 'https://mail.example.com'],
    ['a page of the same host and port', 'localhost:3000', 'http://localhost:3000'],
  ])('refuseOrigin lets %s in', (_, host, origin) => {
    expect(refuseOrigin(host, origin, PUBLIC_URL)).toBeNull();
  });

  it.each([
    ['a name that was rebound', 'evil.example.net:3000', undefined, 'host'],
    ['a name that begins like the public one', 'mail.example.com.evil.example', undefined, 'host'],
    ['a name that begins like localhost', 'localhost.evil.example', undefined, 'host'],
    ['no host', undefined, undefined, 'host'],
    ['a host that is none', 'a b', undefined, 'host'],
    ['a host with a user in it', 'localhost@evil.example', undefined, 'host'],
    ['a page of another site', 'mail.example.com', 'https://evil.example', 'origin'],
    ['a page of another port', 'localhost:3000', 'http://localhost:8080', 'origin'],
    ['a page without an origin', 'localhost:3000', 'null', 'origin'],
    ['a page of another site that says it is local', 'localhost:3000', 'http://localhost:3000.evil.example', 'origin'],
  ] as const)('refuseOrigin refuses %s', (_, host, origin, why) => {
    expect(refuseOrigin(host, origin, PUBLIC_URL)).toBe(why);
  });
});
