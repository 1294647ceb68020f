/** The fuzzers of the parsers (`--only NAME` one of them), one after the other, each for `--seconds` (default 10) or `--inputs N` from `--seed`; or with `--intake N` that many requests to a service. */
if (process.argv.includes('--intake')) {
  await import('./intake.js');
} else {
  const only = process.argv[process.argv.indexOf('--only') + 1];
  for (const name of ['address', 'reply', 'report', 'proxy', 'workbook'])
    if (!process.argv.includes('--only') || only === name) await import(`./${name}.js`);
}
