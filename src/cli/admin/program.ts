import { Command } from 'commander';
import { programName, withServer } from '../terminal/command-line.js';
import { accountCommands, creditCommands } from './accounts.js';
import { agentCommands, auditCommand, poolCommands, suppressionCommands } from './agents.js';
import { blacklistCommands, monitorCommands, seedCommands } from './deliverability.js';
import { createKeyCommand, keyCommands, searchCommand } from './keys.js';
import type { Run } from './run.js';
import { egressCommands, operatorCommands, optOutCommands } from './sending.js';
import { statusCommand } from './status.js';
import { batchCommands, deliveryCommands, erasuresCommand, listsCommand, workersCommand } from './work.js';

const help = (name: string) => `
Asks the running service of MAILSONDE_SERVER, else PUBLIC_URL, with the admin key of MAILSONDE_ADMIN_KEY, which may be a line of .env.
"create-key" makes the first key. It, "status", "credits audit" and "monitors late" need no service and no key: they work on the database
of DATABASE_URL, or on the embedded one of DATA_DIR, and say which. Its schema is brought up to date first, as every start does: use the
command of the version that runs. Only "create-key" makes the embedded one where there is none.
Every change is written to the audit log with the key that made it; "create-key" with the user and the machine.

Exit code: 0 done, 1 refused, 64 wrong usage, 69 no such service, 70 a fault, 78 wrong configuration, such as no key.

Examples:
  ${name} create-key --name alice
  ${name} accounts create --name "Example Ltd" --plan pro
  ${name} search 192.0.2.0/24
  ${name} accounts list --json`;

/** The whole command line; each command hands its work to `run`. */
export function buildProgram(run: Run): Command {
  const program = withServer(new Command(programName('admin')), 'MAILSONDE_ADMIN_KEY')
    .description(
      'Administers Mailsonde: its status, whose a token is, accounts, credits, keys, agents, the shared pool, mail operators, sending addresses, opt-outs, block lists, monitors, seed mailboxes, workers, lists, batches, erasures, webhook deliveries, the suppression list, the audit log.',
    )
    .option('--json', 'print the reply of the HTTP interface as one line of JSON')
    .addHelpText('after', help(programName('admin')));
  program.addCommand(createKeyCommand(run));
  program.addCommand(statusCommand(run));
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
