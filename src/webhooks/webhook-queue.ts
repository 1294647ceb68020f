/** The queue that wakes workers of webhooks. PostgreSQL decides which deliveries are due when a worker asks. */
export const WEBHOOK_QUEUE = 'webhooks';
