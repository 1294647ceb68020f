import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { batchClient, isOver, newKey, type Status } from '../batch/world.js';
import type { Seen } from './hosts.js';
import { CAP, CLIENTS, type SourceName, startInstallation } from './installation.js';
import { type WorldAddress, worldAddresses } from './operators.js';

/*
 * Three batches through the whole service: one from five sources, one of them blocked by three of twenty operators and one behind a proxy that
 * dies and comes back; one during which a source is drained and another is added as well; and one from the blocked source alone.
 */
const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    addresses: { type: 'string', default: '200000' },
    recipient: { type: 'string', default: '20' },
    workers: { type: 'string', default: '2' },
  },
});
if (values.help) {
  console.log(`npm run bench:egress-world -- [--addresses 200000] [--recipient 20] [--workers 2]

Twenty operators with three mail hosts each, 10% of the recipients greylisted, one source blocked by three operators, one behind a proxy
that dies and comes back. Every verdict is compared with the truth, and every question is counted where it arrives.
--addresses: of each of the two large batches; the blocked source alone gets a tenth
--recipient: milliseconds that a host needs for a recipient, so that the batches last longer than a proxy's rest of 10 s (5000: 220)`);
  process.exit();
}
const count = Number(values.addresses);
const recipientMs = Number(values.recipient);
const workers = Number(values.workers);

const MAX_WRONG = 0.001;
const MIN_UNKNOWN_RATIO = 10;
/** Within which an administrator's change holds on all processes, and a second for what has begun. */
const DRAINED_AFTER_MS = 3_000;
const PROXY_AWAY_MS = 1_000;
const POLL_MS = 200;

type Installation = Awaited<ReturnType<typeof startInstallation>>;
/** What happens when so much of a batch (0–1) is done. */
interface Happening {
  readonly at: number;
  readonly what: (world: Installation) => Promise<void>;
}

interface Outcome {
  readonly status: Status;
  readonly unknown: number;
  readonly wrong: readonly string[];
  readonly seconds: number;
  readonly before: Seen;
  readonly after: Seen;
}

/** A source that should ask from some moment on. */
interface ExpectedQuestions {
  readonly what: string;
  readonly source: SourceName;
  readonly since: number;
  readonly questions: number;
  afterMs: number | null;
}

const expected: ExpectedQuestions[] = [];

const world = await startInstallation();
const client = batchClient(world.port, await newKey(world.database, 10 * count));

await world.startWorkers(workers);
const proxyBack = { questions: 0 };
const proxyDies: readonly Happening[] = [
  { at: 0.05, what: (installation) => installation.killProxy() },
  {
    at: 0.05,
    what: async (installation) => {
      await wait(PROXY_AWAY_MS);
      proxyBack.questions = questionsBy(await installation.seen(), 'far');
      await installation.bringProxyBack();
      await expectQuestions('the proxy was back', 'far');
    },
  },
];
const five = await run([...worldAddresses(count, 0)], recipientMs, proxyDies);
tell('five sources, one blocked, one a proxy that dies', five);
checkAll(five);
checkProxyCameBack(five);

const drained = { asked: 0 };
const changing = await run([...worldAddresses(count, count)], recipientMs, [
  ...proxyDies,
  {
    at: 0.05,
    what: async (installation) => {
      await installation.drain('north');
      installation.writeSources(['north', 'south', 'west', 'listed', 'far', 'added']);
      await expectQuestions('it was added to the file', 'added');
      await wait(DRAINED_AFTER_MS);
      drained.asked = askedBy(await installation.seen(), 'north');
    },
  },
]);
tell('the same, north is drained and another is added', changing);
checkAll(changing);
checkProxyCameBack(changing);
const north = askedBy(changing.after, 'north') - drained.asked;
console.log(`  north asked about ${north} new addresses from ${DRAINED_AFTER_MS / 1000} s after it was drained on`);
check(north === 0, 'the drained source went on asking');
check(askedBy(changing.before, 'north') < drained.asked, 'the source was drained before it had asked');
check(askedBy(changing.after, 'added') > 0, 'the added source has asked nothing');

// Last, because what it finds out about the three operators would spare the others their refusals.
await world.endWorkers();
await world.startWorkers(workers, { EGRESS: 'listed' });
const alone = await run([...worldAddresses(Math.max(1_000, Math.round(count / 10)), 2 * count)], 0, []);
tell('the blocked source alone', alone);
const ratio = shareUnknown(alone) / shareUnknown(five);
const times = five.unknown === 0 ? 'none was unknown from five sources' : `${ratio.toFixed(1)} times as many unknown`;
console.log(`  ${times}, wanted ${MIN_UNKNOWN_RATIO} times as many as from five sources`);
check(alone.unknown > 0 && ratio >= MIN_UNKNOWN_RATIO, 'too many are unknown');
await world.stop();
console.log(process.exitCode === undefined ? 'all targets were met' : 'a target was missed');
process.exit();

/** @param pace milliseconds that a host needs for a recipient */
async function run(list: readonly WorldAddress[], pace: number, happenings: readonly Happening[]): Promise<Outcome> {
  const before = await world.seen(pace);
  const startedAt = performance.now();
  const { id } = await client.submit(list.map(({ email }) => email));
  const left = [...happenings];
  let status = await client.status(id);
  while (!isOver(status)) {
    while (left.length > 0 && status.processed >= left[0]!.at * list.length) await left.shift()!.what(world);
    await wait(POLL_MS);
    status = await client.status(id);
  }
  check(left.length === 0, 'the batch was over before all had happened to it');
  const took = (performance.now() - startedAt) / 1000;
  const after = await world.seen();
  const { wrong, unknown } = compare(await client.csv(id), list);
  return { status, wrong, unknown, seconds: took, before, after };
}

