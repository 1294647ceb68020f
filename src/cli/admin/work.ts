import { Command, Option } from 'commander';
import { BATCH_STATES } from '../../batch/model/batch.js';
import { ErasuresQuery, workErasureReply } from '../../admin/bodies/erasure-page.reply.js';
import { BatchesQuery, DeliveriesQuery, filterOf } from '../../admin/bodies/work.dto.js';
import { workBatchReply, workDeliveryReply } from '../../admin/bodies/work.reply.js';
import { ERASURE_STATES } from '../../privacy/erasure-state.js';
import { DELIVERY_STATES } from '../../webhooks/delivery-state.js';
import { checked, paged, type Run } from './run.js';
import { pageReply } from '../../platform/http/page.js';
import { readId, readUuid } from '../../platform/http/ids.js';

interface WorkOptions {
  readonly account?: string;
  readonly webhook?: string;
}

export function batchCommands(run: Run): Command {
  const batches = new Command('batches').description('Batches of all accounts: list, show, begin a failed one again.');
  paged(batches.command('list'))
    .description('List batches, newest first.')
    .option('--account <account>', 'only of this account')
    .addOption(new Option('--status <status>', 'only these').choices(BATCH_STATES))
    .action((options: WorkOptions) =>
      run(async (admin) => {
        const query = await checked(BatchesQuery, { ...options, account_id: options.account });
        const page = await admin.work.listBatches(query.account_id ?? null, query.status ?? null, query);
        return pageReply('batches', page, workBatchReply);
      }),
    );
  batches
    .command('show <batch>')
    .description('Show a batch, whosever it is.')
    .action((id: string) =>
      run(async (admin) => workBatchReply(await admin.work.getBatch(readId(id, 'batch_not_found')))),
    );
  batches
    .command('retry <batch>')
    .description('Go on with a failed batch; what its rest may cost is reserved again.')
    .action((id: string) =>
      run(async (admin, actor) => workBatchReply(await admin.work.retryBatch(actor, readId(id, 'batch_not_found')))),
    );
  return batches;
}

export function erasuresCommand(run: Run): Command {
  return paged(new Command('erasures'))
    .description('Show erasures of all accounts, newest first: which of them wait, fail or have failed.')
    .option('--account <account>', 'only of this account')
    .addOption(new Option('--status <status>', 'only these').choices(ERASURE_STATES))
    .action((options: WorkOptions) =>
      run(async (admin) => {
        const query = await checked(ErasuresQuery, { ...options, account_id: options.account });
        const page = await admin.erasures.listAll(query.account_id ?? null, query.status ?? null, query);
        return pageReply('erasures', page, workErasureReply);
      }),
    );
}

export function deliveryCommands(run: Run): Command {
  const deliveries = new Command('deliveries').description('Deliveries to webhooks: list, send one again.');
  paged(deliveries.command('list'))
    .description('List deliveries, newest first.')
    .option('--account <account>', 'only of this account')
    .option('--webhook <endpoint>', 'only to this endpoint')
    .addOption(new Option('--status <status>', 'only these').choices(DELIVERY_STATES))
    .action((options: WorkOptions) =>
      run(async (admin) => {
        const typed = { ...options, account_id: options.account, webhook_id: options.webhook };
        const query = await checked(DeliveriesQuery, typed);
        const page = await admin.work.listDeliveries(filterOf(query), query);
        return pageReply('deliveries', page, workDeliveryReply);
      }),
    );
  deliveries
    .command('retry <delivery>')
    .description('Send a delivery again, with the same webhook-id.')
    .action((id: string) =>
      run(async (admin, actor) =>
        workDeliveryReply(await admin.work.retryDelivery(actor, readUuid(id, 'delivery_not_found'))),
      ),
    );
  return deliveries;
}
