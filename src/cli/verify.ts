import { randomUUID } from 'node:crypto';
import pc from 'picocolors';
import { openAddressSource, UnreadableInput } from './verify/address-source.js';
import {
  EXIT_CONFIGURATION,
  EXIT_INTERRUPTED,
  EXIT_NO_INPUT,
  EXIT_SOFTWARE,
  EXIT_USAGE,
  VERDICT_EXITS,
} from './exit-codes.js';
import { print } from './print.js';
import { createProgress } from './verify/progress.js';
import { verificationLine, verificationText } from './verify/verification-text.js';
import { ArgumentsError, parseVerifyArguments, type VerifyArguments } from './verify/verify-arguments.js';
import { verifyInOrder, type VerdictCounts } from './verify/verify-in-order.js';
import type { Engine } from '../engine/index.js';
import { ConfigurationError, loadEnv } from '../platform/config/env.js';
import { loadReasonTexts } from '../platform/config/reason-texts.js';
import { FullPresenter } from '../presenting/full.presenter.js';
import type { VerifiedAddress } from '../presenting/presenter.js';
import { openEngine } from '../verify/open-engine.js';

/* Connections get so long for their QUIT when the run is interrupted. */
const FAREWELL_MS = 500;

// The reader of the pipe has gone (`| head`): nothing is left to print.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run().catch(failed);

async function run(): Promise<number> {
  const given = parseVerifyArguments(process.argv.slice(2));
  const env = loadEnv();
  const reasonTexts = loadReasonTexts();
  const presenter = new FullPresenter(reasonTexts);
  const toJson = (verified: VerifiedAddress) => JSON.stringify(presenter.verification(verified, randomUUID()));
  const engine = await openEngine(env, { onProblem: (line) => console.error(pc.yellow(line)) });
  // The engine's timers and a standing wait keep no process alive.
  const alive = setInterval(() => {}, 1 << 30);
  process.once('SIGINT', () => {
    engine.close();
    setTimeout(() => process.exit(EXIT_INTERRUPTED), FAREWELL_MS);
  });
  try {
    const { source } = given;
    if (source.kind === 'given' && source.addresses.length === 1) {
      const verified = await verifyOne(engine, source.addresses[0]!, given.timeoutMs);
      await print(given.json ? `${toJson(verified)}\n` : verificationText(verified, reasonTexts));
      return VERDICT_EXITS[verified.verification.verdict];
    }
    await verifyMany(engine, given, given.json ? toJson : verificationLine);
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
  { source, json }: VerifyArguments,
  toLine: (verified: VerifiedAddress) => string,
): Promise<void> {
  const isTerminal = process.stderr.isTTY;
  const startedAt = performance.now();
  const { addresses, total } = await openAddressSource(source, isTerminal);
  const progress = await createProgress(total, isTerminal);
  try {
    const counts = await verifyInOrder(engine, addresses, async (due, done) => {
      progress.show(done);
      const text = due.map((verified) => `${toLine(verified)}\n`).join('');
      if (text === '') return;
      if (process.stdout.isTTY) progress.above(() => process.stdout.write(text));
      else await print(text);
    });
    progress.end();
    if (!json) console.error(summary(counts, performance.now() - startedAt));
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
  // Commander has printed it.
  if (error instanceof ArgumentsError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ConfigurationError || error instanceof UnreadableInput) {
    console.error(error.message);
    return error instanceof UnreadableInput ? EXIT_NO_INPUT : EXIT_CONFIGURATION;
  }
  console.error(error);
  return EXIT_SOFTWARE;
}
