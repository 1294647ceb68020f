// Fails when more than half of the answers that are counted in the named file refuse the caller: 401, 429.
const { readFileSync } = require('node:fs');

const answers = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const all = Object.values(answers).reduce((sum, count) => sum + count, 0);
const refused = (answers[401] ?? 0) + (answers[429] ?? 0);
process.exitCode = refused > all / 2 ? 1 : 0;
