import { randomUUID } from 'node:crypto';
import pc from 'picocolors';
import { openAddressSource } from './verify/address-source.js';
import { EXIT_INTERRUPTED, EXIT_NO_INPUT, exitOf, VERDICT_EXITS } from './terminal/exit-codes.js';
import { fieldText } from './terminal/refusal-text.js';
import { endWithOutput, print } from './terminal/print.js';
import { createProgress, verifyInOrder, type VerdictCounts } from './verify/verify-in-order.js';
import { verdictOutput } from './verify/verdict-output.js';
import { verificationLine, verificationText } from './verify/verification-text.js';
import { parseVerifyArguments, type VerifyArguments } from './verify/verify-arguments.js';
import type { Engine } from '../engine/verification/engine.js';
import { loadEnv } from '../platform/config/env.js';
import { AppError } from '../platform/errors/app-error.js';
import { loadReasonTexts } from '../platform/config/reason-texts.js';
import { FullPresenter } from '../presenting/full.presenter.js';
import type { VerifiedAddress } from '../presenting/presenter.js';
import type { FullVerificationReply } from '../presenting/verification.reply.js';
import { openEngine } from '../verify/open-engine.js';
import { counted } from '../platform/counted.js';
import { openResolverJudge } from '../resolver/own-resolver.js';

/* Connections get so long for their QUIT when the run is interrupted. */
const FAREWELL_MS = 500;

endWithOutput();
process.exitCode = await run().catch(failed);

async function run(): Promise<number> {
  const given = parseVerifyArguments(process.argv.slice(2));
  const env = loadEnv();
  if (given.server !== null || env.server !== null) {
    const { verifyByServer } = await import('./verify/verify-by-server.js');
    return verifyByServer(given);
  }
  const reasonTexts = loadReasonTexts();
  const tell = (line: string) => console.error(pc.yellow(line));
  const resolverJudge = openResolverJudge(env, { problem: tell, solved: () => {} });
  const engine = await openEngine(env, { resolverJudge, onProblem: tell });
  // The engine's timers and a standing wait keep no process alive.
  const alive = setInterval(() => {}, 1 << 30);
  let printed = 0;
  process.once('SIGINT', () => {
    engine.close();
    const rest = `The first ${counted(printed, 'address is', 'addresses are')} answered, in their order: go on with number ${printed + 1}.`;
    process.stderr.write(`\nInterrupted. ${rest}\n`);
    setTimeout(() => process.exit(EXIT_INTERRUPTED), FAREWELL_MS);
  });
  try {
    const presenter = new FullPresenter(reasonTexts);
    const replyOf = (verified: VerifiedAddress) =>
      presenter.verification(verified, randomUUID()) as FullVerificationReply;
    const { source, output, timeoutMs } = given;
    if (source.kind === 'given' && source.addresses.length === 1) {
      const verified = await verifyOne(engine, source.addresses[0]!, timeoutMs);
      const { verdict, score } = verified.verification;
      const written = output === null ? null : verdictOutput(output, null);
      await print(
        written === null
          ? verificationText(verified, reasonTexts)
          : written.head + written.row(replyOf(verified), score) + written.tail,
      );
      return VERDICT_EXITS[verdict];
    }
    await verifyMany(engine, given, replyOf, (count) => (printed += count));
    return 0;
  } finally {
    clearInterval(alive);
    engine.close();
  }
}

async function verifyOne(engine: Engine, address: string, budgetMs: number): Promise<VerifiedAddress> {
  const startedAt = performance.now();
  const verification = await engine.verify(address, { budgetMs });
  return { verification, creditsCharged: 0, latencyMs: Math.round(performance.now() - startedAt) };
}

async function verifyMany(
  engine: Engine,
  given: VerifyArguments,
  replyOf: (verified: VerifiedAddress) => FullVerificationReply,
  onPrinted: (count: number) => void,
): Promise<void> {
  const isTerminal = process.stderr.isTTY;
  const startedAt = performance.now();
  const { addresses, total, table } = await openAddressSource(given, isTerminal);
  const output = given.output === null ? null : verdictOutput(given.output, table);
  const lineOf = (verified: VerifiedAddress) =>
    output === null ? `${verificationLine(verified)}\n` : output.row(replyOf(verified), verified.verification.score);
  const progress = await createProgress(total, isTerminal);
  try {
    await print(output?.head ?? '');
    const counts = await verifyInOrder(engine, addresses, async (due, done) => {
      progress.show(done);
      const text = due.map(lineOf).join('');
      if (text === '') return;
      if (process.stdout.isTTY) progress.above(() => process.stdout.write(text));
      else await print(text);
      onPrinted(due.length);
    });
    await print(output?.tail ?? '');
    progress.end();
    if (output === null) console.error(summary(counts, performance.now() - startedAt));
  } finally {
    progress.end();
  }
}

function summary(counts: VerdictCounts, tookMs: number): string {
  const { valid, invalid, risky, unknown } = counts;
  const total = valid + invalid + risky + unknown;
  const each = `${valid} valid, ${invalid} invalid, ${risky} risky, ${unknown} unknown`;
  return pc.dim(`${total} verified in ${(tookMs / 1_000).toFixed(1)} s: ${each}`);
}

function failed(error: unknown): number {
  if (!(error instanceof AppError)) return exitOf(error);
  console.error((error.details.fields ?? []).map((one) => `The list: ${fieldText(one)}`).join('\n'));
  return EXIT_NO_INPUT;
}
