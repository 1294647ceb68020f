import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/*
 * What a command costs before its first question to the DNS, or to its end where it asks none: CPU of all processes that it is made
 * of, and the time. The variants take turns; the figures are medians.
 */
const { values } = parseArgs({ options: { help: { type: 'boolean' }, rounds: { type: 'string', default: '15' } } });
if (values.help) {
  console.log('npm run bench:start -- [--rounds 15]');
  process.exit();
}

const ROOT = resolve(import.meta.dirname, '../../..');
const ADDRESS = 'jane@example.com';
/* What a verification cannot do without, as far as it comes with Node. */
const NEEDED = ['node:crypto', 'node:dns/promises', 'node:fs/promises', 'node:net', 'node:os', 'node:tls'];

interface Variant {
  readonly command: readonly string[];
  /** Whether it comes to a question; else it is measured to its end. */
  readonly asks: boolean;
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  'node -e 0': { command: ['node', '-e', '0'], asks: false },
  "Node's own modules": { command: ['node', '--input-type=module', '-e', imports(NEEDED)], asks: false },
  verify: { command: ['node', 'dist/cli/verify.js', ADDRESS], asks: true },
  doctor: { command: ['node', 'dist/cli/doctor.js'], asks: true },
  'admin --help': { command: ['node', 'dist/src/cli/admin.js', '--help'], asks: false },
  'npm run, nothing': { command: ['npm', 'run', '--silent', '--if-present', 'nothing'], asks: false },
  'npm run verify': { command: ['npm', 'run', '--silent', 'verify', '--', ADDRESS], asks: true },
};

interface Cost {
  readonly cpuMs: number;
  readonly ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'mailsonde-bench-'));
const reports = join(folder, 'reports');
// It never answers: a command that waits for it does nothing else.
const nameServer = createSocket('udp4');
nameServer.bind(0, '127.0.0.1');
await once(nameServer, 'listening');
const environment = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  DNS_SERVERS: `127.0.0.1:${nameServer.address().port}`,
  HELO_NAME: 'probe.example.net',
  MAIL_FROM: 'probe@example.net',
  NODE_OPTIONS: `--require ${resolve(ROOT, 'bench/start/report.cjs')}`,
  START_REPORT: reports,
};

const costs = new Map<string, Cost[]>(Object.keys(VARIANTS).map((name) => [name, []]));
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const cost = await costOf(variant);
    // The first round only warms up.
    if (round > 0) costs.get(name)!.push(cost);
  }
}
nameServer.close();
rmSync(folder, { recursive: true });
print();

function imports(names: readonly string[]): string {
  return names.map((name) => `import '${name}';`).join('');
}

async function costOf({ command: [file, ...args], asks }: Variant): Promise<Cost> {
  writeFileSync(reports, '');
  const startedAt = performance.now();
  const child = spawn(file!, args, {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  child.stdout.resume();
  let asked = false;
  let endedAt = 0;
  nameServer.once('message', () => {
    asked = true;
    endedAt = performance.now();
    // All of its group: npm, its shell, and what these have started.
    process.kill(-child.pid!, 'SIGUSR2');
  });
  // Its pipe is closed once the last process of the group is gone.
  await once(child, 'close');
  nameServer.removeAllListeners('message');
  if (asked !== asks) throw new Error(`${[file, ...args].join(' ')} ${asked ? 'asked' : 'ended without a question'}`);
  if (!asked) endedAt = performance.now();
  const micros = readFileSync(reports, 'utf8').trimEnd().split('\n').map(Number);
  return { cpuMs: micros.reduce((sum, one) => sum + one, 0) / 1_000, ms: endedAt - startedAt };
}

function print(): void {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; medians of ${values.rounds} rounds`);
  const bare = median('node -e 0', 'cpuMs');
  const needed = median("Node's own modules", 'cpuMs');
  for (const name of costs.keys()) {
    const cpuMs = median(name, 'cpuMs');
    console.log(
      `${name.padEnd(20)} ${cpuMs.toFixed(0).padStart(6)} ms of CPU, ${(cpuMs / bare).toFixed(1).padStart(5)} times bare Node, ` +
        `${(cpuMs / needed).toFixed(1).padStart(5)} with its own modules; after ${median(name, 'ms').toFixed(0).padStart(5)} ms`,
    );
  }
}

function median(name: string, member: keyof Cost): number {
  const all = costs.get(name)!.map((cost) => cost[member]);
  return all.toSorted((a, b) => a - b)[all.length >> 1]!;
}
