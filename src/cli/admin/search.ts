import { Command } from 'commander';
import { LookupRequest, SearchQuery } from '../../admin/bodies/search.dto.js';
import { type FoundReply, foundReply, type SearchReply, searchReply } from '../../admin/bodies/search.reply.js';
import { checked, type Run } from './run.js';
import { textOf } from './text.js';
import { readUuid } from '../../platform/http/ids.js';

/** The most bytes that are read of a standard input. */
const MAX_INPUT_BYTES = 4_096;
const FROM_INPUT = 'without it, it is read from standard input, where no list of processes shows it';

export function searchCommand(run: Run): Command {
  return new Command('search')
    .argument('[text]', `what to look for; ${FROM_INPUT}`)
    .description(
      'Say whose something is: a token or its last four, an id, an address or network that agents registered from, part of a name or contact.',
    )
    .action((typed: string | undefined) =>
      run(
        async (admin): Promise<SearchReply> => {
          const { q } = await checked(SearchQuery, { q: typed ?? (await readInput()) });
          return searchReply(await admin.search.search(q), admin.clock.now());
        },
        { text: ({ matches, more }) => textOf({ matches: matches.map(rowOf) }) + (more ? MORE : '') },
      ),
    );
}

export function lookUpCommand(run: Run): Command {
  return new Command('lookup')
    .argument('[token]', FROM_INPUT)
    .description('Show the key of a token, and whose it is.')
    .action((typed: string | undefined) =>
      run(
        async (admin): Promise<FoundReply> => {
          const { token } = await checked(LookupRequest, { token: typed ?? (await readInput()) });
          return foundReply(await admin.search.getKeyOf(token), admin.clock.now());
        },
        { text: foundText },
      ),
    );
}

export function showKeyCommand(run: Run): Command {
  return new Command('show')
    .argument('<key>', 'id of the key')
    .description('Show a key, and whose it is.')
    .action((id: string) =>
      run(
        async (admin): Promise<FoundReply> =>
          foundReply(await admin.search.getKey(readUuid(id, 'key_not_found')), admin.clock.now()),
        { text: foundText },
      ),
    );
}

const MORE = '\nThere are more: search for more of the text.\n';

async function readInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece as string;
    if (text.length > MAX_INPUT_BYTES) break;
  }
  return text.trim();
}

/** A match as a line of a table, with the id that the next command takes. */
function rowOf({ type, matched_by, account, key, batch, agent }: FoundReply): object {
  return {
    found: type,
    by: matched_by,
    id: batch?.id ?? key?.id ?? account?.id,
    status: batch?.status ?? key?.status ?? account?.status,
    last_four: key?.last_four ?? agent?.last_four,
    account: account?.id,
    account_name: account?.name,
    plan: account?.plan,
    contact: agent?.contact,
  };
}

function foundText({ account, key, agent }: FoundReply): string {
  const titled = Object.entries({ key, account, agent }).filter(([, part]) => part !== null);
  return titled.map(([title, part]) => `${title}\n${textOf(part!)}`).join('\n');
}
