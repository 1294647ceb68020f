import { expect, it } from 'vitest';
import type { Principal } from '../access/principal.js';
import { trackerOf } from './rate-limit.service.js';

const reader = (keyId: string, accountId: string | null, kind = 'live') =>
  trackerOf({ kind, keyId, accountId, isConsole: true } as Principal);

it('a reading console counts by account, so that a hundred keys do not buy a hundred rates', () => {
  expect(reader('key-1', 'account-1')).toBe(reader('key-2', 'account-1'));
  expect(reader('key-1', 'account-1')).not.toBe(reader('key-3', 'account-2'));
  expect(reader('admin-1', null)).not.toBe(reader('admin-2', null));
});

it('a reading console counts by mode, so that who looks at tests does not slow who looks at live lists', () => {
  expect(reader('key-1', 'account-1', 'test')).not.toBe(reader('key-2', 'account-1', 'live'));
});
