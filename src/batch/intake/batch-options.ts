import { MAX_RETRY_WINDOW_SECONDS } from '../model/retry-window.js';

/* Settings of a batch for the documents of bodies that no class checks. */

export const RETRY_WINDOW = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_RETRY_WINDOW_SECONDS,
  nullable: true,
  description: 'So long after an answer that time may change it is tried again; 0: never.',
} as const;
