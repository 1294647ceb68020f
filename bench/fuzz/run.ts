/** The fuzzers of the parsers, one after the other, each for `--seconds` (default 10) from `--seed`; or with `--intake N` that many requests to a service. */
if (process.argv.includes('--intake')) {
  await import('./intake.js');
} else {
  await import('./address.js');
  await import('./reply.js');
  await import('./report.js');
}
