// Lets an agent ask as often as it likes, in the copy of config/key-policies.json that is named.
const { readFileSync, writeFileSync } = require('node:fs');

const [, , path] = process.argv;
const policies = JSON.parse(readFileSync(path, 'utf8'));
Object.assign(policies.agent.rate, { requests: 10_000 });
Object.assign(policies.agent, { dailyFreeCredits: 1_000_000 });
writeFileSync(path, JSON.stringify(policies));
