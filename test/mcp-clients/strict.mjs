// Strict function calling: the tools as LangChain loads them and as OpenAI's library closes their schemas, each called with every
// argument written, as such a model has to.
// node strict.mjs URL
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { loadMcpTools } from '@langchain/mcp-adapters';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { toStrictJsonSchema } from 'openai/lib/transform';

const [url] = process.argv.slice(2);
/* What a model knows; it writes null for everything else. */
const KNOWN = {
  email: 'someone@nowhere.invalid',
  emails: ['not an address'],
  reason: 'greylisted',
  list_id: 1,
  batch_id: 1,
};

async function connect(key) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const client = new Client({ name: 'strict', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

function expect(told, said) {
  if (JSON.stringify(told) !== JSON.stringify(said))
    throw new Error(`expected ${JSON.stringify(said)}, was told ${JSON.stringify(told)}`);
}

const stranger = await connect();
const registered = await stranger.callTool({
  name: 'get_api_key',
  arguments: { name: null, purpose: null, contact: null },
});
await stranger.close();

const agent = await connect(registered.structuredContent.api_key);
const tools = await loadMcpTools('mailsonde', agent);
expect(tools.length, 9);
for (const tool of tools) {
  const { parameters, strict } = convertToOpenAITool(tool, { strict: true }).function;
  const schema = toStrictJsonSchema(parameters);
  const names = Object.keys(schema.properties);
  expect([strict, schema.additionalProperties, schema.required.toSorted()], [true, false, names.toSorted()]);
  const written = Object.fromEntries(names.map((name) => [name, KNOWN[name] ?? null]));
  const { structuredContent } = await agent.callTool({ name: tool.name, arguments: written });
  const isAsked = structuredContent.success || structuredContent.code.endsWith('_not_found');
  expect([tool.name, isAsked], [tool.name, true]);
}
const verify = tools.find(({ name }) => name === 'verify_email');
const said = await verify.invoke({ email: KNOWN.email, max_credits: null, idempotency_key: null });
expect(JSON.stringify(said).includes('domain_not_found'), true);
await agent.close();
console.log('Strict functions: nine tools by LangChain and OpenAI, each called with every argument written');
