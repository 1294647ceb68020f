/*
 * Writes the packages that the service runs with, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/), to dist/sbom.cdx.json.
 *
 * The lock file knows name, version, license and hash of each. `npm sbom` (npm 11.19) refuses the versions that "overrides" set for a
 * bundled package and leaves out 43 of 348; @cyclonedx/cyclonedx-npm adds 142 packages, one of which downloads a binary.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OUTPUT = 'dist/sbom.cdx.json';
const FOLDER = 'node_modules/';

process.chdir(join(import.meta.dirname, '..'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { '': service, ...installed } = packages;
const components = new Map();
for (const [path, entry] of Object.entries(installed)) {
  if (entry.dev) continue;
  const component = componentOf(entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length), entry);
  components.set(component.purl, component);
}
const sbom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': service.name, name: service.name, version: service.version },
  },
  components: [...components.values()],
};
mkdirSync('dist', { recursive: true });
writeFileSync(OUTPUT, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${OUTPUT}: ${components.size} packages`);

function componentOf(fullName, { version, license, integrity, optional, devOptional }) {
  const [name, group] = fullName.split('/').reverse();
  const purl = `pkg:npm/${fullName.replace('@', '%40')}@${version}`;
  const [algorithm, hash] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name,
    version,
    purl,
    scope: optional || devOptional ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: [{ expression: license }],
  };
}
