import { describe, expect, it } from 'vitest';
import { AppError } from '../platform/errors/app-error.js';
import type { ErrorCode } from '../platform/errors/error-catalog.js';
import { errorReply } from '../platform/errors/error-reply.js';
import { finalRefusal, refusalOf, withoutSecrets } from './stored-reply.js';

const REPLY = { status: 201, headers: { location: '/keys/1' } };

describe('a kept reply', () => {
  it('a kept reply shows no secret to another key, and everything else as it was', () => {
    const body = JSON.stringify({
      webhook: { id: 'w', secret: 'whsec_0' },
      secret: null,
      api_key: 'ms_live_0',
      n: 1.5,
    });
    const shown = withoutSecrets({ ...REPLY, body });
    expect(shown).toEqual({
      ...REPLY,
      body: '{"webhook":{"id":"w","secret":null},"secret":null,"api_key":null,"n":1.5}',
    });
  });

  it.each(['', '{"b":[1,{"a":"ü"}],"1":null}'])(
    'a kept reply without a secret is the same byte for byte: %s',
    (text) => {
      const body = text && JSON.stringify(JSON.parse(text));
      expect(withoutSecrets({ ...REPLY, body })).toEqual({ ...REPLY, body });
    },
  );
});

describe('a refusal', () => {
  it.each<[ErrorCode, number]>([
    ['live_key_required', 403],
    ['key_not_found', 404],
    ['last_live_key', 409],
  ])('%s is final', (code, status) => {
    expect(finalRefusal(new AppError(code), 'r')).toMatchObject({ status });
  });

  it.each<ErrorCode>([
    'malformed_json',
    'key_unknown',
    'credits_insufficient',
    'body_too_large',
    'unsupported_media_type',
    'invalid_input',
    'too_many_emails',
    'rate_limited',
    'daily_capacity_exhausted',
    'internal_error',
    'unavailable',
  ])('%s is not: another try may end differently', (code) => {
    expect(finalRefusal(new AppError(code), 'r')).toBeNull();
  });

  it('a refusal that names a time to wait, or is no error of ours, is not final', () => {
    expect(finalRefusal(new AppError('last_live_key', { retryAfterSeconds: 1 }), 'r')).toBeNull();
    expect(finalRefusal(new Error('broken'), 'r')).toBeNull();
  });

  it('a refusal is told again in the same words, the first request id included', () => {
    const fields = [{ field: 'a', error: 'b' }];
    const error = new AppError('last_live_key', { message: 'So "it" is.', fields, body: { remaining: 3 } });
    const kept = finalRefusal(error, 'first')!;
    const again = errorReply(refusalOf(kept, { 'Idempotent-Replayed': 'true' }), 'second', true);
    expect(JSON.stringify(again.body)).toBe(kept.body);
    expect(again.body).toMatchObject({ request_id: 'first', remaining: 3 });
    expect(again.headers).toEqual({ 'Idempotent-Replayed': 'true' });
  });
});
