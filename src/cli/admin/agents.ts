import { asks } from './commands.js';
import { group, option, PAGE, whole } from '../terminal/route-commands.js';
import { revoke } from './keys.js';

export const agentCommands = group('agents', 'Agent keys: search, revoke one, revoke what an address registered.', [
  asks('search', 'Look for agents, newest first; without an option all of them.', 'GET /agents', {
    options: [
      ...PAGE,
      option('--address <address>', 'registered from this IP address or network'),
      option('--text <text>', 'part of name, purpose or contact'),
      option('--last-four <characters>', 'the last four characters of the token'),
    ],
  }),
  revoke("Revoke an agent's key for ever."),
  asks(
    'revoke-address <address>',
    'Revoke every working key that was registered from an IP address or a network such as 2001:db8::/64.',
    'POST /agents/revoke',
    { argument: { member: 'address' } },
  ),
]);

export const poolCommands = group('pool', 'The credits that all agents share on a UTC day.', [
  asks('show', "Show today's pool.", 'GET /pool'),
  asks(
    'set <capacity>',
    'Change the capacity for the rest of the UTC day; "default" takes the change back.',
    'PATCH /pool',
    {
      argument: {
        description: 'credits, or "default"',
        member: 'capacity',
        read: (text) => (text === 'default' ? null : whole(text)),
      },
    },
  ),
]);

export const auditCommand = asks('audit', 'Show what administrators have changed, newest first.', 'GET /audit', {
  options: [...PAGE, option('--account <account>', 'only what concerns this account', 'account_id')],
});

export const suppressionCommands = group('suppressions', 'People whom nobody may find.', [
  asks('add <email...>', 'Keep people from being found, for every account.', 'POST /suppressions', {
    argument: { description: 'addresses; only their hashes are kept', member: 'emails' },
    options: [option('--reason <reason>', 'why, for the record')],
  }),
  asks('list', 'Show the list, newest first.', 'GET /suppressions', { options: PAGE }),
  asks('remove <id>', 'Take an address, or a hash of the list, off it.', 'DELETE /suppressions/{id}', {
    done: () => ({ removed: true }),
  }),
]);
