import type { RenderProfile } from '../../render/index.js';

const seconds = (value: number): string => `${value.toFixed(3)} s`.padStart(11);

/** Elements shown: the slowest ones. */
export const MAX_ELEMENTS = 20;

/** Label of clips without an element: colours, waveforms and transitions. */
export const noElement = 'colours, transitions';

/** A profile as lines of text. */
export function profileTable(profile: RenderProfile, wallSeconds: number): string[] {
  const { stages, scenes, elements, reused, transfers, decodings, decodedFrames, compositions, uncopied, maxParallelEncoders } = profile;
  return [
    `stage         seconds  (decode, compose, encode and sound run in parallel)`,
    ...stages.filter((one) => one.stage !== 'outputs' || one.seconds > 0).map((one) => `  ${one.stage.padEnd(8)}${seconds(one.seconds)}`),
    `  ${'total'.padEnd(8)}${seconds(wallSeconds)}`,
    ...(scenes.length === 0 ? [] : [`${'scene'.padEnd(24)}${'decode'.padStart(11)}${'compose'.padStart(11)}${'encode'.padStart(11)}  drawn of frames`]),
    ...scenes.map(
      ({ label, decode, compose, encode, drawn, copied, footage, frames }) =>
        `  ${label.padEnd(22)}${seconds(decode)}${seconds(compose)}${seconds(encode)}${`${drawn} of ${frames}`.padStart(17)}${copied > 0 ? `, ${copied} copied` : ''}${footage > 0 ? `, ${footage} as footage` : ''}`,
    ),
    ...(elements.length === 0 ? [] : [`${'element'.padEnd(40)}${'decode'.padStart(11)}${'compose'.padStart(11)}  (decoding has its own threads)`]),
    ...elements.slice(0, MAX_ELEMENTS).map(({ label, decode, compose }) => `  ${(label || noElement).padEnd(38)}${seconds(decode)}${seconds(compose)}`),
    ...(elements.length > MAX_ELEMENTS ? [`  and ${elements.length - MAX_ELEMENTS} faster ones`] : []),
    ...(maxParallelEncoders > 1 ? [`  up to ${maxParallelEncoders} segments were encoded at once`] : []),
    ...transfers.map(transferLine),
    ...decodings.map(({ backend, reason, clips }) => `  ${clips} clips were decoded by ${backend}${reason === undefined ? '' : ` (${reason})`}`),
    ...decodedFrames.map(decodedLine),
    ...compositions.filter(({ compositor }) => compositor === 'vulkan').map(deviceLine),
    ...uncopied.map(({ label, reason }) => `  ${label}: frames are encoded, not copied, since the file ${reason}`),
    ...(reused === 0 ? [] : [`  ${reused} scenes were reused from an earlier render`]),
  ];
}

/** How frames that a card composed reached the encoder. */
function transferLine({ backend, reason, segments, deviceCopies }: RenderProfile['transfers'][number]): string {
  const path = backend === 'host' ? 'through main memory' : `by ${backend}, ${deviceCopies} copied on the card`;
  return `  ${segments} segments: frames went from the card to the encoder ${path}${reason === undefined ? '' : ` (${reason})`}`;
}

/** How frames that a card decoded reached its compositor. */
function decodedLine({ backend, reason, clips, hostCopies, deviceCopies }: RenderProfile['decodedFrames'][number]): string {
  const path = backend === 'host' ? 'passed through main memory' : `stayed on the card by ${backend}`;
  return `  ${clips} clips: decoded frames ${path}, ${deviceCopies} copied on the card, ${hostCopies} to main memory${reason === undefined ? '' : ` (${reason})`}`;
}

/** How a graphics card composed outputs, and what the CPU drew for it. */
function deviceLine({ frames, hostFrames, deviceFailure }: RenderProfile['compositions'][number]): string {
  const byHost = hostFrames > 0 ? `, ${hostFrames} of them by the CPU, since the card lacks their effects with 10 bits` : '';
  return `  outputs: ${frames} frames were composed on the card${byHost}${deviceFailure === undefined ? '' : ` (${deviceFailure})`}`;
}
