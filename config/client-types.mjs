/*
 * Writes the types of the three OpenAPI documents, which the client, the console and tests are compiled with, to src/client/documents/. They
 * are erased where nothing is checked: what runs does without them.
 *
 * `npm ci` calls it, and so do the commands that check types. It says nothing and is over at once where the types are those of the
 * documents, and where it cannot make them: an installation without development packages, an image that copies its sources later.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENTS = 'test/contract/golden';
const NAMES = { account: 'openapi', admin: 'admin-openapi', agent: 'agent-openapi' };
const TYPES = 'src/client/documents';
const GENERATOR = 'node_modules/openapi-typescript/package.json';

process.chdir(join(import.meta.dirname, '..'));
if (existsSync(GENERATOR) && existsSync(DOCUMENTS)) {
  for (const [kind, name] of Object.entries(NAMES))
    await writeTypes(`${TYPES}/${kind}.ts`, `${DOCUMENTS}/${name}.json`);
}

async function writeTypes(file, document) {
  const head = `// Made of ${document} by config/client-types.mjs: ${hashOf(document, GENERATOR)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8'))));
  mkdirSync(TYPES, { recursive: true });
  // At once and whole: a type check may be reading.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${head}${types}`);
  renameSync(unfinished, file);
}

function hashOf(...files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}
