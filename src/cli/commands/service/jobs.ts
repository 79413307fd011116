import { type Command, Option } from 'commander';
import { systemClock } from '../../../accounts/index.js';
import { DeliveryRecordStore, type ExportState, type WebhookRecord } from '../../../delivery/outbox/index.js';
import { type CreditsEntry, type JobRecord, JobRecordStore, type JobStatus, jobStatuses, type PurchaseRecord } from '../../../jobs/index.js';
import { integerOption, nameOption } from '../../options.js';
import { withDatabase } from '../../with-database.js';

interface ListOptions {
  account?: string;
  status?: JobStatus;
  limit: number;
  json?: boolean;
}

/** All stored data of a job except its script and secrets. */
interface JobReport {
  job: JobRecord;
  credits: CreditsEntry[];
  purchases: PurchaseRecord[];
  webhook: WebhookRecord | undefined;
  exports: ExportState[];
}

export function registerJobsCommand(program: Command): void {
  const jobs = program.command('jobs').description('inspect jobs');
  jobs
    .command('list')
    .description('list jobs, newest first')
    .option('--account <name>', 'only jobs of this account', nameOption)
    .addOption(new Option('--status <status>', 'only jobs with this status').choices(jobStatuses))
    .option('--limit <number>', 'maximum number of jobs', integerOption(1, 10_000), 50)
    .option('--json', 'print one JSON object')
    .action(listJobs);
  jobs
    .command('show')
    .description('show a job with its credits, purchases, webhook and exports')
    .argument('<id>', 'job id')
    .option('--json', 'print one JSON object')
    .action(showJob);
}

async function listJobs(options: ListOptions): Promise<void> {
  const { account: accountName, status, limit } = options;
  const jobs = await withDatabase((db) => new JobRecordStore(db).list({ accountName, status, limit }));
  if (options.json === true) console.log(JSON.stringify({ jobs: jobs.map(jobAsJson) }));
  else if (jobs.length === 0) console.log('No jobs found.');
  else console.table(jobs.map(asRow));
}

function asRow(job: JobRecord): object {
  const progress = `${Math.round(job.progress * 100)} %`;
  return {
    job: job.id,
    account: job.accountName,
    mode: job.mode,
    status: job.status,
    progress,
    credits: job.creditsUsed ?? job.estimatedCredits,
    created: job.createdAt,
  };
}

async function showJob(jobId: string, options: { json?: boolean }): Promise<void> {
  const report = await withDatabase(async (db): Promise<JobReport | undefined> => {
    const records = new JobRecordStore(db);
    const job = await records.find(jobId);
    if (job === undefined) return undefined;
    const deliveries = new DeliveryRecordStore(db, systemClock);
    const webhook = await deliveries.findWebhook(jobId);
    const [credits, purchases] = [await records.listCredits(jobId), await records.listPurchases(jobId)];
    return { job, credits, purchases, webhook, exports: await deliveries.listExports(jobId) };
  });
  if (report === undefined) throw new Error(`There is no job "${jobId}". List the ids with "framewright jobs list".`);
  console.log(options.json === true ? JSON.stringify(reportAsJson(report)) : reportAsText(report));
}

function jobAsJson(job: JobRecord): object {
  return {
    job_id: job.id,
    account_id: job.accountId,
    account: job.accountName,
    mode: job.mode,
    status: job.status,
    progress: job.progress,
    stage: job.stage,
    estimated_credits: job.estimatedCredits,
    credits_used: job.creditsUsed,
    duration_seconds: job.durationSeconds,
    size_bytes: job.sizeBytes,
    error: job.failure,
    warnings: job.warnings,
    render_attempts: job.renderAttempts,
    interruptions: job.interruptions,
    created_at: job.createdAt,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
  };
}

