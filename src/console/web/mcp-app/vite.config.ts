import { hash } from 'node:crypto';
import { defineConfig, type Plugin } from 'vite';

/**
 * One document that loads nothing: clients show it in a frame without an origin. Its policy names its one script and its one
 * style by their hashes, so that nothing else runs, whatever the client allows.
 */
const oneFile: Plugin = {
  name: 'one-file',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName === 'card.html');
      if (page?.type !== 'asset') throw new Error('the card has no page');
      const script = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
      const style = files
        .map((file) => (file.fileName.endsWith('.css') && file.type === 'asset' ? String(file.source) : ''))
        .join('');
      if (/<\/script/i.test(script)) throw new Error('the script of the card would end before its end');
      const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;
      const policy = `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; base-uri 'none'; form-action 'none'`;
      const html = String(page.source)
        .replace(/\s*<(script|link)[^>]*>(<\/script>)?/g, '')
        .replace('<title>', () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <title>`)
        .replace('</head>', () => `<style>${style}</style>\n  </head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n  </body>`);
      for (const { fileName } of files) delete bundle[fileName];
      this.emitFile({ type: 'asset', fileName: 'mcp-app.html', source: html });
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [oneFile],
  build: {
    outDir: '../../../../dist/console',
    emptyOutDir: false,
    target: 'es2022',
    // Clients that show cards are newer than `light-dark()`; what Vite writes instead would not follow their colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/console/web/mcp-app/card.html',
      // Of the console's parts only what a card shows.
      treeshake: {
        moduleSideEffects: (id) => /\.(css|html)|card\.tsx/.test(id),
        manualPureFunctions: ['Object.entries'],
      },
    },
  },
});
