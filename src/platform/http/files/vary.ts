/** A reply as far as its headers go. */
export interface ReplyHeaders {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** Says that a reply depends on these headers of the request too; what a guard has said before stays, as for a session. */
export function addVary(reply: ReplyHeaders, names: string): void {
  const before = reply.getHeader('Vary');
  reply.header('Vary', before === undefined ? names : `${String(before)}, ${names}`);
}