function reportAsJson({ job, credits, purchases, webhook, exports }: JobReport): object {
  return {
    ...jobAsJson(job),
    credits: credits.map((entry) => ({ kind: entry.kind, amount: entry.amount, created_at: entry.createdAt })),
    purchases: purchases.map(({ boughtAt, ...purchase }) => ({ ...purchase, bought_at: boughtAt })),
    webhook: webhook === undefined ? null : webhookAsJson(webhook),
    exports: exports.map(({ type, status, location, message, attempts, finishedAt }) => ({
      type,
      status,
      location,
      message,
      attempts,
      finished_at: finishedAt,
    })),
  };
}

function webhookAsJson({ url, status, nextAttemptAt, attempts }: WebhookRecord): object {
  return {
    receiver: receiverOf(url),
    status,
    next_attempt_at: nextAttemptAt,
    attempts: attempts.map(({ number, startedAt, finishedAt, httpStatus, error }) => ({
      number,
      started_at: startedAt,
      finished_at: finishedAt,
      http_status: httpStatus,
      error: outcomeOf({ finishedAt, error }),
    })),
  };
}

/** Only the origin, because the rest of the URL may be a secret of the receiver. */
function receiverOf(url: string): string {
  return new URL(url).origin;
}

function outcomeOf({ finishedAt, error }: { finishedAt: string | null; error: string | null }): string | null {
  return finishedAt === null ? 'unknown: in progress, or interrupted by a stop of the service' : error;
}

function reportAsText({ job, credits, purchases, webhook, exports }: JobReport): string {
  const lines: Array<[string, string | null]> = [
    ['job', job.id],
    ['account', `${job.accountName} (${job.accountId}), ${job.mode}`],
    ['status', `${job.status}, ${Math.round(job.progress * 100)} %${job.stage === null ? '' : `, ${job.stage}`}`],
    ['error', job.failure === null ? null : `${job.failure.code}: ${job.failure.message}`],
    ['created', job.createdAt],
    ['started', job.startedAt === null ? null : `${job.startedAt} (attempt ${job.renderAttempts}${interruptedText(job)})`],
    ['finished', job.finishedAt],
    ['output', job.outputName === null ? null : `${job.durationSeconds} s, ${job.sizeBytes} bytes`],
    ['credits', `${job.estimatedCredits} estimated, ${job.creditsUsed ?? 'not yet known'} used`],
    ...credits.map((entry): [string, string] => ['', `${entry.createdAt}  ${entry.kind} ${entry.amount > 0 ? '+' : ''}${entry.amount}`]),
    ...purchases.map(({ kind, provider, quantity, microcredits, boughtAt }): [string, string] => [
      'purchase',
      `${boughtAt}  ${kind} from ${provider}, ${quantity} ${quantityUnits[kind]}, ${microcredits / 1e6} credits`,
    ]),
    ...job.warnings.map((warning): [string, string] => ['warning', warning]),
    ...(webhook === undefined ? [] : describeWebhook(webhook)),
    ...exports.map(({ type, status, message }): [string, string] => ['export', `${type} ${status}${message === null ? '' : `: ${message}`}`]),
  ];
  return lines.flatMap(([name, text]) => (text === null ? [] : `${name.padEnd(10)}${text}`)).join('\n');
}

const quantityUnits: Readonly<Record<PurchaseRecord['kind'], string>> = {
  speech: 'characters',
  image: 'images',
  video: 'seconds',
  transcription: 'seconds',
};

function interruptedText({ interruptions }: JobRecord): string {
  return interruptions === 0 ? '' : `, and ${interruptions} interrupted by a stop of the service`;
}

function describeWebhook({ url, status, nextAttemptAt, attempts }: WebhookRecord): Array<[string, string]> {
  return [
    ['webhook', `${receiverOf(url)} ${status}${nextAttemptAt === null ? '' : `, next attempt ${nextAttemptAt}`}`],
    ...attempts.map((attempt): [string, string] => [
      '',
      `${attempt.startedAt}  attempt ${attempt.number}: ${outcomeOf(attempt) ?? `answered ${attempt.httpStatus}`}`,
    ]),
  ];
}
