import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../../accounts/index.js';
import { type DeliveryFilter, type DeliveryRecord, DeliveryRecordStore } from '../../../delivery/outbox/index.js';
import { integerOption, nameOption } from '../../options.js';
import { withDatabase } from '../../with-database.js';

interface ListOptions {
  account?: string;
  failed?: boolean;
  status?: DeliveryRecord['status'];
  limit: number;
  json?: boolean;
}

export function registerDeliveriesCommand(program: Command): void {
  const deliveries = program.command('deliveries').description('list webhooks and exports, and send failed webhooks again');
  deliveries
    .command('list')
    .description('list webhooks and exports, newest first')
    .option('--account <name>', 'only deliveries of this account', nameOption)
    .addOption(new Option('--status <status>', 'only deliveries with this status').choices(['waiting', 'pending', 'delivered', 'failed']))
    .addOption(new Option('--failed', 'the same as --status failed').conflicts('status'))
    .option('--limit <number>', 'maximum number of deliveries', integerOption(1, 10_000), 50)
    .option('--json', 'print one JSON object')
    .action(listDeliveries);
  deliveries
    .command('resend')
    .description('send failed webhooks again, with all their retries')
    .argument('<id...>', 'ids as shown by deliveries list', parseIds)
    .option('--json', 'print one JSON object')
    .action(resendDeliveries);
}

function parseIds(text: string, previous: number[] = []): number[] {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return [...previous, Number(text)];
}

async function listDeliveries(options: ListOptions): Promise<void> {
  const filter: DeliveryFilter = { accountName: options.account, status: options.failed === true ? 'failed' : options.status, limit: options.limit };
  const deliveries = await withDatabase((db) => new DeliveryRecordStore(db, systemClock).list(filter));
  if (options.json === true) console.log(JSON.stringify({ deliveries: deliveries.map(deliveryAsJson) }));
  else if (deliveries.length === 0) console.log('No deliveries found.');
  else console.table(deliveries.map(asRow));
}

function deliveryAsJson(delivery: DeliveryRecord): object {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    account: delivery.accountName,
    kind: delivery.kind,
    type: delivery.type,
    host: delivery.host,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt,
    finished_at: delivery.finishedAt,
    message: delivery.message,
  };
}

function asRow({ id, jobId, accountName, kind, type, host, status, attempts, finishedAt, message }: DeliveryRecord): object {
  return { id, job: jobId, account: accountName, kind, target: host ?? type, status, attempts, finished: finishedAt ?? '', message: message ?? '' };
}

const refusals = {
  unknown: 'does not exist. List the ids with "framewright deliveries list".',
  export: 'is an export. Its credentials were erased when it ended; render the job again to export its video.',
  'not failed': 'has not failed.',
};

async function resendDeliveries(ids: readonly number[], options: { json?: boolean }): Promise<void> {
  await withDatabase((db) =>
    db.transaction().execute(async (trx) => {
      const records = new DeliveryRecordStore(trx, systemClock);
      for (const id of ids) {
        const refusal = await records.resend(id);
        if (refusal !== undefined) throw new Error(`Nothing is sent again, because delivery ${id} ${refusals[refusal]}`);
      }
    }),
  );
  console.log(options.json === true ? JSON.stringify({ resent: ids }) : 'Due now: the running service sends them again.');
}
