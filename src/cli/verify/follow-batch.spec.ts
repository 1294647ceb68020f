import { expect, it } from 'vitest';
import { statusText } from './follow-batch.js';
import type { BatchStatus } from '../../client/client.js';

const running = {
  id: 52_018_273_645_512,
  name: 'May',
  status: 'processing',
  processed: 200,
  total_emails: 50_000,
  counts: { valid: 190, invalid: 4, risky: 6, unknown: 0 },
  credits_charged: 200,
  completed_at: null,
  estimated_completion_at: '2026-11-27T12:40:00.000Z',
} as BatchStatus;

it('a batch that runs is told with its expected end, and one that has ended or not begun without', () => {
  const told = statusText(running);
  expect(told).toMatch(/^Batch 52018273645512 "May": processing, 200 of 50000 rows answered \(190 valid, /);
  expect(told).toMatch(/ 200 credits charged, expected to end at 2026-11-27T12:40:00\.000Z$/);
  expect(statusText({ ...running, completed_at: '2026-11-27T12:39:00.000Z' })).toMatch(/ 200 credits charged$/);
  expect(statusText({ ...running, estimated_completion_at: null })).toMatch(/ 200 credits charged$/);
  expect(statusText({ ...running, credits_charged: 1 })).toMatch(/ 1 credit charged, /);
});
