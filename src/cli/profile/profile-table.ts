import type { RenderProfile } from '../../render/index.js';

const seconds = (value: number): string => `${value.toFixed(3)} s`.padStart(11);

/** What a profile says, as lines of text. */
export function profileTable(profile: RenderProfile, wallSeconds: number): string[] {
  const { stages, scenes, reused } = profile;
  return [
    `stage         seconds  (decode, compose, encode and sound go on side by side)`,
    ...stages.map((one) => `  ${one.stage.padEnd(8)}${seconds(one.seconds)}`),
    `  ${'all'.padEnd(8)}${seconds(wallSeconds)}`,
    ...(scenes.length === 0 ? [] : [`${'scene'.padEnd(24)}${'decode'.padStart(11)}${'compose'.padStart(11)}${'encode'.padStart(11)}  drawn of frames`]),
    ...scenes.map(
      ({ label, decode, compose, encode, drawn, frames }) =>
        `  ${label.padEnd(22)}${seconds(decode)}${seconds(compose)}${seconds(encode)}${`${drawn} of ${frames}`.padStart(17)}`,
    ),
    ...(reused === 0 ? [] : [`  ${reused} more from an earlier render`]),
  ];
}
