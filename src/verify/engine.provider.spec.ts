import { Logger } from '@nestjs/common';
import { afterEach, expect, it, vi } from 'vitest';

import type { Verification } from '../engine/types.js';
import { VerificationEvents } from './engine.provider.js';

afterEach(() => void vi.restoreAllMocks());

it('a listener that throws takes the verdict from nobody, and is logged', () => {
  const log = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const events = new VerificationEvents();
  const heard: Verification[] = [];
  const broken = new Error('cannot learn');
  events.listen(() => {
    throw broken;
  });
  events.listen((verification) => heard.push(verification));
  const verification = { verdict: 'valid' } as Verification;
  events.emit(verification);
  expect(heard).toEqual([verification]);
  expect(log).toHaveBeenCalledExactlyOnceWith(broken);
});
