import { BATCH_STATES } from '../../batch/model/batch.js';
import { ERASURE_STATES } from '../../privacy/erasure-state.js';
import { DELIVERY_STATES } from '../../webhooks/delivery-state.js';
import { asks } from './commands.js';
import { group, option, PAGE } from '../terminal/route-commands.js';
import { textOf } from '../terminal/reply-text.js';

const ACCOUNT = option('--account <account>', 'only of this account', 'account_id');
const status = (states: readonly string[]) => option('--status <status>', 'only these').choices(states);

export const batchCommands = group('batches', 'Batches of all accounts: list, show, begin a failed one again.', [
  asks('list', 'List batches, newest first.', 'GET /batches', { options: [...PAGE, ACCOUNT, status(BATCH_STATES)] }),
  asks('show <batch>', 'Show a batch, whosever it is.', 'GET /batches/{id}'),
  asks(
    'retry <batch>',
    'Go on with a failed batch; what its rest may cost is reserved again.',
    'POST /batches/{id}/retry',
  ),
]);

export const erasuresCommand = asks(
  'erasures',
  'Show erasures of all accounts, newest first: which of them wait, fail or have failed.',
  'GET /erasures',
  { options: [...PAGE, ACCOUNT, status(ERASURE_STATES)] },
);

export const deliveryCommands = group('deliveries', 'Deliveries to webhooks: list, send one again.', [
  asks('list', 'List deliveries, newest first.', 'GET /deliveries', {
    options: [
      ...PAGE,
      ACCOUNT,
      option('--webhook <endpoint>', 'only to this endpoint', 'webhook_id'),
      status(DELIVERY_STATES),
    ],
  }),
  asks('retry <delivery>', 'Send a delivery again, with the same webhook-id.', 'POST /deliveries/{id}/retry'),
]);

export const workersCommand = asks(
  'workers',
  'Show who works on batches, what each has, what waits, whether port 25 is open, and which DNS resolvers lie.',
  'GET /workers',
  {
    text: ({ workers, queues, unworked_regions, port_25, resolver_doubts }) =>
      `${textOf({ workers })}\n${textOf(queues)}\nRegions without a worker\n${textOf({ unworked_regions })}\nPort 25\n${textOf({ port_25 })}\nDNS resolvers that lie\n${textOf({ resolver_doubts })}`,
  },
);

export const listsCommand = asks(
  'lists',
  'Show the lists by which domains are judged, and how old each is.',
  'GET /lists',
);
