// One journey by the official TypeScript clients: `1`, which begins with `initialize`, and `2`, which speaks 2026-07-28, over HTTP or
// over the standard input of a command.
// node journey.mjs URL 1|2 [COMMAND]

const [url, generation, command] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport } =
  generation === '1'
    ? {
        ...(await import('@modelcontextprotocol/sdk/client/index.js')),
        ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
      }
    : await import('@modelcontextprotocol/client');

async function transportTo(key) {
  if (command !== undefined) {
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const args = [command, 'mcp', '--server', new URL(url).origin];
    const env = { PATH: process.env.PATH, ...(key !== undefined && { MAILSONDE_KEY: key }) };
    return new StdioClientTransport({ command: process.execPath, args, env });
  }
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

async function connect(key) {
  const transport = await transportTo(key);
  const client = new Client({ name: 'journey', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no event target
  client.onerror = (error) => console.error(error);
  await client.connect(transport);
  return { client, version: client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion };
}

function expect(told, said) {
  if (told !== said) throw new Error(`expected ${said}, was told ${told}`);
}

const stranger = await connect();
expect((await stranger.client.listTools()).tools.length, 9);
const call = async ({ client }, name, given = {}) =>
  (await client.callTool({ name, arguments: given })).structuredContent;
expect((await call(stranger, 'verify_email', { email: 'a@example.com' })).code, 'key_missing');
const { api_key } = await call(stranger, 'get_api_key', { name: 'Journey' });
await stranger.client.close();

const agent = await connect(api_key);
await agent.client.listTools();
expect((await call(agent, 'verify_email', { email: 'someone@nowhere.invalid' })).reason, 'domain_not_found');
const emails = ['not an address', 'someone@nowhere.invalid'];
const batch = await call(agent, 'verify_batch', { emails });
let status = batch;
while (status.action === 'poll') {
  await new Promise((resolve) => setTimeout(resolve, status.retry_after * 1000));
  status = await call(agent, 'get_batch_status', { batch_id: batch.batch_id });
}
expect(status.action, 'get_list');
const list = await call(agent, 'get_list', { list_id: status.list_id });
expect(list.results.map(({ reason }) => reason).join(), 'invalid_syntax,domain_not_found');
await agent.client.close();
console.log(
  `TypeScript ${generation}${command ? ' over standard input' : ''}: a key, a verdict, a batch and its list by ${agent.version}`,
);
