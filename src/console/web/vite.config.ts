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
      input: {
        door: 'src/console/web/door.html',
        guide: 'src/console/web/guide.html',
        text: 'src/console/web/text.html',
        console: 'src/console/web/console.html',
      },
    },
  },
});
