import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { toAppError } from './error-reply.js';
import { isOutage } from './outage.js';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('isOutage', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a server that shuts down', withCode('57P01')],
    ['a server that starts', withCode('57P03')],
    ['a lost connection (class 08)', withCode('08006')],
    ['a server whose disk is full', withCode('53100')],
    ['a server that has run out of connections', withCode('53300')],
    ['a server that only reads', withCode('25006')],
    ['a connection that was lost within a transaction', new QueryRunnerAlreadyReleasedError()],
    ['a query that met one of them', new QueryFailedError('select 1', [], withCode('57P01'))],
    ['a pool that was closed', new Error('Cannot use a pool after calling end on the pool')],
    ['a connection that ended in mid-query', new Error('Connection terminated unexpectedly')],
    ['Redis that does not answer', new Error('Command timed out')],
    ['Redis that loads its data', new Error('LOADING Redis is loading the dataset in memory')],
    ['any of them as the cause', new Error('no answer', { cause: withCode('ETIMEDOUT') })],
  ])('isOutage sees %s', (_, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each([
    ['a unique violation', new QueryFailedError('insert', [], withCode('23505'))],
    ['a mistake in SQL', new QueryFailedError('selekt', [], withCode('42601'))],
    ['a statement that took too long', withCode('57014')],
    ['a mistake of ours', new TypeError('undefined is not a function')],
    ['a missing file', withCode('ENOENT')],
    ['what is no error', { code: 'ECONNREFUSED' }],
  ])('isOutage does not take %s for one', (_, error) => {
    expect(isOutage(error)).toBe(false);
  });

  it('isOutage ends on an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isOutage(error)).toBe(false);
  });
});

describe('a statement that others held up', () => {
  it.each([
    ['behind a lock until its time was over', '57014'],
    ['behind a lock that it did not wait for', '55P03'],
    ['in a deadlock', '40P01'],
    ['in a conflict of transactions', '40001'],
  ])('%s is answered with 503 and may be sent again at once', (_, code) => {
    const error = new QueryFailedError('update', [], withCode(code));
    expect(isOutage(error)).toBe(false);
    expect(toAppError(error)).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
  });

  it('a statement that others held up is no other fault of a statement', () => {
    expect(toAppError(new QueryFailedError('selekt', [], withCode('42601'))).code).toBe('internal_error');
  });
});
