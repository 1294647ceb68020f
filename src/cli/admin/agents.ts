import { Command } from 'commander';
import { revokeCommand } from './keys.js';
import { paged, type Run, whole, type AdminSchemas, ofId, type PageOptions } from './run.js';

export function agentCommands(run: Run): Command {
  const agents = new Command('agents').description(
    'Agent keys: search, revoke one, revoke what an address registered.',
  );
  paged(agents.command('search'))
    .description('Look for agents, newest first; without an option all of them.')
    .option('--address <address>', 'registered from this IP address or network')
    .option('--text <text>', 'part of name, purpose or contact')
    .option('--last-four <characters>', 'the last four characters of the token')
    .action(({ lastFour, ...query }: PageOptions & { lastFour?: string; address?: string; text?: string }) =>
      run.ask((api) => api.GET('/admin/v1/agents', { params: { query: { ...query, last_four: lastFour } } })),
    );
  agents.addCommand(revokeCommand(run, "Revoke an agent's key for ever."));
  agents
    .command('revoke-address <address>')
    .description('Revoke every working key that was registered from an IP address or a network such as 2001:db8::/64.')
    .action((address: string) =>
      run.ask(async (api) => {
        const { data } = await api.POST('/admin/v1/agents/revoke', { body: { address } });
        return { data: { address, ...data } };
      }),
    );
  return agents;
}

export function poolCommands(run: Run): Command {
  const pool = new Command('pool').description('The credits that all agents share on a UTC day.');
  pool
    .command('show')
    .description("Show today's pool.")
    .action(() => run.ask((api) => api.GET('/admin/v1/pool')));
  pool
    .command('set')
    .argument('<capacity>', 'credits, or "default"', (text) => (text === 'default' ? null : whole(text)))
    .description('Change the capacity for the rest of the UTC day; "default" takes the change back.')
    .action((capacity: number | null) => run.ask((api) => api.PATCH('/admin/v1/pool', { body: { capacity } })));
  return pool;
}

export function auditCommand(run: Run): Command {
  return paged(new Command('audit'))
    .description('Show what administrators have changed, newest first.')
    .option('--account <account>', 'only what concerns this account')
    .action(({ account, ...query }: PageOptions & { account?: string }) =>
      run.ask(async (api) => {
        const { data } = await api.GET('/admin/v1/audit', { params: { query: { ...query, account_id: account } } });
        // Only with a format is it a file.
        return { data: data as AdminSchemas['AdminAuditPageReply'] };
      }),
    );
}

export function suppressionCommands(run: Run): Command {
  const suppressions = new Command('suppressions').description('People whom nobody may find.');
  suppressions
    .command('add')
    .argument('<email...>', 'addresses; only their hashes are kept')
    .option('--reason <reason>', 'why, for the record')
    .description('Keep people from being found, for every account.')
    .action((emails: string[], options: { reason?: string }) =>
      run.ask((api) => api.POST('/admin/v1/suppressions', { body: { emails, ...options } })),
    );
  paged(suppressions.command('list'))
    .description('Show the list, newest first.')
    .action((query: PageOptions) => run.ask((api) => api.GET('/admin/v1/suppressions', { params: { query } })));
  suppressions
    .command('remove <id>')
    .description('Take an address, or a hash of the list, off it.')
    .action((id: string) =>
      run.ask(async (api) => {
        await api.DELETE('/admin/v1/suppressions/{id}', ofId(id));
        return { data: { removed: true } };
      }),
    );
  return suppressions;
}
