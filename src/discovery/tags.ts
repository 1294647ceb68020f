/** Descriptions of the tags. */
export const TAGS: Readonly<Record<string, string>> = {
  Agents: 'How an agent gets a key by itself.',
  Verify: 'One address, answered at once.',
  Batch: 'Many addresses, worked in the background.',
  Lists: 'Finished batches under a name.',
  Finder: "A person's address from their name and where they work.",
  Suppressions: 'People who asked not to be found.',
  Credits: 'What is left, and what it went on.',
  Keys: 'The keys of the account.',
  Webhooks: 'Where the service tells of events, and what it has sent there.',
  Search: 'From a token, an id, a name or an address to whose it is.',
  Accounts: 'Full accounts: their plans, credits and keys.',
  'Admin keys': 'Keys of administrators, and every other key by its id.',
  'Agent keys': 'Keys of agents and the credits that they share.',
  'Global suppressions': 'People whom no account may find.',
  Work: 'Batches and webhook deliveries of all accounts.',
  Audit: 'Every change, with who made it, when and from where.',
};
