import { isIP } from 'node:net';
import { Command } from 'commander';
import { createFactDns } from '../deliverability/domains/fact-dns.js';
import { DomainOutside } from '../deliverability/domains/domain-outside.js';
import { egressSources } from '../sending/egress/egress-sources.js';
import { readTarget } from '../mail-dns/targets.js';
import { untrustedSentence } from '../mail-dns/untrusted.js';
import { type DomainState, isAnswered, stateOf } from '../engine/domain/domain-state.js';
import { examineDomain } from '../engine/domain/judges/examine-domain.js';
import { FINDING_AREAS, type FindingArea } from '../engine/domain/finding.js';
import { loadEnv } from '../platform/config/env.js';
import { openResolverJudge } from '../resolver/own-resolver.js';
import { domainText } from './domain-text.js';
import { EXIT_FAILURE, EXIT_UNAVAILABLE, exitOf } from './terminal/exit-codes.js';
import { type FormOptions, HELP_HINT, programName, withForm } from './terminal/command-line.js';
import { endWithOutput } from './terminal/print.js';

const SELECTOR = /^[a-z0-9_]([a-z0-9_.-]{0,61}[a-z0-9_])?$/i;
const MAX_NAMED = 20;
/** So long others than the DNS may take, all together. */
const MAX_WAIT_MS = 60_000;

const EXITS: Readonly<Record<DomainState, number>> = {
  ok: 0,
  warning: EXIT_FAILURE,
  critical: EXIT_FAILURE,
  unknown: EXIT_UNAVAILABLE,
};

const HELP = `
Asks the DNS what the domain publishes about its mail, its mail hosts how they encrypt, the registry how long it is registered,
and the web servers of its MTA-STS policy and its BIMI record for what they serve;
says what is wrong, and which record to publish instead. "--check spf" and the like look at some areas only:
${FINDING_AREAS.join(', ')}.

Exit code: 0 when nothing is critical or a warning, 1 when something is. 64 wrong usage, 78 wrong configuration,
69 when the DNS left a question open, so that the domain may be worse than it looks.`;

endWithOutput();
process.exitCode = await run().catch(exitOf);

async function run(): Promise<number> {
  const { domain, selectors, senders, areas, output } = parseArguments(process.argv.slice(2));
  const env = loadEnv();
  const outside = new DomainOutside(env, { source: () => egressSources(env).own[0] ?? null });
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), MAX_WAIT_MS);
  const asked = { domain, selectors, senders, areas };
  const tell = (line: string) => console.error(line);
  let isUntrusted = false;
  const judge = openResolverJudge(env, { problem: tell, solved: tell });
  const dns = createFactDns(env.dnsServers, judge).of('', () => (isUntrusted = true));
  const examined = await examineDomain(asked, dns, outside.questions(end.signal), { now: Date.now() });
  clearTimeout(timer);
  end.abort();
  await outside.close();
  const { facts } = examined;
  const findings = examined.findings.filter(({ area }) => areas === null || areas.includes(area));
  const state = stateOf(facts, findings, areas === null ? null : new Set(areas));
  const unanswered = [...new Set(facts.unanswered.map(({ name }) => name))];
  // Nothing is ever charged here.
  const unansweredWhy = isUntrusted && unanswered.length > 0 ? untrustedSentence('check', false) : null;
  const all = { state, facts: { ...facts, unanswered }, unansweredWhy, findings };
  process.stdout.write(output === 'json' ? `${JSON.stringify(all)}\n` : domainText(facts, all));
  return isAnswered(facts) ? EXITS[state] : EXIT_UNAVAILABLE;
}

function parseArguments(argv: readonly string[]) {
  const collect = (value: string, all: readonly string[]) => [...all, value];
  const command = withForm(new Command(programName('domain')))
    .description('Tells what a domain publishes about its mail, and what to publish instead.')
    .argument('<domain>')
    .option('--selector <name>', 'a selector of its DKIM keys; may be repeated', collect, [])
    .option('--sender <ip>', 'an address that sends its mail; may be repeated', collect, [])
    .option('--check <area>', 'only this area; may be repeated', collect, [])
    .option('--no-color', 'print without colours')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    .parse(argv, { from: 'user' });
  const given = command.opts<FormOptions & { selector: string[]; sender: string[]; check: string[] }>();
  const { selector, sender, check, output } = given;
  const odd = check.find((one) => !(FINDING_AREAS as readonly string[]).includes(one));
  if (odd !== undefined) return command.error(`error: "${odd}" is none of ${FINDING_AREAS.join(', ')}`);
  const areas = check.length === 0 ? null : (check as FindingArea[]);
  const target = readTarget(command.args[0]!);
  if (typeof target === 'string' || target.kind !== 'domain')
    return command.error(`error: "${command.args[0]}" is no domain that somebody can have`);
  const wrong =
    selector.find((one) => !SELECTOR.test(one)) ?? sender.find((one) => isIP(one) === 0 || one.includes('%'));
  if (wrong !== undefined) return command.error(`error: "${wrong}" is no selector, or no IP address`);
  if (selector.length > MAX_NAMED || sender.length > MAX_NAMED)
    return command.error(`error: at most ${MAX_NAMED} of each`);
  return { domain: target.value, selectors: selector, senders: sender, areas, output };
}
