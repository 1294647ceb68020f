import { Command } from 'commander';
import { programName, withForm, withServer } from '../terminal/command-line.js';
import { accountCommands, creditCommands } from './accounts.js';
import { agentCommands, auditCommand, poolCommands, suppressionCommands } from './agents.js';
import { blacklistCommands, monitorCommands, seedCommands } from './deliverability.js';
import { createKeyCommand, keyCommands, searchCommand } from './keys.js';
import type { AdminCommandOf, Run } from './commands.js';
import { egressCommands, operatorCommands, optOutCommands } from './sending.js';
import { statusCommand } from './status.js';
import { batchCommands, deliveryCommands, erasuresCommand, listsCommand, workersCommand } from './work.js';

const help = (name: string) => `
Asks the running service of MAILSONDE_SERVER, else PUBLIC_URL, with the admin key of MAILSONDE_ADMIN_KEY, which may be a line of .env.
"create-key" makes the first key. It, "status", "credits audit" and "monitors late" need no service and no key: they work on the database
of DATABASE_URL, or on the embedded one of DATA_DIR, and say which. Its schema is brought up to date first, as every start does: use the
command of the version that runs. Only "create-key" makes the embedded one where there is none, and not while a service answers at that
address.
Every change is written to the audit log with the key that made it; "create-key" with the user and the machine.

Exit code: 0 done, 1 refused, 64 wrong usage, 69 no such service, 70 a fault, 78 wrong configuration, such as no key.

Examples:
  ${name} create-key --name alice
  ${name} accounts create --name "Example Ltd" --plan pro
  ${name} search 192.0.2.0/24
  ${name} accounts list --json`;

const COMMANDS: readonly AdminCommandOf[] = [
  createKeyCommand,
  statusCommand,
  searchCommand,
  accountCommands,
  creditCommands,
  keyCommands,
  agentCommands,
  poolCommands,
  operatorCommands,
  egressCommands,
  optOutCommands,
  blacklistCommands,
  monitorCommands,
  seedCommands,
  workersCommand,
  listsCommand,
  batchCommands,
  erasuresCommand,
  deliveryCommands,
  suppressionCommands,
  auditCommand,
];

/** The whole command line; each command hands its work to `run`. */
export function buildProgram(run: Run): Command {
  const program = withForm(withServer(new Command(programName('admin')), 'MAILSONDE_ADMIN_KEY'))
    .description(
      'Administers Mailsonde: its status, whose a token is, accounts, credits, keys, agents, the shared pool, mail operators, sending addresses, opt-outs, block lists, monitors, seed mailboxes, workers, lists, batches, erasures, webhook deliveries, the suppression list, the audit log.',
    )
    .addHelpText('after', help(programName('admin')));
  for (const command of COMMANDS) program.addCommand(command(run));
  return program;
}
