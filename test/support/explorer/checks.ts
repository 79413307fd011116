import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { type AuditRow, readAudit } from './audit.js';
import type { JobStep } from './history.js';
import type { Targets } from './targets.js';

/** A rule that a history has broken. */
export interface Violation {
  rule: string;
  detail: string;
}

export interface Evidence {
  client: pg.Pool;
  accountId: string;
  /** Credits of the account at the beginning. */
  credits: number;
  /** By the number of the step: id of the accepted job. */
  accepted: ReadonlyMap<JobStep, string>;
  targets: Targets;
  outputsFolder: string;
  /** Render processes that faults have killed. */
  killedWorkers: number;
  /** The host whose session with the database made a change; -1 if none is known. */
  hostOf: (change: AuditRow) => number;
  /** Whether faults have touched a host; clock shifts do not count. */
  isDisturbed: (host: number) => boolean;
  /** Whether real movies were rendered: their price is 1 and they do nothing but complete. */
  isReal: boolean;
}

interface Row {
  id: string;
  mode: string;
  status: string;
  attempts: number;
  interruptions: number;
  credits_used: number | null;
  output_name: string | null;
  size_bytes: number | null;
  error_message: string | null;
}

/** A lease that a host takes over although it lasts for longer than this has been stolen: clocks of hosts differ a little (ms). */
const clockToleranceMs = 600;

