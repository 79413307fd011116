import type { Command } from 'commander';
import { integerOption, nameOption } from '../../options.js';
import { withAccounts } from '../../with-database.js';

interface GrantOptions {
  account: string;
  credits: number;
  json?: boolean;
}

export function registerCreditsCommand(program: Command): void {
  program
    .command('credits')
    .description('manage credits')
    .command('grant')
    .description('add credits to an account')
    .requiredOption('--account <name>', 'account name', nameOption)
    .requiredOption('--credits <number>', 'credits to add', integerOption(1, 1_000_000_000))
    .option('--json', 'print one JSON object')
    .action(grantCredits);
}

async function grantCredits(options: GrantOptions): Promise<void> {
  const granted = await withAccounts((accounts) => accounts.grantCredits(options.account, options.credits));
  if (granted === undefined) throw new Error(`There is no account "${options.account}". Create it with "framewright keys create".`);
  const json = { account_id: granted.accountId, account: options.account, granted: options.credits, balance: granted.balance };
  console.log(options.json === true ? JSON.stringify(json) : `Granted ${options.credits} credits; the balance is ${granted.balance}.`);
}
