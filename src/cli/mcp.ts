import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { bridgeMcp } from './bridge/mcp-bridge.js';
import { programName } from './package.js';
import { print } from './print.js';
import { runServerCommand } from './server/run-server-command.js';
import { serverAccess } from './server/server-access.js';
import { type ServerOptions, withServer } from './server/server-options.js';

const HELP = `
For clients that start programs and speak no HTTP. It hands each message on to /mcp of the service, and the reply back.
Without a key the tools that need none work; once get_api_key has given one, it is used until the program ends.

Example, in the configuration of a client:
  { "command": "mailsonde", "args": ["mcp", "--server", "https://verify.example.com"], "env": { "MAILSONDE_KEY": "ms_agent_…" } }`;

await runServerCommand(({ signal }) =>
  withServer(new Command(programName('mcp')))
    .description('Serves the tools of a service by MCP over standard input and output.')
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .action(async (options: ServerOptions, command: Command) => {
      const { url, key } = serverAccess(command, options);
      const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal });
      await bridgeMcp(lines, (line) => print(`${line}\n`), { url: `${url}/mcp`, key });
    }),
);
