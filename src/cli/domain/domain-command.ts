import { isIP } from 'node:net';
import { Command, CommanderError } from 'commander';
import { createFactDns } from '../../domains/fact-dns.js';
import { StsFetcher } from '../../domains/sts-fetcher.js';
import { readTarget } from '../../engine/blacklists/targets.js';
import { gatherFacts } from '../../engine/domain/facts.js';
import { judgeDomain } from '../../engine/domain/judge-domain.js';
import { ConfigurationError, loadEnv } from '../../platform/config/env.js';
import { domainText } from './domain-text.js';
import { EXIT_CONFIGURATION, EXIT_FAILURE, EXIT_SOFTWARE, EXIT_UNAVAILABLE, EXIT_USAGE } from '../exit-codes.js';
import { programName } from '../package.js';

const SELECTOR = /^[a-z0-9_]([a-z0-9_.-]{0,61}[a-z0-9_])?$/i;
const MAX_NAMED = 20;

const HELP = `
Asks the DNS, and the host of its MTA-STS policy, what the domain publishes about its mail, and says what is wrong and which record to publish instead.

Exit code: 0 when nothing is critical or a warning, 1 when something is. 64 wrong usage, 69 no answer, 78 wrong configuration.`;

// The reader of the pipe has gone (`| head`): nothing is left to print.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run().catch(failed);

async function run(): Promise<number> {
  const { domain, selectors, senders, json } = parseArguments(process.argv.slice(2));
  const { dnsServers } = loadEnv();
  const policies = new StsFetcher({ dnsServers });
  const outside = { stsPolicy: (name: string) => policies.fetch(name) };
  const facts = await gatherFacts({ domain, selectors, senders }, createFactDns(dnsServers), outside);
  await policies.close();
  const findings = judgeDomain(facts);
  process.stdout.write(json ? `${JSON.stringify({ facts, findings })}\n` : domainText(facts, findings));
  if (facts.mx.outcome === 'timeout' || facts.mx.outcome === 'servfail') return EXIT_UNAVAILABLE;
  return findings.some(({ severity }) => severity !== 'info') ? EXIT_FAILURE : 0;
}

function parseArguments(argv: readonly string[]) {
  const collect = (value: string, all: readonly string[]) => [...all, value];
  const command = new Command(programName('domain'))
    .description('Tells what a domain publishes about its mail, and what to publish instead.')
    .argument('<domain>')
    .option('--selector <name>', 'a selector of its DKIM keys; may be repeated', collect, [])
    .option('--sender <ip>', 'an address that sends its mail; may be repeated', collect, [])
    .option('--json', 'print facts and findings as one line of JSON')
    .option('--no-color', 'print without colours')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .parse(argv, { from: 'user' });
  const { selector, sender, json = false } = command.opts<{ selector: string[]; sender: string[]; json?: boolean }>();
  const target = readTarget(command.args[0]!);
  if (typeof target === 'string' || target.kind !== 'domain')
    return command.error(`error: "${command.args[0]}" is no domain that somebody can have`);
  const wrong =
    selector.find((one) => !SELECTOR.test(one)) ?? sender.find((one) => isIP(one) === 0 || one.includes('%'));
  if (wrong !== undefined) return command.error(`error: "${wrong}" is no selector, or no IP address`);
  if (selector.length > MAX_NAMED || sender.length > MAX_NAMED)
    return command.error(`error: at most ${MAX_NAMED} of each`);
  return { domain: target.value, selectors: selector, senders: sender, json };
}

function failed(error: unknown): number {
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  console.error(error instanceof ConfigurationError ? error.message : error);
  return error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_SOFTWARE;
}
