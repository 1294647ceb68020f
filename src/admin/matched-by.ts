/** What of a thing is the text that was searched for. */
export const MATCHED_BY = ['token', 'id', 'last_four', 'address', 'text'] as const;
