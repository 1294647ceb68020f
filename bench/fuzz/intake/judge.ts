/** What came back on a connection until it ended or nothing more was to come. */
export interface Outcome {
  readonly text: string;
  readonly end: 'closed' | 'reset' | 'quiet' | 'late';
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** What is wrong with the outcome of one request; null when nothing is. */
export function faultOf({ text, end }: Outcome, isAnswerDue: boolean): string | null {
  if (end === 'late') return 'neither an answer nor a close in time';
  const replies = repliesOf(text);
  if (replies === null) return `no HTTP came back: ${JSON.stringify(text.slice(0, 200))}`;
  if (isAnswerDue && replies.length === 0) return `no answer before the connection was ${end}`;
  for (const { status, body } of replies) {
    if (status >= 500) return `${status}: ${body.slice(0, 200)}`;
    if (status >= 400 && !isDescribed(body)) return `${status} without the body of an error: ${body.slice(0, 200)}`;
  }
  return null;
}

/** docs/errors.md, or an error of JSON-RPC (docs/mcp.md). */
function isDescribed(text: string): boolean {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if (body['jsonrpc'] === '2.0') return typeof body['error'] === 'object';
    return body['success'] === false && ['error', 'code', 'request_id'].every((name) => typeof body[name] === 'string');
  } catch {
    return false;
  }
}

/** Whole replies, the last of which may be cut by our own going away. */
function repliesOf(text: string): Reply[] | null {
  const replies: Reply[] = [];
  let rest = text;
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest);
    if (head === null) return 'HTTP/1.1'.startsWith(rest.slice(0, 8)) && !rest.includes('\r\n\r\n') ? replies : null;
    const length = Number(/^content-length: (\d+)\r$/im.exec(head[0])?.[1] ?? 0);
    const body = rest.slice(head[0].length, head[0].length + length);
    rest = rest.slice(head[0].length + length);
    if (head[1] !== '100' && body.length === length) replies.push({ status: Number(head[1]), body });
  }
  return replies;
}
