const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether PostgreSQL takes the text as a `uuid`: what it does not take names nothing of ours. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
