import type { Command } from 'commander';
import { systemClock } from '../../accounts/index.js';
import { WebhookSecretStore } from '../../delivery/webhooks/index.js';
import { nameOption } from '../options.js';
import { withDatabase } from '../with-database.js';

interface SecretOptions {
  account: string;
  rotate?: boolean;
  json?: boolean;
}

export function registerWebhooksCommand(program: Command): void {
  program
    .command('webhooks')
    .description('signatures of webhooks')
    .command('secret')
    .description("print the secret that an account's webhooks are signed with")
    .requiredOption('--account <name>', 'account name', nameOption)
    .option('--rotate', 'make a new one; the one before it signs beside it for 24 hours')
    .option('--json', 'print one JSON object')
    .action(printSecret);
}

async function printSecret(options: SecretOptions): Promise<void> {
  const secret = await withDatabase((db) => {
    const secrets = new WebhookSecretStore(db, systemClock);
    return options.rotate === true ? secrets.rotate(options.account) : secrets.find(options.account);
  });
  if (secret === undefined) throw new Error(`There is no account "${options.account}": framewright keys create makes one.`);
  console.log(options.json === true ? JSON.stringify({ account: options.account, secret }) : secret);
}
