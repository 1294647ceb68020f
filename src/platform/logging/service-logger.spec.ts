import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsoleLogger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { ServiceLogger } from './service-logger.js';

describe('ServiceLogger', () => {
  let written: string[];

  beforeEach(() => {
    written = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    }
  });

  afterEach(() => vi.restoreAllMocks());

  const logger = (logLevel: 'error' | 'info' | 'debug' = 'info') => new ServiceLogger({ logLevel }, false);
  const lines = () => written.map((text) => JSON.parse(text) as Record<string, unknown>);

  it('ServiceLogger writes one JSON object a line, with the parameters beside the message', () => {
    logger().log('a bell rang', { times: 2, request_id: 'a' }, 'Bell');
    expect(lines()).toMatchObject([
      { level: 'log', message: 'a bell rang', times: 2, request_id: 'a', context: 'Bell' },
    ]);
  });

  describe('writes the lines of requests', () => {
    const request = (id: string) => ['GET /healthz 200', { status: 200, request_id: id }, 'Access'] as const;
    const ids = () =>
      written
        .join('')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { request_id: string }).request_id);

    it('ServiceLogger writes the lines of requests together, a moment later', () => {
      vi.useFakeTimers();
      const log = logger();
      for (const id of ['a', 'b']) log.log(...request(id));
      expect(written).toHaveLength(0);
      vi.advanceTimersByTime(50);
      vi.useRealTimers();
      expect(written).toHaveLength(1);
      expect(ids()).toEqual(['a', 'b']);
    });

    it('ServiceLogger writes the lines of requests before any other line, so that what happened first stands first', () => {
      const log = logger();
      log.log(...request('a'));
      log.warn('x', { request_id: 'b' }, 'Bell');
      expect(ids()).toEqual(['a', 'b']);
    });

    it('ServiceLogger writes the lines of requests as Nest writes a line, whatever is in it', () => {
      const members: readonly object[] = [
        { method: 'GET', status: 200, ms: 1.5, key_id: null, aborted: false, text: 'a "b"\u2028\ud800' },
        { message: 'other', level: 'x', pid: 0, request_id: 'a' },
        { email: 'a@secret.example', request_id: 'a' },
        { inner: { token: 'secret.example', ok: true }, missing: undefined, big: 1n },
        { toString: 'x' },
      ];
      vi.useFakeTimers({ now: 1_000 });
      const log = logger();
      for (const one of members) log.log('GET /x 200', one, 'Access');
      log.flush();
      const asOurs = written.join('');
      written.length = 0;
      const nest = new ConsoleLogger({ json: true, colors: false, flattenParams: true, redact: ['email', 'token'] });
      for (const one of members) nest.log('GET /x 200', one, 'Access');
      vi.useRealTimers();
      expect(asOurs).toBe(written.join(''));
      expect(asOurs).not.toContain('secret.example');
    });

    it('ServiceLogger writes the lines of requests in pieces that a pipe takes whole, and the rest when the process ends', () => {
      const log = logger();
      const sent = Array.from({ length: 100 }, (_, i) => String(i));
      for (const id of sent) log.log(...request(id));
      log.flush();
      for (const piece of written) {
        expect(piece.length).toBeLessThanOrEqual(4_096);
        expect(piece.endsWith('\n')).toBe(true);
      }
      expect(ids()).toEqual(sent);
    });
  });

  it('ServiceLogger is silent below its level', () => {
    logger('error').warn('no');
    logger('info').debug('no');
    logger('error').error('yes');
    expect(lines()).toMatchObject([{ level: 'error', message: 'yes' }]);
  });

  it('ServiceLogger keeps Nest’s own start for LOG_LEVEL=debug', () => {
    logger().log('KeysModule dependencies initialized', 'InstanceLoader');
    logger('debug').log('KeysModule dependencies initialized', 'InstanceLoader');
    expect(lines()).toMatchObject([{ level: 'debug', context: 'InstanceLoader' }]);
  });

  it('ServiceLogger logs an error with its causes, but no value that a row or a statement held', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(a@secret.example)',
    });
    const error = new QueryFailedError('insert into x values ($1)', ['b@secret.example'], cause);
    logger().error(error, { request_id: 'a' }, 'Request');
    expect(lines()).toMatchObject([
      { level: 'error', request_id: 'a', error: { message: 'duplicate key', code: '23505' } },
    ]);
    expect(written.join('')).not.toContain('secret.example');
  });

  describe('on a terminal', () => {
    const onTerminal = () => new ServiceLogger({ logLevel: 'info' }, true);
    const text = () => stripVTControlCharacters(written.join(''));

    it('ServiceLogger on a terminal tells a request in one short line: when, what, how long', () => {
      const access = {
        method: 'GET',
        route: '/docs',
        status: 200,
        ms: 12,
        request_id: 'a',
        key_id: null,
        aborted: false,
      };
      onTerminal().log('GET /docs 200', access, 'Access');
      expect(text()).toMatch(/^\d\d:\d\d:\d\d GET \/docs 200 \(12 ms\)\n$/);
    });

    it('ServiceLogger on a terminal says of what is no news how bad it is', () => {
      onTerminal().warn('the bell did not ring', 'Bell');
      expect(text()).toMatch(/^\d\d:\d\d:\d\d warn the bell did not ring\n$/);
    });

    it('ServiceLogger on a terminal shows where an error comes from and whose request it was, but no value that a row or a statement held', () => {
      const cause = Object.assign(new Error('duplicate key'), {
        code: '23505',
        detail: 'Key (email)=(a@secret.example)',
      });
      const error = new QueryFailedError('insert into x values ($1)', ['b@secret.example'], cause);
      onTerminal().error(error, { request_id: 'a' }, 'Request');
      expect(text()).toMatch(/error .*duplicate key\n {4}at [^]*\(request a\)\n$/);
      expect(text()).not.toContain('secret.example');
    });
  });

  it('ServiceLogger masks addresses and keys that are passed as parameters', () => {
    logger().log('x', {
      email: 'a@secret.example',
      emails: ['b@secret.example'],
      authorization: 'Bearer secret.example',
    });
    expect(written.join('')).not.toContain('secret.example');
  });
});
