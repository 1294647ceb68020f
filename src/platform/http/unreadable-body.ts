import type { AppError } from '../errors/app-error.js';

/**
 * Stands for a body that could not be read. The error is raised where input is checked and not where it is parsed, because
 * a caller without a key is to be told that first (contract section 2, order of checks).
 */
export class UnreadableBody {
  constructor(readonly error: AppError) {}
}
