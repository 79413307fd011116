import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../../accounts/index.js';
import { loadConfig } from '../../../config/index.js';
import type { Database, Kysely } from '../../../db/index.js';
import { parseExports } from '../../../delivery/exports/index.js';
import { type DeliveryFilter, type DeliveryRecord, DeliveryRecordStore } from '../../../delivery/outbox/index.js';
import { JobStore } from '../../../jobs/index.js';
import { isObject } from '../../../script/index.js';
import { UsageError } from '../../exit-codes.js';
import { exportPolicyOf } from '../../export-policy.js';
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
  const deliveries = program.command('deliveries').description('list webhooks and exports, and send failed ones again');
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
    .description('send failed deliveries again, with all their retries')
    .argument('<id...>', 'ids as shown by deliveries list', parseIds)
    .option('--target <file>', 'target of a failed export with its credentials, as in the script (JSON); - reads standard input')
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

interface ResendOptions {
  target?: string;
  json?: boolean;
}

async function resendDeliveries(ids: readonly number[], { target: targetPath, json }: ResendOptions): Promise<void> {
  if (targetPath !== undefined && ids.length > 1) throw new UsageError('--target belongs to one export; give one id.');
  const target = targetPath === undefined ? undefined : await readTarget(targetPath);
  await withDatabase((db) =>
    db.transaction().execute(async (trx) => {
      for (const id of ids) {
        const refusal = await resend(trx, id, target);
        if (refusal !== undefined) throw new Error(`Nothing is sent again, because delivery ${id} ${refusal}`);
      }
    }),
  );
  console.log(json === true ? JSON.stringify({ resent: ids }) : 'Due now: the running service sends them again.');
}

/** Makes a delivery due again. Returns why it cannot be sent again, or undefined. */
async function resend(trx: Kysely<Database>, id: number, target: object | undefined): Promise<string | undefined> {
  const records = new DeliveryRecordStore(trx, systemClock);
  const delivery = await records.find(id);
  if (delivery === undefined) return 'does not exist. List the ids with "framewright deliveries list".';
  if (delivery.kind === 'webhook') {
    if (target !== undefined) return 'is a webhook, which takes no --target.';
    return (await records.resend(id)) ? undefined : 'has not failed.';
  }
  if (delivery.status !== 'failed') return 'has not failed.';
  if (target === undefined) return 'is an export. Its credentials were erased when it ended; give its target anew with --target FILE.';
  const job = await new JobStore(trx, systemClock).find(delivery.accountId, delivery.jobId);
  if (job === undefined || job.outputName === null) return `has nothing to deliver: job ${delivery.jobId} has no file.`;
  const [parsed] = parseExports([target], { ...exportPolicyOf(loadConfig()), outputs: job.outputs });
  if (parsed?.type !== delivery.type) return `is an export of type ${delivery.type}, not ${parsed?.type}.`;
  return (await records.resend(id, JSON.stringify(parsed))) ? undefined : 'has not failed.';
}

/** Reads an export target from a file, or from standard input for `-`, so that its credentials are in no list of processes. */
async function readTarget(path: string): Promise<object> {
  const source = path === '-' ? 'standard input' : path;
  const text = await (path === '-' ? readText(process.stdin) : readFile(path, 'utf8')).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${source} cannot be read (${cause.code}).`, { cause });
  });
  try {
    const target: unknown = JSON.parse(text);
    if (isObject(target) && !Object.hasOwn(target, 'destinations')) return target;
  } catch {
    // Fails below: the parser's message may quote a credential.
  }
  throw new Error(`${source} must be one export target as a JSON object.`);
}
