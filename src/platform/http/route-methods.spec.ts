import { describe, expect, it } from 'vitest';
import { RouteMethods } from './route-methods.js';

describe('RouteMethods', () => {
  const methods = new RouteMethods();
  methods.add('/verify/batch', 'POST');
  methods.add('/verify/batch', ['GET', 'HEAD']);
  methods.add('/verify/batch/:id', ['GET', 'HEAD']);
  methods.add('/verify/batch/:id', 'DELETE');
  methods.add('/.well-known/mcp.json', 'GET');
  methods.add('/docs/*', 'GET');

  it.each([
    ['/verify/batch', ['GET', 'HEAD', 'POST']],
    ['/verify/batch?limit=5', ['GET', 'HEAD', 'POST']],
    ['/verify/batch/5', ['DELETE', 'GET', 'HEAD']],
    ['/docs/a/b.css', ['GET']],
    ['/.well-known/mcp.json', ['GET']],
    ['/-well-known/mcp.json', []],
    ['/verify/batch/', []],
    ['/verify/batch/5/6', []],
    ['/verify', []],
    ['/', []],
  ])('RouteMethods knows what %s answers', (url, expected) => {
    expect(methods.of(url)).toEqual(expected);
  });
});
