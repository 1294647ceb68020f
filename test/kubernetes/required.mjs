// Holds each manifest of a folder against the OpenAPI schema of its kind, which also says what must be there and how values are written.
// kubernetes-models is installed beside this file. $1 the folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const folder = process.argv[2];
let failed = 0;
for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml') && each !== 'kustomization.yaml'))
  for (const document of parseAllDocuments(readFileSync(join(folder, name), 'utf8'))) {
    const object = document.toJS();
    const { [object.kind]: Model } = await import(`kubernetes-models/${object.apiVersion}`);
    try {
      new Model(object).validate();
      console.log(`${name}: ${object.kind} ${object.metadata.name}`);
    } catch (error) {
      failed += 1;
      console.log(`WRONG: ${name}: ${object.kind} ${object.metadata.name}: ${error.message}`);
    }
  }
process.exit(failed > 0 ? 1 : 0);
