import { MAX_RETRY_WINDOW_SECONDS } from '../model/retry-window.js';

/** The longest that any installation keeps batches. */
export const MAX_RETENTION_DAYS = 3_650;

/* Settings of a batch for the documents of bodies that no class checks. */

export const RETRY_WINDOW = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_RETRY_WINDOW_SECONDS,
  nullable: true,
  description: 'So long after an answer that time may change it is tried again; 0: never.',
} as const;

export const RETENTION = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_RETENTION_DAYS,
  nullable: true,
  description: 'How many days Mailsonde keeps the batch after it ends, at most as many as the plan allows.',
} as const;
