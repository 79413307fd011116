import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A defect put back into the built service. */
export interface Mutant {
  name: string;
  /** Replaced text of files below dist/; each occurs exactly once. */
  replacements: ReadonlyArray<{ file: string; from: string; to: string }>;
}

const leaseStore = 'jobs/stores/job-lease-store.js';
const deliveryStore = 'delivery/outbox/delivery-store.js';
/** A method of the lease store that no longer requires the lease. */
const withoutLease = (call: string) => ({ file: leaseStore, from: call, to: call.replace('this.#withLease', 'this.#withoutLease') });
const withoutLeaseMethod = {
  file: leaseStore,
  from: '    async #withLease(jobId, owner, change) {',
  to: `    async #withoutLease(jobId, owner, change) {
        return this.#db.transaction().execute(async (trx) => change(trx, await this.#lockRow(trx, jobId)));
    }
    async #withLease(jobId, owner, change) {`,
};

/** Defects that the service had, or could have. */
export const mutants: readonly Mutant[] = [
  {
    name: 'the output is removed before the database is asked',
    replacements: [
      { file: 'jobs/attempt.js', from: 'const job = await this.#write(() => leases.complete', to: 'const job = await (() => leases.complete' },
      {
        file: 'jobs/attempt.js',
        from: 'leases.complete(this.job.jobId, this.leaseOwner, result));',
        to: 'leases.complete(this.job.jobId, this.leaseOwner, result))();',
      },
      { file: 'jobs/attempt.js', from: 'if (removeOutput && !(await this.#mayOwnOutput()))', to: 'if (removeOutput)' },
    ],
  },
  {
    name: 'leases expire by the clock of each host',
    replacements: [{ file: 'app.js', from: 'const clock = options.clock ?? databaseClock;', to: 'const clock = options.clock ?? systemClock;' }],
  },
  {
    name: 'the outcome of a delivery is not fenced',
    replacements: [
      { file: deliveryStore, from: ".where('status', '=', 'pending').where('token', '=', token);", to: ';' },
      // Without this, a holder whose lease is lost would be stopped before it has an outcome.
      { file: 'delivery/outbox/delivery-runner.js', from: 'lost.abort();', to: ';' },
    ],
  },
  {
    name: 'a failed job is not refunded',
    replacements: [{ file: leaseStore, from: 'if (hold !== charged)', to: 'if (false)' }],
  },
  {
    name: 'a settlement is charged again when its answer was lost',
    replacements: [
      {
        file: leaseStore,
        from: 'const failed = await this.#adjustCharge(trx, row, charge, { total: credits + providerCredits',
        to: 'const failed = await this.#adjustCharge(trx, row, { ...charge, credits: row.estimated_credits + row.provider_credits }, { total: credits + providerCredits',
      },
    ],
  },
  {
    name: 'a submission is accepted again when its answer was lost',
    replacements: [
      { file: 'jobs/stores/submission-store.js', from: 'if (once === undefined)', to: 'if (true)' },
      { file: 'jobs/stores/submission-store.js', from: 'if (stored !== undefined)', to: 'if (false)' },
    ],
  },
  {
    name: 'owners are known by host name and process id',
    replacements: [
      {
        file: 'engine/child-processes/pid-scope.js',
        from: 'export const pidScope = readScope();',
        to: "import { hostname } from 'node:os';\nexport const pidScope = hostname();",
      },
    ],
  },
  {
    name: 'an outage of the database costs an attempt',
    replacements: [{ file: 'jobs/attempt.js', from: 'if (error instanceof DatabaseUnavailableError)\n                return undefined;', to: '' }],
  },
  {
    name: 'a render that has lost its lease completes the job',
    replacements: [
      withoutLeaseMethod,
      withoutLease('return this.#withLease(jobId, owner, async (trx, row) => {\n            const { credits } = await getJobCharge(trx, jobId);'),
    ],
  },
  {
    name: 'a lease is released by a process that does not own it',
    replacements: [
      withoutLeaseMethod,
      withoutLease('return this.#withLease(jobId, owner, (trx, row) => this.#requeue(trx, row, { attempts: row.attempts - 1 }));'),
      withoutLease('return this.#withLease(jobId, owner, (trx, row) => this.#requeueOrFail(trx, row, reason));'),
    ],
  },
  {
    name: 'purchases are deleted when a job is queued again',
    replacements: [
      {
        file: leaseStore,
        from: '    async #requeue(trx, row, counts) {',
        to: "    async #requeue(trx, row, counts) {\n        await trx.deleteFrom('provider_purchases').where('job_id', '=', row.id).execute();",
      },
    ],
  },
  {
    name: 'a webhook counts as delivered before it is sent',
    replacements: [
      {
        file: 'delivery/outbox/webhook-sender.js',
        from: 'const outcome = await sendWebhook(',
        to: "await record(ordinal, { status: 'delivered', attempts: 1, message: null });\n            const outcome = await sendWebhook(",
      },
    ],
  },
];

/** A copy of dist/ below build/, with the modules and files that the service needs beside it. */
export interface Build {
  dist: string;
  remove(): Promise<void>;
}

/** Copies dist/ and puts a defect into the copy. Throws if the text that it replaces does not occur exactly once. */
export async function buildMutant(mutant: Mutant | undefined): Promise<Build> {
  await mkdir(join(root, 'build'), { recursive: true });
  const folder = await mkdtemp(join(root, 'build/mutant-'));
  const dist = join(folder, 'dist');
  await cp(join(root, 'dist'), dist, { recursive: true });
  for (const name of ['schema', 'packs', 'package.json']) await symlink(join(root, name), join(folder, name));
  for (const [file, text] of await mutate(mutant)) {
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await writeFile(join(dist, file), text);
  }
  return { dist, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The changed files of dist/. Throws if a replaced text does not occur exactly once. */
export async function mutate(mutant: Mutant | undefined): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const { file, from, to } of mutant?.replacements ?? []) {
    const text = files.get(file) ?? (await readFile(join(root, 'dist', file), 'utf8'));
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`"${mutant?.name}": dist/${file} contains ${parts.length - 1} times what is replaced: ${from}`);
    files.set(file, parts.join(to));
  }
  return files;
}