/** Checks a history after its faults have ended and everything has come to rest. */
export async function findViolations(evidence: Evidence): Promise<Violation[]> {
  const { client, accountId, accepted } = evidence;
  const violations: Violation[] = [];
  const report = (rule: string, detail: unknown): void => void violations.push({ rule, detail: typeof detail === 'string' ? detail : JSON.stringify(detail) });
  const { rows } = await client.query<Row>('select * from jobs where account_id = $1', [accountId]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  if (rows.length !== accepted.size) report('a submission is accepted once', `${accepted.size} submissions, ${rows.length} jobs`);
  const audit = await readAudit(
    client,
    rows.map(({ id }) => id),
  );
  for (const { kind, jobId, detail } of audit) if (kind.startsWith('rewritten')) report('what is final stays', { kind, jobId, detail });
  for (const [step, jobId] of accepted) {
    const row = byId.get(jobId);
    if (row === undefined) {
      report('no accepted job is lost', { step, jobId });
      continue;
    }
    const ofJob = audit.filter((entry) => entry.jobId === jobId);
    checkEnd(evidence, step, row, ofJob, report);
    checkLeases(evidence, row, ofJob, report);
    await checkCharge(evidence, step, row, report);
    await checkOutput(evidence, row, report);
    await checkDeliveries(evidence, step, row, ofJob, report);
  }
  await checkBalance(evidence, rows, report);
  return violations;
}

type Report = (rule: string, detail: unknown) => void;

function checkEnd({ killedWorkers, isReal }: Evidence, step: JobStep, row: Row, audit: readonly AuditRow[], report: Report): void {
  const { id, status, attempts, error_message: message } = row;
  const ends = audit.filter(({ kind }) => kind === 'ended job').length;
  if (ends !== 1 || !/^(completed|failed)$/.test(status)) report('a job ends exactly once', { id, status, ends });
  const deaths = killedWorkers + (isReal ? 0 : ({ die: 2, 'die-once': 1 }[step.outcome as string] ?? 0));
  const mayFail = !isReal && (step.outcome === 'fail' || deaths >= 2);
  if (status === 'failed' && !mayFail) report('a job fails only for a reason of its own', { id, outcome: step.outcome, message });
  if (status === 'completed' && !isReal && /^(fail|die)$/.test(step.outcome)) report('a job that cannot succeed fails', { id, outcome: step.outcome });
  if (attempts > 1 + deaths) report('only the death of a render process costs an attempt', { id, attempts, deaths });
}

/** How long the lease that a claim or an interruption ended would have lasted; undefined if there was none. */
function remainingLeaseMs(detail: unknown): number | undefined {
  return (detail as { remainingMs?: number | null } | null)?.remainingMs ?? undefined;
}

function checkLeases({ hostOf, isDisturbed }: Evidence, { id }: Row, audit: readonly AuditRow[], report: Report): void {
  for (const [index, change] of audit.entries()) {
    const { kind, detail } = change;
    const remainingMs = remainingLeaseMs(detail);
    if (remainingMs === undefined || remainingMs < clockToleranceMs) continue;
    const claimed = kind === 'interrupted job' ? 'claimed job' : kind;
    const claim = audit.slice(0, index).findLast((entry) => entry.kind === claimed);
    const owner = claim === undefined ? -1 : hostOf(claim);
    const taker = hostOf(change);
    // A service may take back its own lease: it does so when the answer to a claim came too late to work under it.
    if (owner >= 0 && (owner === taker || isDisturbed(owner))) continue;
    report('a live lease is not taken away', { id, kind, remainingMs, from: owner, by: taker });
  }
}

async function checkCharge({ client, isReal }: Evidence, step: JobStep, row: Row, report: Report): Promise<void> {
  const { id, mode, status, credits_used: used } = row;
  const entries = (await client.query<{ kind: string; amount: number }>('select kind, amount from ledger_entries where job_id = $1', [id])).rows;
  const bought = (await client.query<{ item: string; microcredits: number }>('select item, microcredits from provider_purchases where job_id = $1', [id])).rows;
  const charged = entries.reduce((sum, { amount }) => sum - Number(amount), 0);
  const purchases = Math.ceil(bought.reduce((sum, { microcredits }) => sum + Number(microcredits), 0) / 1e6);
  const price = mode === 'test' ? 0 : status === 'completed' ? (isReal ? 1 : step.credits) + purchases : purchases;
  if (charged !== price || used !== price) report('a job is charged its price once', { id, status, price, used, entries, bought });
  const holds = entries.filter(({ kind }) => kind === 'hold').length;
  const refunds = entries.filter(({ kind }) => kind === 'refund').length;
  if (holds > 1 || refunds > 1) report('a job is held and refunded at most once', { id, entries });
  if (status === 'completed' && mode === 'live' && !isReal && bought.length !== step.purchases.length) report('what is bought is recorded', { id, bought });
}

/** Checks that the file of a completed job exists with the size that the job has. */
export async function checkOutput(
  { outputsFolder }: Pick<Evidence, 'outputsFolder'>,
  row: Pick<Row, 'id' | 'status' | 'output_name' | 'size_bytes'>,
  report: Report,
): Promise<void> {
  const { id, status, output_name: name, size_bytes: sizeBytes } = row;
  if (status !== 'completed') {
    if (name !== null) report('a failed job has no output', { id, name });
    return;
  }
  const size = name === null ? undefined : (await stat(join(outputsFolder, name)).catch(() => undefined))?.size;
  if (size === undefined || size !== sizeBytes) report('the output of a completed job exists', { id, name, size, sizeBytes });
}

async function checkDeliveries({ client, targets }: Evidence, step: JobStep, row: Row, audit: readonly AuditRow[], report: Report): Promise<void> {
  const deliveries = (
    await client.query<{ kind: string; status: string; message: string }>('select kind, status, message from deliveries where job_id = $1', [row.id])
  ).rows;
  const paths = targetPaths(step);
  if (deliveries.length !== Object.values(paths).filter(Boolean).length) report('a job has its deliveries', { id: row.id, deliveries });
  // An export fails when three runs have ended without an outcome, because their hosts died or stood still.
  const lostRuns = audit.filter(({ kind, detail }) => kind === 'claimed export' && remainingLeaseMs(detail) !== undefined).length;
  for (const { kind, status, message } of deliveries) {
    if (kind === 'export' && status === 'failed' && lostRuns >= 2) continue;
    const received = targets.received.get((kind === 'webhook' ? paths.webhook : paths.export) ?? '') ?? [];
    const isAccepted = received.some((one) => one.isAccepted && one.jobId === row.id);
    if (kind === 'export' && row.status === 'failed') {
      if (status !== 'failed' || received.length > 0) report('a failed job is not exported', { id: row.id, status, received });
    } else if (!isAccepted || status !== 'delivered') report(`the ${kind} of a job arrives`, { id: row.id, status, message, received });
    if (kind === 'webhook' && received.some((one) => one.status !== row.status)) report('a webhook reports the final state', { id: row.id, received });
  }
}

/** Paths of the receiver of a job's deliveries. */
export function targetPaths(step: JobStep): { webhook: string | undefined; export: string | undefined } {
  return {
    webhook: step.webhook && `/webhook/${step.webhook}/${step.number}`,
    export: step.export && `/export/${step.export}/${step.number}`,
  };
}

async function checkBalance({ client, accountId, credits }: Evidence, rows: readonly Row[], report: Report): Promise<void> {
  const sums = await client.query<{ balance: number; ledger: number }>(
    'select balance, (select sum(amount) from ledger_entries where account_id = $1) as ledger from accounts where id = $1',
    [accountId],
  );
  const { balance, ledger } = sums.rows[0] ?? { balance: Number.NaN, ledger: Number.NaN };
  const spent = rows.reduce((sum, { credits_used }) => sum + (credits_used ?? 0), 0);
  if (Number(balance) !== Number(ledger) || Number(balance) !== credits - spent)
    report('the balance is the sum of the ledger', { balance, ledger, credits, spent });
}
