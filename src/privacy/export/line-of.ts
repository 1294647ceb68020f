/** A line of an export: what it is, then its members as its own route gives them; a `type` among them gives way. */
export function lineOf(type: string, body: object): object {
  return Object.assign({ type }, body, { type });
}
