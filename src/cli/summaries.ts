/** What there is, and what each is for. */
export const SUMMARIES = {
  verify: 'tell whether addresses can receive mail, and why',
  batch: 'send a list to a service, wait for it, get its results',
  lists: 'show, download and delete verified lists',
  find: 'find the address of a person, by a service',
  keys: 'create, rotate and revoke API keys',
  webhooks: 'create, test and watch webhook endpoints',
  listen: 'forward webhook events to a program on this machine',
  open: 'open the console in the browser',
  doctor: 'examine what this machine shows to mail hosts',
  domain: 'examine the mail records of a domain',
  serve: 'run the service',
  admin: 'administer a service',
  migrate: 'bring the schema of the database up to date',
  mcp: 'serve the tools of a service over standard input and output',
  completion: 'print the completion of bash, zsh or fish',
} as const;
