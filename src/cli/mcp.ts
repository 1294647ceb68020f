import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { programName, type ServerOptions, withServer } from './terminal/command-line.js';
import { print } from './terminal/print.js';
import { runServerCommand } from './terminal/run-server-command.js';
import { serverAccess } from './terminal/server-access.js';
import { serverSentEvents } from '../client/streams.js';

const HELP = `
For clients that start programs and speak no HTTP. It hands each message on to /mcp of the service, and the reply back.
Without a key the tools that need none work; once get_api_key has given one, it is used until the program ends.

Example, in the configuration of a client:
  { "command": "mailsonde", "args": ["mcp", "--server", "https://verify.example.com"], "env": { "MAILSONDE_KEY": "ms_agent_…" } }`;

/** A message of JSON-RPC, as far as the bridge looks into it. */
interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: {
    readonly protocolVersion?: unknown;
    readonly isError?: boolean;
    readonly structuredContent?: { readonly api_key?: unknown };
  };
}

const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;
/* What the service takes of a body. */
const MAX_MESSAGE_CHARACTERS = 1_048_576;
const MAX_IN_FLIGHT = 16;
const DEADLINE_MS = 120_000;
const VERSION_OF_REQUEST = 'io.modelcontextprotocol/protocolVersion';

/**
 * Hands the messages of a client on to the MCP endpoint of a service, and the replies back, until the client ends.
 * What it knows: the version that was agreed on, which each request names in a header, and the key, which get_api_key may bring.
 * A service that is away is told to the client as an error of the request, and asked anew by the next one.
 */
async function bridgeMcp(
  lines: AsyncIterable<string>,
  reply: (line: string) => Promise<void>,
  { url, key }: { readonly url: string; readonly key: string | null },
): Promise<void> {
  const state = { key, version: null as string | null };
  const running = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const message = parse(line);
    if (message === null) {
      await reply(errorLine(null, PARSE_ERROR, 'This is no JSON-RPC message.'));
      continue;
    }
    const work = hand(line, message, url, state, reply).finally(() => running.delete(work));
    running.add(work);
    // Nothing else may be said before the version is agreed on.
    if (message.method === 'initialize') await work;
    if (running.size >= MAX_IN_FLIGHT) await Promise.race(running);
  }
  await Promise.all(running);
}

async function hand(
  line: string,
  message: Message,
  url: string,
  state: { key: string | null; version: string | null },
  reply: (line: string) => Promise<void>,
): Promise<void> {
  try {
    const headers = headersOf(message, state);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: line,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    for await (const text of repliesOf(response)) {
      const answer = parse(text);
      if (answer?.jsonrpc === undefined) throw new Error(refusalOf(response.status, text));
      learn(message, answer, state);
      // One line, whatever the service has put between its members.
      await reply(JSON.stringify(answer));
    }
  } catch (error) {
    // A notification has no reply.
    if (message.id === undefined) return;
    await reply(errorLine(message.id, INTERNAL_ERROR, sentenceOf(error)));
  }
}

async function* repliesOf(response: Response): AsyncGenerator<string, void, void> {
  if (response.body !== null && response.headers.get('content-type')?.startsWith('text/event-stream')) {
    for await (const { data } of serverSentEvents(response.body)) if (data !== '') yield data;
    return;
  }
  const text = await response.text();
  if (text !== '') yield text;
  else if (!response.ok) throw new Error(refusalOf(response.status, text));
}

function headersOf({ method, params }: Message, { key, version }: { key: string | null; version: string | null }) {
  const { _meta: meta } = params ?? {};
  const own = meta?.[VERSION_OF_REQUEST];
  const spoken = typeof own === 'string' ? own : version;
  const name = params?.name ?? params?.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(spoken !== null && isHeader(spoken) && { 'mcp-protocol-version': spoken }),
    ...(typeof method === 'string' && isHeader(method) && { 'mcp-method': method }),
    ...(typeof name === 'string' && isHeader(name) && { 'mcp-name': name }),
  };
}

function learn(
  { method, params }: Message,
  { result }: Message,
  state: { key: string | null; version: string | null },
) {
  if (method === 'initialize' && typeof result?.protocolVersion === 'string') state.version = result.protocolVersion;
  const issued = result?.structuredContent?.api_key;
  if (
    method === 'tools/call' &&
    params?.name === 'get_api_key' &&
    result?.isError !== true &&
    typeof issued === 'string'
  )
    state.key = issued;
}

function parse(text: string): Message | null {
  if (text.length > MAX_MESSAGE_CHARACTERS) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function errorLine(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** The service refuses a key, or a proxy before it has no service, in a body that is no JSON-RPC. */
function refusalOf(status: number, text: string): string {
  const { error, code } = (parse(text) ?? {}) as { error?: unknown; code?: unknown };
  return typeof error === 'string' ? `${error} (${String(code)})` : `The service answered with status ${status}.`;
}

function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `The service cannot be reached: ${cause.message}` : message;
}

/** Headers hold no more; the body says it in any case. */
function isHeader(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text);
}

await runServerCommand(({ signal }) =>
  withServer(new Command(programName('mcp')))
    .description('Serves the tools of a service by MCP over standard input and output.')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .action(async (options: ServerOptions, command: Command) => {
      const { url, key } = serverAccess(command, options);
      const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal });
      await bridgeMcp(lines, (line) => print(`${line}\n`), { url: `${url}/mcp`, key });
    }),
);
