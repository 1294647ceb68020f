const { appendFileSync } = require('node:fs');

/*
 * Loaded by `--require` into every process of a measured command: writes down the CPU time that the process has had, when it ends or
 * when it is told that the first question has come. CommonJS, since a module would start Node's loader of modules.
 */
function report() {
  const { user, system } = process.cpuUsage();
  appendFileSync(process.env.START_REPORT, `${user + system}\n`);
}

process.once('exit', report);
process.once('SIGUSR2', () => {
  report();
  process.kill(process.pid, 'SIGKILL');
});
