import type { Command } from 'commander';
import { systemClock } from '../../../accounts/index.js';
import { WebhookSecretStore } from '../../../delivery/webhooks/index.js';
import { nameOption } from '../../options.js';
import { withDatabase } from '../../with-database.js';

interface SecretOptions {
  account: string;
  rotate?: boolean;
  json?: boolean;
}

export function registerWebhooksCommand(program: Command): void {
  program
    .command('webhooks')
    .description('manage webhook signatures')
    .command('secret')
    .description("print the secret that signs an account's webhooks")
    .requiredOption('--account <name>', 'account name', nameOption)
    .option('--rotate', 'create a new secret; for 24 hours webhooks are signed with both')
    .option('--json', 'print one JSON object')
    .action(printSecret);
}

async function printSecret(options: SecretOptions): Promise<void> {
  const secret = await withDatabase((db) => {
    const secrets = new WebhookSecretStore(db, systemClock);
    return options.rotate === true ? secrets.rotate(options.account) : secrets.find(options.account);
  });
  if (secret === undefined) throw new Error(`There is no account "${options.account}". Create it with "framewright keys create".`);
  console.log(options.json === true ? JSON.stringify({ account: options.account, secret }) : secret);
}
