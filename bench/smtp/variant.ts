import { bareConnectionAHost } from './bare-hosts.js';
import { bareLoopWithinCaps, barePipelinedLoop, oneConnectionAnAddress, verifyManyOfEngine } from './variants.js';
import { measure, type Workload } from './workload.js';

/** One variant in a process of its own, so that none warms or fills another's heap. */
const VARIANTS = {
  oneConnectionAnAddress,
  barePipelinedLoop,
  bareLoopWithinCaps,
  bareConnectionAHost,
  verifyManyOfEngine,
};

const [name, workload] = process.argv.slice(2);
const run = VARIANTS[name as keyof typeof VARIANTS];
const parsed = JSON.parse(workload!) as Workload;
console.log(JSON.stringify(await measure(parsed.addresses, () => run(parsed))));
process.exit();
