import { isIP } from 'node:net';
import { Command } from 'commander';
import { doctorText } from './doctor/check-result.js';
import { examine } from './doctor/examination.js';
import { EXIT_FAILURE, exitOf } from './terminal/exit-codes.js';
import { type FormOptions, HELP_HINT, programName, withForm } from './terminal/command-line.js';
import { endWithOutput } from './terminal/print.js';
import { parseTarget, type Target } from './doctor/port25-check.js';
import { DEFAULT_SOURCE, egressSources } from '../sending/egress/egress-sources.js';
import type { Engine } from '../engine/verification/engine.js';
import { type Env, loadEnv } from '../platform/config/env.js';
import { createOutside } from '../sending/sources/watch/outside.js';
import { identityOf } from '../verify/ports/smtp-identity.js';
import { openEngine } from '../verify/open-engine.js';
import { maxOpenFiles, nodePorts } from '../verify/ports/node-ports.js';
import { checkDns, openResolverJudge } from '../resolver/own-resolver.js';

const ASK_BUDGET_MS = 60_000;

const HELP = `
Looks at what mail hosts look at: the greeting name, SPF, block lists, where bounces go, of HELO_NAME and MAIL_FROM or,
where EGRESS_FILE names sources, of each of those; the certificates of the domain's mail hosts, its registration and its
BIMI logo; whether a process may open the connections it is told to; whether the DNS tells the truth; and whether the
replica of DATABASE_READ_URL can be read from. It asks the DNS and that replica with its primary alone, and connects to
mail hosts only where an option says to whom.

Exit code: 0 when nothing is wrong, 1 when something is. 64 wrong usage, 78 wrong configuration.`;

interface Options extends FormOptions {
  readonly port25Target: Target | null;
  readonly address: string | null;
  readonly askOwnHost: boolean;
}

endWithOutput();
process.exitCode = await run().catch(exitOf);

async function run(): Promise<number> {
  const env = loadEnv();
  const sources = egressSources(env).own.filter(({ name }) => name !== DEFAULT_SOURCE);
  const { port25Target, address, askOwnHost, output } = parseOptions(process.argv.slice(2), env.smtpPort);
  const tell = (line: string) => console.error(line);
  const resolverJudge = openResolverJudge(env, { problem: tell, solved: tell });
  const engine = askOwnHost ? await openEngine(env, { resolverJudge, onProblem: tell }) : null;
  // The engine's timers keep no process alive.
  const alive = setInterval(() => {}, 1 << 30);
  try {
    const findings = await examine(env, {
      port25Target,
      outgoing: address,
      verify: engine && asker(engine),
      // What reads other people's files is loaded when it is needed.
      lookAtDomain: async (domain, areas) => {
        const { createDomainFactsReader } = await import('./doctor/domain-facts-reader.js');
        return createDomainFactsReader(env, resolverJudge, askOwnHost)(domain, areas);
      },
      outside: createOutside(env, resolverJudge),
      sources,
      checkDns: () => checkDns(env),
      dialer: nodePorts(env).dialer,
      maxOpenFiles: maxOpenFiles(),
    });
    const identities =
      sources.length > 0 ? sources.map(({ helo: heloName, mailFrom }) => ({ heloName, mailFrom })) : [identityOf(env)];
    const ok = findings.every(({ state }) => state !== 'fail');
    process.stdout.write(output === 'json' ? jsonOf(env, ok, findings) : doctorText(identities, findings));
    return ok ? 0 : EXIT_FAILURE;
  } finally {
    clearInterval(alive);
    engine?.close();
  }
}

function asker(engine: Engine) {
  return (mailbox: string) => engine.verify(mailbox, { budgetMs: ASK_BUDGET_MS });
}

function jsonOf(env: Env, ok: boolean, checks: readonly object[]): string {
  const { heloName, mailFrom } = identityOf(env);
  return `${JSON.stringify({ ok, helo_name: heloName, mail_from: mailFrom, checks })}\n`;
}

function parseOptions(argv: readonly string[], smtpPort: number): Options {
  const command = withForm(new Command(programName('doctor')))
    .description('Examines the identity that this machine shows to mail hosts.')
    .option('--port25-target <host[:port]>', 'connect to this mail host to see whether port 25 leaves this machine')
    .option('--address <ip>', 'the public address that connections leave from; default: those of HELO_NAME')
    .option(
      '--ask-own-host',
      'ask the mail hosts of MAIL_FROM whether MAIL_FROM and postmaster exist and how they encrypt, its registry and the web server of its logo',
    )
    .option('--no-color', 'print without colours')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    .parse(argv, { from: 'user' });
  const given = command.opts<FormOptions & { port25Target?: string; address?: string; askOwnHost?: boolean }>();
  const target = given.port25Target === undefined ? null : parseTarget(given.port25Target, smtpPort);
  if (given.port25Target !== undefined && target === null)
    command.error(`error: --port25-target "${given.port25Target}" is no host[:port]`);
  if (given.address !== undefined && isIP(given.address) === 0)
    command.error(`error: --address "${given.address}" is no IP address`);
  return {
    port25Target: target,
    address: given.address ?? null,
    askOwnHost: given.askOwnHost ?? false,
    output: given.output,
  };
}
