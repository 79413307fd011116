import { type Command, Option } from 'commander';
import type { CreatedKey, KeyMode, ListedKey, NewKey, PlanName } from '../../../accounts/index.js';
import { planNames } from '../../../config/index.js';
import { UsageError } from '../../exit-codes.js';
import { integerOption, nameOption } from '../../options.js';
import { withAccounts } from '../../with-database.js';

interface CreateOptions {
  account: string;
  plan?: PlanName;
  mode: KeyMode;
  credits: number;
  requestsPerMinute?: number;
  concurrentJobs?: number;
  json?: boolean;
}

export function registerKeysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('create a key, and its account if it does not exist')
    .requiredOption('--account <name>', 'account name', nameOption)
    .addOption(new Option('--plan <plan>', 'plan of the account (default for new accounts: free)').choices(planNames))
    .addOption(new Option('--mode <mode>', 'live keys consume credits, test keys are a sandbox').choices(['live', 'test']).default('live'))
    .option('--credits <number>', 'credits to grant', integerOption(0, 1_000_000_000), 0)
    .option('--requests-per-minute <number>', 'only with --plan enterprise', integerOption(1, 1_000_000_000))
    .option('--concurrent-jobs <number>', 'only with --plan enterprise', integerOption(1, 1_000_000))
    .option('--json', 'print one JSON object')
    .action(createKey);
  keys.command('list').description('list keys, masked').option('--json', 'print one JSON object').action(listKeys);
  keys
    .command('revoke')
    .description('revoke a key with immediate effect')
    .argument('<key>', 'the key, or its id as shown by keys list')
    .option('--json', 'print one JSON object')
    .action(revokeKey);
}

async function createKey(options: CreateOptions): Promise<void> {
  const limited = options.requestsPerMinute !== undefined || options.concurrentJobs !== undefined;
  if (limited && options.plan !== 'enterprise')
    throw new UsageError('--requests-per-minute and --concurrent-jobs require --plan enterprise. The limits of other plans are fixed.');
  const request: NewKey = {
    accountName: options.account,
    mode: options.mode,
    credits: options.credits,
    ...(options.plan !== undefined && { plan: options.plan }),
    limits: {
      ...(options.requestsPerMinute !== undefined && { requestsPerMinute: options.requestsPerMinute }),
      ...(options.concurrentJobs !== undefined && { concurrentJobs: options.concurrentJobs }),
    },
  };
  const created = await withAccounts((accounts) => accounts.createKey(request));
  console.log(options.json === true ? JSON.stringify(describeAsJson(created, options)) : describeAsText(created, options));
}

function describeAsJson(created: CreatedKey, options: CreateOptions): object {
  return {
    key: created.key,
    key_id: created.keyId,
    account_id: created.accountId,
    account: options.account,
    plan: created.plan,
    mode: options.mode,
    requests_per_minute: created.limits.requestsPerMinute,
    concurrent_jobs: created.limits.concurrentJobs,
    balance: created.balance,
  };
}

function describeAsText(created: CreatedKey, options: CreateOptions): string {
  return [
    `key       ${created.key}`,
    `account   ${options.account} (${created.accountId}${created.accountIsNew ? ', new' : ''})`,
    `plan      ${created.plan}: ${created.limits.requestsPerMinute} requests a minute, ${created.limits.concurrentJobs} jobs at a time`,
    `balance   ${created.balance} credits`,
    'Store the key now: it is not shown again, because only its hash is stored.',
  ].join('\n');
}

async function listKeys(options: { json?: boolean }): Promise<void> {
  const keys = await withAccounts((accounts) => accounts.listKeys());
  if (options.json === true) console.log(JSON.stringify({ keys: keys.map(listedAsJson) }));
  else if (keys.length === 0) console.log('There are no keys. Create one: framewright keys create --account NAME --plan free --mode live --credits 100');
  else
    console.table(
      keys.map((key) => ({ account: key.accountName, plan: key.plan, balance: key.balance, key: key.masked, id: key.keyId, revoked: key.revokedAt ?? '' })),
    );
}

function listedAsJson(key: ListedKey): object {
  return {
    key_id: key.keyId,
    key: key.masked,
    account_id: key.accountId,
    account: key.accountName,
    plan: key.plan,
    mode: key.mode,
    balance: key.balance,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
  };
}

async function revokeKey(key: string, options: { json?: boolean }): Promise<void> {
  const outcome = await withAccounts((accounts) => accounts.revokeKey(key));
  if (outcome === 'unknown') throw new Error('There is no such key. Pass the whole key, or its id from "framewright keys list".');
  console.log(options.json === true ? JSON.stringify({ revoked: true }) : outcome === 'revoked' ? 'Revoked.' : 'Already revoked.');
}
