import type { Command } from 'commander';
import { ConfigError, loadConfig } from '../../../config/index.js';
import type { RenderHost } from '../../../distributed/index.js';

export function registerHostsCommand(program: Command): void {
  program.command('hosts').description('list the hosts of distributed renders and their encoders').option('--json', 'print one JSON object').action(list);
}

async function list(options: { json?: boolean }): Promise<void> {
  const { db } = loadConfig();
  if (!('url' in db)) throw new ConfigError('DATABASE_URL', 'must be the PostgreSQL database that the hosts share: postgres://user:password@host:5432/name');
  const { listRenderHosts } = await import('../../../distributed/index.js');
  const hosts = await listRenderHosts(db);
  if (options.json === true) console.log(JSON.stringify({ hosts }));
  else console.log(hosts.length === 0 ? 'No host is registered.' : hosts.map(asText).join('\n'));
}

function asText({ name, group, slots, cores, encoders, compositors, since }: RenderHost): string {
  const size = `${slots} render ${slots === 1 ? 'process' : 'processes'} on ${cores} cores, since ${since}`;
  return [`${name}  ${size}`, `       group ${group}: ${encoders.join(' ')}; composes with ${compositors.join(' ')}`].join('\n');
}
