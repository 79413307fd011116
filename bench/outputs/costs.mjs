import { median } from '../movies/measure.mjs';
import { clipMovie, renderOutputs } from './render.mjs';

const three = [
  { name: 'mp4', format: 'mp4' },
  { name: 'webm', format: 'webm', width: 640 },
  { name: 'gif', format: 'gif', width: 480, fps: 12.5 },
];

/** Three outputs of one job beside three jobs of one output each, in turns: CPU and wall time. */
export function measureTogether({ clips, folder, rounds }) {
  console.log('three outputs | CPU s together | alone | ratio | wall s together | alone | ratio');
  return clips.map((clip) => {
    const movie = clipMovie(clip, { width: 1280, height: 720, fps: 25, seconds: 5 });
    const times = { together: [], alone: [] };
    for (let round = 0; round < rounds; ++round) {
      times.together.push(renderOutputs(clip, movie, three, folder).cost);
      const costs = three.map((output) => renderOutputs(clip, movie, [output], folder).cost);
      const sum = (name) => costs.reduce((total, cost) => total + cost[name], 0);
      times.alone.push({ cpuSeconds: sum('cpuSeconds'), wallSeconds: sum('wallSeconds') });
    }
    const of = (way, name) => median(times[way].map((cost) => cost[name]));
    const cells = ['cpuSeconds', 'wallSeconds'].flatMap((name) => {
      const [together, alone] = [of('together', name), of('alone', name)];
      return [together.toFixed(2), alone.toFixed(2), (together / alone).toFixed(2)];
    });
    console.log([clip.name, ...cells].join(' | '));
    return { clip: clip.name, ...times };
  });
}

/** Four outputs in Full HD: the peak of all processes together. */
export function measureMemory({ clips, folder }) {
  const outputs = [
    { name: 'h264', format: 'mp4' },
    { name: 'hevc', format: 'mp4', codec: 'hevc' },
    { name: 'vp9', format: 'webm' },
    { name: 'prores', format: 'mov', codec: 'prores-422' },
  ];
  console.log('four outputs in Full HD | peak MB');
  return clips.map((clip) => {
    const { cost } = renderOutputs(clip, clipMovie(clip, { width: 1920, height: 1080, fps: 25, seconds: 4 }), outputs, folder);
    console.log(`${clip.name} | ${(cost.peakBytes / 1e6).toFixed(0)}`);
    return { clip: clip.name, peakBytes: cost.peakBytes };
  });
}
