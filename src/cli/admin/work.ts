import { Command, Option } from 'commander';
import { BATCH_STATES } from '../../batch/model/batch.js';
import { ERASURE_STATES } from '../../privacy/erasure-state.js';
import { DELIVERY_STATES } from '../../webhooks/delivery-state.js';
import { paged, type Run, ofId, type PageOptions } from './run.js';
import { textOf } from './text.js';

interface WorkOptions<State> extends PageOptions {
  readonly account?: string;
  readonly webhook?: string;
  readonly status?: State;
}

/** Of a listing over all accounts. */
function queryOf<State>({ account, webhook, ...query }: WorkOptions<State>) {
  return { ...query, account_id: account, webhook_id: webhook };
}

export function batchCommands(run: Run): Command {
  const batches = new Command('batches').description('Batches of all accounts: list, show, begin a failed one again.');
  paged(batches.command('list'))
    .description('List batches, newest first.')
    .option('--account <account>', 'only of this account')
    .addOption(new Option('--status <status>', 'only these').choices(BATCH_STATES))
    .action((options: WorkOptions<(typeof BATCH_STATES)[number]>) =>
      run.ask((api) => api.GET('/admin/v1/batches', { params: { query: queryOf(options) } })),
    );
  batches
    .command('show <batch>')
    .description('Show a batch, whosever it is.')
    .action((id: string) => run.ask((api) => api.GET('/admin/v1/batches/{id}', ofId(id))));
  batches
    .command('retry <batch>')
    .description('Go on with a failed batch; what its rest may cost is reserved again.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/batches/{id}/retry', ofId(id))));
  return batches;
}

export function erasuresCommand(run: Run): Command {
  return paged(new Command('erasures'))
    .description('Show erasures of all accounts, newest first: which of them wait, fail or have failed.')
    .option('--account <account>', 'only of this account')
    .addOption(new Option('--status <status>', 'only these').choices(ERASURE_STATES))
    .action((options: WorkOptions<(typeof ERASURE_STATES)[number]>) =>
      run.ask((api) => api.GET('/admin/v1/erasures', { params: { query: queryOf(options) } })),
    );
}

export function deliveryCommands(run: Run): Command {
  const deliveries = new Command('deliveries').description('Deliveries to webhooks: list, send one again.');
  paged(deliveries.command('list'))
    .description('List deliveries, newest first.')
    .option('--account <account>', 'only of this account')
    .option('--webhook <endpoint>', 'only to this endpoint')
    .addOption(new Option('--status <status>', 'only these').choices(DELIVERY_STATES))
    .action((options: WorkOptions<(typeof DELIVERY_STATES)[number]>) =>
      run.ask((api) => api.GET('/admin/v1/deliveries', { params: { query: queryOf(options) } })),
    );
  deliveries
    .command('retry <delivery>')
    .description('Send a delivery again, with the same webhook-id.')
    .action((id: string) => run.ask((api) => api.POST('/admin/v1/deliveries/{id}/retry', ofId(id))));
  return deliveries;
}

export function workersCommand(run: Run): Command {
  return new Command('workers')
    .description('Show who works on batches, what each has, what waits, and whether port 25 is open.')
    .action(() =>
      run.ask((api) => api.GET('/admin/v1/workers'), {
        text: ({ workers, queues, unworked_regions, port_25 }) =>
          `${textOf({ workers })}\n${textOf(queues)}\nRegions without a worker\n${textOf({ unworked_regions })}\nPort 25\n${textOf({ port_25 })}`,
      }),
    );
}

export function listsCommand(run: Run): Command {
  return new Command('lists')
    .description('Show the lists by which domains are judged, and how old each is.')
    .action(() => run.ask((api) => api.GET('/admin/v1/lists')));
}
