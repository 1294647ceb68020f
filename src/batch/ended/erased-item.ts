import { NOTHING_VERIFIED } from '../../engine/types.js';
import type { Verification } from '../model/chunk-result.js';

/** What is left of an item, of a repetition of it and of a cell. */
export const ERASED_TEXT = '';

/** What an erased item is answered that had no verdict to keep. */
export const ERASED_ANSWER: Verification = { ...NOTHING_VERIFIED, verdict: 'invalid', reason: 'invalid_syntax' };
