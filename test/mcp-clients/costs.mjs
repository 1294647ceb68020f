// What each tool costs a model to know, to call and to read, and how long a call takes, as a table of Markdown.
// node costs.mjs URL KEY [FILE], where FILE has the table between two marks
import { readFileSync, writeFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

const [url, key, file] = process.argv.slice(2);
const ROUNDS = 5;
const MARKS = ['<!-- costs -->\n', '\n<!-- /costs -->'];

async function ask(method, params) {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(error.message);
  return { result, tookMs: performance.now() - started };
}

/* A call that waits for no mail server: what that takes is its own. */
const emails = ['not an address', 'someone@nowhere.invalid'];
const batch = await ask('tools/call', { name: 'verify_batch', arguments: { emails } });
const { batch_id: id } = batch.result.structuredContent;
for (let done = false; !done;) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const status = await ask('tools/call', { name: 'get_batch_status', arguments: { batch_id: id } });
  done = status.result.structuredContent.status === 'completed';
}

const CALLS = {
  verify_email: { email: emails[1] },
  verify_batch: { emails },
  get_credit_balance: {},
  estimate_cost: { count: 1000 },
  explain_result: { reason: 'greylisted' },
  list_lists: {},
  get_list: { list_id: id },
  get_batch_status: { batch_id: id },
  get_api_key: { name: 'Costs' },
};

const sizeOf = (text) => `${Buffer.byteLength(text)} / ${encode(text).length}`;
const listed = await ask('tools/list', {});
const known = listed.result.tools.map(({ name, description, inputSchema }) =>
  JSON.stringify({ name, description, inputSchema }),
);
const rows = [];
for (const [position, { name }] of listed.result.tools.entries()) {
  const call = { name, arguments: CALLS[name] };
  const times = [];
  let text;
  for (let round = 0; round < (name === 'get_api_key' ? 1 : ROUNDS); round++) {
    const { result, tookMs } = await ask('tools/call', call);
    if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
    text = result.content[0].text;
    times.push(tookMs);
  }
  const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)];
  rows.push(
    `| \`${name}\` | ${sizeOf(known[position])} | ${sizeOf(JSON.stringify(call))} | ${sizeOf(text)} | ${median.toFixed(0)} ms |`,
  );
}
const all = known.join('');
const table = [
  '| tool | to know it | to call it | its result | time |',
  '|---|---|---|---|---|',
  ...rows,
  `| all nine | ${sizeOf(all)} | | | |`,
].join('\n');

console.log(table);
if (file !== undefined) {
  const [before, , after] = readFileSync(file, 'utf8').split(new RegExp(MARKS.map((mark) => mark.trim()).join('|')));
  writeFileSync(file, `${before}${MARKS[0]}\n${table}\n${MARKS[1]}${after}`);
}