async function expectQuestions(what: string, source: SourceName): Promise<void> {
  const questions = questionsBy(await world.seen(), source);
  expected.push({ what, source, since: performance.now(), questions, afterMs: null });
}

/** Looks meanwhile whether sources ask that should. */
async function wait(ms: number): Promise<void> {
  const until = performance.now() + ms;
  do {
    await delay(Math.min(POLL_MS, ms));
    const late = expected.filter(({ afterMs }) => afterMs === null);
    if (late.length === 0) continue;
    const seen = await world.seen();
    for (const one of late)
      if (questionsBy(seen, one.source) > one.questions) one.afterMs = performance.now() - one.since;
  } while (performance.now() < until);
}

function compare(csv: string, list: readonly WorldAddress[]): Pick<Outcome, 'wrong' | 'unknown'> {
  const lines = csv.trimEnd().split(/\r?\n/);
  const columns = lines[0]!.split(',');
  const [email, verdict, reason] = ['email', 'verdict', 'reason'].map((name) => columns.indexOf(name));
  const wrong: string[] = [];
  let unknown = 0;
  for (const [i, row] of list.entries()) {
    const cells = lines[i + 1]?.split(',') ?? [];
    if (cells[verdict!] === 'unknown') unknown += 1;
    if (cells[email!] === row.email && cells[verdict!] === row.verdict) continue;
    wrong.push(`${row.email} is ${row.verdict}, not ${cells[verdict!]} (${cells[reason!]})`);
  }
  return { wrong, unknown };
}

function tell(name: string, { status, wrong, unknown, seconds: took, before, after }: Outcome): void {
  const total = status.processed;
  const share = (part: number) => `${part} (${((100 * part) / total).toFixed(3)}%)`;
  console.log(`\n${name}: ${total} addresses ${status.status} after ${took.toFixed(1)} s`);
  console.log(`  other than the truth ${share(wrong.length)}, of them unknown ${share(unknown)}`);
  const reasons = new Map<string, number>();
  for (const line of wrong) {
    const what = /not .*$/.exec(line)![0];
    reasons.set(what, (reasons.get(what) ?? 0) + 1);
  }
  for (const [what, times] of reasons) console.log(`    ${what}: ${times}`);
  for (const line of wrong.slice(0, 3)) console.log(`    ${line}`);
  const { greylisted, refused, cut } = after.again;
  console.log(
    `  asked again: ${greylisted - before.again.greylisted} greylisted, ${refused - before.again.refused} refused, ` +
      `${cut - before.again.cut} in flight when the proxy died, ${after.needless - before.needless} for no reason`,
  );
  console.log(
    `  greylisted ones came back from their own source ${after.returned - before.returned} times, from another ` +
      `${after.returnedElsewhere - before.returnedElsewhere} times, for one that was gone ${after.returnedForGone - before.returnedForGone} times`,
  );
  const used = Object.entries(CLIENTS).filter(
    ([name]) => questionsBy(after, name as SourceName) > questionsBy(before, name as SourceName),
  );
  for (const [source, address] of used)
    console.log(
      `  ${source.padEnd(7)}asked first about ${String(askedBy(after, source as SourceName) - askedBy(before, source as SourceName)).padStart(7)}, ` +
        `at most ${after.clients[address]!.most} of ${CAP} connections at an operator`,
    );
  tellExpected();
}

function tellExpected(): void {
  for (const { source, what, afterMs } of expected.splice(0))
    console.log(`  ${source} asked ${afterMs === null ? 'never' : `${(afterMs / 1000).toFixed(1)} s`} after ${what}`);
}

function checkAll({ status, wrong, before, after }: Outcome): void {
  check(status.status === 'completed', 'the batch was not completed');
  check(wrong.length <= MAX_WRONG * status.processed, 'verdicts are worse than the truth');
  check(after.turnedAway === 0, `${after.turnedAway} connections were above a cap`);
  check(
    after.cutClients.every((address) => address === CLIENTS.far),
    `connections were cut from ${after.cutClients.join(', ')}`,
  );
  check(after.needless === before.needless, 'addresses were asked about again for no reason');
  check(after.returned > before.returned, 'no greylisted address came back');
  check(after.returnedElsewhere === before.returnedElsewhere, 'greylisted addresses came back from elsewhere');
}

function checkProxyCameBack({ before, after }: Outcome): void {
  const asked = questionsBy(after, 'far') - proxyBack.questions;
  const askedBefore = proxyBack.questions - questionsBy(before, 'far');
  console.log(`  the proxy asked ${askedBefore} times before it died, ${asked} times when it was back`);
  check(askedBefore > 0 && asked > 0, 'the proxy was not used again');
}

function askedBy(seen: Seen, source: SourceName): number {
  return seen.clients[CLIENTS[source]]?.asked ?? 0;
}

function questionsBy(seen: Seen, source: SourceName): number {
  return seen.clients[CLIENTS[source]]?.questions ?? 0;
}

function shareUnknown({ unknown, status }: Outcome): number {
  return unknown / status.processed;
}

function check(holds: boolean, problem: string): void {
  if (holds) return;
  console.log(`  MISSED: ${problem}`);
  process.exitCode = 1;
}
