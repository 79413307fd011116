import type { RenderProfile } from '../../render/index.js';

const seconds = (value: number): string => `${value.toFixed(3)} s`.padStart(11);

/** More would fill a terminal; what is left out took the least. */
export const MAX_ELEMENTS = 20;

/** What colours, waveforms and transitions are called, which have no pictures of their own. */
export const noElement = 'colours, transitions';

/** What a profile says, as lines of text. */
export function profileTable(profile: RenderProfile, wallSeconds: number): string[] {
  const { stages, scenes, elements, reused, mostAtOnce } = profile;
  return [
    `stage         seconds  (decode, compose, encode and sound go on side by side)`,
    ...stages.map((one) => `  ${one.stage.padEnd(8)}${seconds(one.seconds)}`),
    `  ${'all'.padEnd(8)}${seconds(wallSeconds)}`,
    ...(scenes.length === 0 ? [] : [`${'scene'.padEnd(24)}${'decode'.padStart(11)}${'compose'.padStart(11)}${'encode'.padStart(11)}  drawn of frames`]),
    ...scenes.map(
      ({ label, decode, compose, encode, drawn, copied, frames }) =>
        `  ${label.padEnd(22)}${seconds(decode)}${seconds(compose)}${seconds(encode)}${`${drawn} of ${frames}`.padStart(17)}${copied > 0 ? `, ${copied} copied` : ''}`,
    ),
    ...(elements.length === 0 ? [] : [`${'element'.padEnd(40)}${'decode'.padStart(11)}${'compose'.padStart(11)}  (decoding has threads of its own)`]),
    ...elements.slice(0, MAX_ELEMENTS).map(({ label, decode, compose }) => `  ${(label || noElement).padEnd(38)}${seconds(decode)}${seconds(compose)}`),
    ...(elements.length > MAX_ELEMENTS ? [`  and ${elements.length - MAX_ELEMENTS} that took less`] : []),
    ...(mostAtOnce > 1 ? [`  up to ${mostAtOnce} were encoded at once`] : []),
    ...(reused === 0 ? [] : [`  ${reused} more from an earlier render`]),
  ];
}
