import { AppError } from '../../platform/errors/app-error.js';

const TEST_ID = /^[1-9]\d{0,14}$/;

/** Refuses a text that is no id like an unknown id. @throws AppError `placement_test_not_found` */
export function readTestId(text: string): number {
  if (!TEST_ID.test(text)) throw new AppError('placement_test_not_found');
  return Number(text);
}
