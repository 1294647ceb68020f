import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Pages and their assets below this size are sent as they are. */
const MIN_COMPRESSED_BYTES = 1024;

/** Each file beside itself as brotli and gzip, so that the service compresses nothing while it serves. */
const compressed: Plugin = {
  name: 'compressed',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (source.length < MIN_COMPRESSED_BYTES) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source, { params }) });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
      }
    },
  },
};

/** Also loaded by pages that are not the console. */
const OF_EVERY_PAGE = /\/parts\/(code|verification)\.tsx$/;

/**
 * What is opened together is loaded together: small files pack badly, and each names what it takes from the others. The room of a screen
 * is what the navigation calls its group.
 */
const CHUNKS = [
  { name: 'preact', test: /\/node_modules\/(preact|@preact)\// },
  { name: 'client', test: /\/src\/client\/|\/node_modules\/openapi-fetch\// },
  {
    name: 'shell',
    test: /\/web\/(session\/|(app|layout|screens)\.tsx?$)|\/node_modules\/preact-iso\/|preload-helper/,
  },
  { name: 'deliverability', test: /\/web\/deliverability\// },
  {
    name: 'parts',
    test: (id: string) => /\/web\/parts\/|seed-providers/.test(id) && !OF_EVERY_PAGE.test(id),
  },
  { name: 'administration', test: /\/web\/administration\// },
  // Some of it is shown on the first screen: what is behind the other screens is not loaded for it.
  { name: 'home', test: /\/web\/(account\/(home|lasting)|verify\/batch\.)/ },
  { name: 'verify', test: /\/web\/verify\/(?!agent)/ },
  { name: 'account', test: /\/web\/account\/(?!session)/ },
];

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [compressed],
  build: {
    outDir: '../../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // An inlined file would be an address that the pages' policy refuses, and Vite's polyfill is for browsers older than the target.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false } },
      input: {
        door: 'src/console/web/door.html',
        guide: 'src/console/web/guide.html',
        text: 'src/console/web/text.html',
        console: 'src/console/web/console.html',
      },
    },
  },
});
