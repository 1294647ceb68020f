import { Command } from 'commander';
import { accountCommands, creditCommands } from './accounts.js';
import { agentCommands, auditCommand, poolCommands } from './agents.js';
import { blacklistCommands } from './deliverability/blacklists.js';
import { listsCommand, workersCommand } from './health.js';
import { egressCommands } from './egress/sources.js';
import { createKeyCommand, keyCommands } from './keys.js';
import { monitorCommands } from './deliverability/monitors.js';
import { operatorCommands } from './operators.js';
import { optOutCommands } from './egress/opt-outs.js';
import { programName } from '../package.js';
import type { Run } from './run.js';
import { seedCommands } from './placement/seeds.js';
import { searchCommand } from './search.js';
import { statusCommand } from './status.js';
import { suppressionCommands } from './suppressions.js';
import { traceCommand } from '../logs/trace.js';
import { batchCommands, deliveryCommands, erasuresCommand } from './work.js';

const help = (name: string) => `
Works on the database of DATABASE_URL, or on the embedded one of DATA_DIR, whether the service runs or not, and says which.
Its schema is brought up to date first, as every start does: use the command of the version that runs.
Only "create-key" and "accounts create" make the embedded one where there is none.
Every change is written to the audit log with the user and the machine that made it.

Exit code: 0 done, 1 refused, 64 wrong usage, 70 a fault, 78 wrong configuration.

Examples:
  ${name} create-key --name alice
  ${name} accounts create --name "Example Ltd" --plan pro
  ${name} search 192.0.2.0/24
  ${name} accounts list --json`;

/** The whole command line; each command hands its work to `run`. */
export function buildProgram(run: Run): Command {
  const program = new Command(programName('admin'))
    .description(
      'Administers Mailsonde: its status, whose a token is, accounts, credits, keys, agents, the shared pool, mail operators, sending addresses, opt-outs, block lists, monitors, seed mailboxes, workers, lists, batches, erasures, webhook deliveries, the suppression list, the audit log.',
    )
    .option('--json', 'print the reply of the HTTP interface as one line of JSON')
    .addHelpText('after', help(programName('admin')));
  program.addCommand(createKeyCommand(run));
  program.addCommand(statusCommand(run));
  program.addCommand(traceCommand());
  program.addCommand(searchCommand(run));
  program.addCommand(accountCommands(run));
  program.addCommand(creditCommands(run));
  program.addCommand(keyCommands(run));
  program.addCommand(agentCommands(run));
  program.addCommand(poolCommands(run));
  program.addCommand(operatorCommands(run));
  program.addCommand(egressCommands(run));
  program.addCommand(optOutCommands(run));
  program.addCommand(blacklistCommands(run));
  program.addCommand(monitorCommands(run));
  program.addCommand(seedCommands(run));
  program.addCommand(workersCommand(run));
  program.addCommand(listsCommand(run));
  program.addCommand(batchCommands(run));
  program.addCommand(erasuresCommand(run));
  program.addCommand(deliveryCommands(run));
  program.addCommand(suppressionCommands(run));
  program.addCommand(auditCommand(run));
  return program;
}
