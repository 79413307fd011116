import { parseArgs } from 'node:util';
import { trialAccepting } from './accepting.mjs';
import { trialBusy } from './busy.mjs';
import { trialStreams } from './streams.mjs';

/** The service's own cost, beside a bare Fastify "hello world" of the same run. */
const parts = { accepting: trialAccepting, busy: trialBusy, streams: trialStreams };
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '5000' },
    database: { type: 'string', default: 'sqlite,postgres' },
    accounts: { type: 'string', default: '1' },
    beside: { type: 'string' },
  },
});
const options = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  streams: Number(values.streams),
  database: values.database,
  accounts: Number(values.accounts),
  beside: values.beside,
};
const results = {};
for (const name of values.only.split(',')) {
  if (!Object.hasOwn(parts, name)) throw new Error(`There is no part "${name}"; there are ${Object.keys(parts).join(', ')}.`);
  results[name] = await parts[name](options, (line) => values.json || console.log(line));
}
if (values.json) console.log(JSON.stringify(results));
// The trials have removed what they started; an inherited pipe must not keep the process alive.
process.exit(0);
