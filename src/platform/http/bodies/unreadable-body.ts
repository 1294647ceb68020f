import type { AppError } from '../../errors/app-error.js';

/**
 * Stands for a body that could not be read. The check of input raises the error, not the parser, because a missing key is
 * reported first (docs/errors.md#what-is-checked-first).
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}
