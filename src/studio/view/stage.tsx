import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { outputPath } from '../state/renders.js';
import type { Studio } from '../state/studio.js';
import { Icon } from './icons.js';
import { formatTime } from './readable.js';
import { Timeline } from './timeline.js';

/** The preview or a rendered video, its controls, and the timeline. */
export function Stage({ studio }: { studio: Studio }) {
  const job = studio.renders.jobs.value.find(({ job_id }) => job_id === studio.renders.watched.value);
  const path = job === undefined ? undefined : outputPath(job);
  return (
    <section class="stage" aria-label="Preview">
      {path === undefined || job === undefined ? (
        <Preview studio={studio} />
      ) : (
        <RenderedVideo path={path} name={`${job.job_id}.mp4`} onClose={() => (studio.renders.watched.value = undefined)} />
      )}
      <Timeline studio={studio} />
    </section>
  );
}

function RenderedVideo({ path, name, onClose }: { path: string; name: string; onClose: () => void }) {
  return (
    <>
      <div class="screen">
        {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the video */}
        <video key={path} src={path} controls playsInline preload="auto" aria-label="Rendered video" />
      </div>
      <div class="transport">
        <button type="button" class="plain" onClick={onClose}>
          <Icon name="back" />
          Back to the preview
        </button>
        <a class="plain button" href={path} download={name}>
          <Icon name="download" />
          Download
        </a>
      </div>
    </>
  );
}

function Preview({ studio }: { studio: Studio }) {
  const { preview, player } = studio;
  const plan = preview.plan.value;
  const aspect = plan === undefined ? 16 / 9 : plan.width / plan.height;
  return (
    <>
      <div
        class="screen"
        data-stale={(preview.isStale.value && studio.problem.value !== undefined) || undefined}
        data-busy={preview.isDrawing.value || player.isWaiting.value || undefined}
      >
        <PreviewCanvas studio={studio} aspect={aspect} />
        {preview.shown.value === undefined && studio.problem.value === undefined && <p class="screen-note">{'Drawing the first frame …'}</p>}
      </div>
      <Transport studio={studio} />
    </>
  );
}

const widthStep = 160;
const maxWidth = 1280;

/** Draws frames into a canvas, which replaces them without flicker. */
function PreviewCanvas({ studio: { preview }, aspect }: { studio: Studio; aspect: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const newest = useRef(0);
  const label = useSignal('No frame yet');
  useSignalEffect(() => {
    const shown = preview.shown.value;
    if (shown === undefined) return;
    newest.current += 1;
    const mine = newest.current;
    void createImageBitmap(shown.image).then((bitmap) => {
      const place = canvas.current;
      if (place === null || mine !== newest.current) return bitmap.close();
      if (place.width !== bitmap.width || place.height !== bitmap.height) Object.assign(place, { width: bitmap.width, height: bitmap.height });
      place.getContext('2d')?.drawImage(bitmap, 0, 0);
      place.dataset.time = shown.time.toFixed(3);
      place.dataset.count = String(mine);
      label.value = `The movie at ${shown.time.toFixed(2)} seconds`;
      bitmap.close();
    });
  });
  useEffect(() => {
    const place = canvas.current?.parentElement;
    if (place === null || place === undefined) return;
    const measure = new ResizeObserver(() => {
      const wanted = Math.ceil((canvas.current?.clientWidth ?? 0) * devicePixelRatio);
      preview.resize(Math.min(maxWidth, Math.max(320, Math.ceil(wanted / widthStep) * widthStep)));
    });
    measure.observe(place);
    return () => measure.disconnect();
  }, [preview]);
  return <canvas ref={canvas} class="picture" role="img" aria-label={label.value} style={{ '--aspect': String(aspect) }} width="640" height="360" />;
}

function Transport({ studio: { preview, player } }: { studio: Studio }) {
  const { duration = 0, fps = 25, frames = 1, width, height } = preview.plan.value ?? {};
  const time = player.time.value;
  const frame = Math.round(time * fps);
  const isPlaying = player.isPlaying.value;
  return (
    <div class="transport">
      <input
        class="scrubber"
        type="range"
        min="0"
        max={Math.max(frames - 1, 0)}
        step="1"
        value={frame}
        aria-label="Time"
        aria-valuetext={`${time.toFixed(2)} of ${duration.toFixed(2)} seconds`}
        style={{ '--done': `${frames > 1 ? (frame / (frames - 1)) * 100 : 0}%` }}
        onInput={(event) => player.seek(Number(event.currentTarget.value) / fps)}
      />
      <button type="button" class="plain icon-only far" onClick={() => player.seek(0)} aria-label="To the start" title="To the start (Home)">
        <Icon name="start" />
      </button>
      <button type="button" class="plain icon-only" onClick={() => player.stepFrames(-1)} aria-label="One frame back" title="One frame back (←)">
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="play"
        onClick={() => player.toggle()}
        aria-label={isPlaying ? 'Pause' : 'Play'}
        title={`${isPlaying ? 'Pause' : 'Play'} (space)`}
        data-waiting={player.isWaiting.value || undefined}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <button type="button" class="plain icon-only" onClick={() => player.stepFrames(1)} aria-label="One frame on" title="One frame on (→)">
        <Icon name="forward" />
      </button>
      <button type="button" class="plain icon-only far" onClick={() => player.seek(duration)} aria-label="To the end" title="To the end (End)">
        <Icon name="end" />
      </button>
      <output class="clock" aria-label="Position">
        <b>{formatTime(time)}</b> / {formatTime(duration)}
      </output>
      <span class="facts">
        {width !== undefined && `${width} × ${height}, ${Math.round(fps * 100) / 100} fps`}
        <span class="silent" title="The preview is silent; the rendered video is not">
          <Icon name="muted" />
          <span class="unseen">The preview is silent; the rendered video is not.</span>
        </span>
      </span>
    </div>
  );
}
