import { useEffect } from 'preact/hooks';
import type { Credits, Job } from '../../contract/index.js';
import { isRunning, outputPath } from '../state/renders.js';
import type { Studio } from '../state/studio.js';
import { Icon } from './icons.js';
import { formatAge, formatStage } from './readable.js';

/** Reload interval for jobs that were submitted elsewhere; jobs of this page are followed by their progress streams. */
const reloadMs = 30_000;

export function RendersPanel({ studio }: { studio: Studio }) {
  const isOpen = studio.panel.value === 'renders';
  const { renders, session } = studio;
  useEffect(() => {
    if (!isOpen || session.key.peek() === '') return;
    const timer = setInterval(() => document.visibilityState === 'visible' && void renders.load().catch(() => undefined), reloadMs);
    return () => clearInterval(timer);
  }, [isOpen, renders, session]);
  const newest = renders.jobs.value.find(isRunning);
  if (!isOpen) return newest === undefined && renders.problem.value === undefined ? null : <Ticker studio={studio} job={newest} />;
  return (
    <section class="panel" aria-label="Renders">
      <div class="panel-head">
        <h2>Renders</h2>
        <button type="button" class="plain small" onClick={() => void renders.load().catch(() => undefined)}>
          Refresh
        </button>
      </div>
      <div class="panel-body">
        {renders.credits.value !== undefined && <Usage credits={renders.credits.value} jobs={renders.jobs.value} studio={studio} />}
        <Refusal studio={studio} />
        {renders.jobs.value.length === 0 && <p class="empty">Nothing rendered yet.</p>}
        <ul class="rows jobs">
          {renders.jobs.value.map((job) => (
            <JobRow key={job.job_id} job={job} studio={studio} />
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Progress of the newest job while the panel is closed. */
function Ticker({ studio, job }: { studio: Studio; job: Job | undefined }) {
  return (
    <div class="ticker">
      <Refusal studio={studio} />
      {job !== undefined && <Progress job={job} />}
    </div>
  );
}

function Refusal({ studio: { renders } }: { studio: Studio }) {
  const { value: problem } = renders.problem;
  if (problem === undefined) return null;
  return (
    <div class="refusal" role="alert">
      <Icon name="alert" />
      <p>
        {problem.path !== '' && <code>{problem.path}</code>} {problem.message}
      </p>
      <button type="button" class="plain icon-only" aria-label="Dismiss" onClick={() => (renders.problem.value = undefined)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function Usage({ credits, jobs, studio }: { credits: Credits; jobs: readonly Job[]; studio: Studio }) {
  const used = jobs.reduce((sum, { credits_used = 0 }) => sum + credits_used, 0);
  const rate = studio.connection.rate.value;
  return (
    <dl class="usage">
      <div>
        <dt>Credits</dt>
        <dd>{credits.credits_remaining.toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Used by those below</dt>
        <dd>{used.toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Renders at once</dt>
        <dd>
          {credits.concurrent_jobs} {credits.mode === 'test' && <small>sandbox key</small>}
        </dd>
      </div>
      <div>
        <dt>Requests left</dt>
        <dd>
          {rate?.remaining ?? '–'} <small>of {credits.requests_per_minute} a minute</small>
        </dd>
      </div>
    </dl>
  );
}

function Progress({ job }: { job: Job }) {
  const percent = Math.round(job.progress * 100);
  const words = job.status === 'queued' ? 'Waiting for its turn' : formatStage(job.stage ?? job.status);
  return (
    <div class="progress">
      <progress max="100" value={percent} aria-label={`Render, ${words}`} />
      <small>
        <span>{words}</span>
        <span>{percent} %</span>
      </small>
    </div>
  );
}

function JobRow({ job, studio }: { job: Job; studio: Studio }) {
  const path = outputPath(job);
  const details = [job.duration_seconds === undefined ? '' : `${job.duration_seconds.toFixed(1)} s`, creditsOf(job)].filter((part) => part !== '').join(' · ');
  return (
    <li data-status={job.status}>
      <div class="job-head">
        <b>{job.status}</b>
        <small title={job.created_at}>{formatAge(job.created_at)}</small>
      </div>
      {isRunning(job) ? <Progress job={job} /> : <small class="facts">{details}</small>}
      {job.error !== undefined && <p class="wrong">{job.error.message}</p>}
      {(job.warnings ?? []).map((warning) => (
        <p class="warning" key={warning}>
          {warning}
        </p>
      ))}
      {path !== undefined && (
        <div class="job-actions">
          <button type="button" class="plain small" onClick={() => (studio.renders.watched.value = job.job_id)}>
            <Icon name="play" />
            Watch
          </button>
          <a class="plain small button" href={path} download={`${job.job_id}.mp4`}>
            <Icon name="download" />
            Download
          </a>
        </div>
      )}
    </li>
  );
}

function creditsOf({ credits_used: used, estimated_credits: estimated }: Job): string {
  const credits = used ?? estimated;
  return `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
}
