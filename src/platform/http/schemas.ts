/** Documentation that members of many bodies have. */

/** An id that is a number. */
export const ID_SCHEMA = { type: 'integer', format: 'int64', minimum: 1 } as const;

export const TEXT_OR_NULL = { type: String, nullable: true } as const;

export const TIME = { format: 'date-time' } as const;

export const INTEGER = { type: 'integer' } as const;

export const COUNT = { type: 'integer', minimum: 0 } as const;

/** Sums of what others report, which may be beyond 32 bits. */
export const LARGE_COUNT = { type: 'integer', format: 'int64', minimum: 0 } as const;

export const TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
