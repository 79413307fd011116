/** 48 kHz stereo audio: samples of -1..1. */
export interface Stereo {
  left: Float32Array;
  right: Float32Array;
}

const sampleRate = 48_000;
const tau = Math.PI * 2;
const frequencyOf = (midiNote: number): number => 440 * 2 ** ((midiNote - 69) / 12);

/** One bar each: Am9, Fmaj9, C, G6 (MIDI notes, lowest is the bass). */
const chords = [
  [45, 60, 64, 67, 71],
  [41, 57, 60, 64, 67],
  [48, 60, 64, 67, 74],
  [43, 59, 62, 64, 67],
];
const beatSeconds = 0.75;
const barSeconds = beatSeconds * 4;

const createStereo = (seconds: number): Stereo => ({
  left: new Float32Array(Math.round(seconds * sampleRate)),
  right: new Float32Array(Math.round(seconds * sampleRate)),
});

interface Note {
  at: number;
  seconds: number;
  midi: number;
  gain: number;
  /** -1 left … 1 right */
  pan: number;
  /** Amplitudes of the harmonics, the fundamental first. */
  overtones: number[];
  attack: number;
  /** Time constant of the decay in seconds; undefined: sustained. */
  decay?: number;
  release: number;
}

function addNote(sound: Stereo, note: Note): void {
  const first = Math.round(note.at * sampleRate);
  const count = Math.round((note.seconds + note.release) * sampleRate);
  const step = (tau * frequencyOf(note.midi)) / sampleRate;
  const angle = ((note.pan + 1) * Math.PI) / 4;
  for (let index = 0; index < count && first + index < sound.left.length; index++) {
    const t = index / sampleRate;
    let envelope = Math.min(1, t / note.attack);
    envelope = envelope ** 2 * (3 - 2 * envelope);
    if (note.decay !== undefined) {
      envelope *= Math.exp(-t / note.decay);
    }
    if (t > note.seconds) {
      const left = 1 - (t - note.seconds) / note.release;
      envelope *= left * left;
    }
    let value = 0;
    for (let overtone = 0; overtone < note.overtones.length; overtone++) {
      value += (note.overtones[overtone] ?? 0) * Math.sin(step * (overtone + 1) * index);
    }
    value *= envelope * note.gain;
    sound.left[first + index] = (sound.left[first + index] ?? 0) + value * Math.cos(angle);
    sound.right[first + index] = (sound.right[first + index] ?? 0) + value * Math.sin(angle);
  }
}

function addPad(sound: Stereo, at: number, notes: number[], gain: number): void {
  for (const [index, midi] of notes.entries()) {
    // Two slightly detuned voices, panned left and right, make the pad wide.
    for (const [side, detune] of [
      [-0.7, -0.045],
      [0.7, 0.05],
    ] as const) {
      addNote(sound, {
        at,
        seconds: barSeconds - 0.3,
        midi: midi + detune,
        gain,
        pan: side * (0.4 + 0.15 * index),
        overtones: [1, 0.32, 0.12, 0.05],
        attack: 0.9,
        release: 1.5,
      });
    }
  }
}

/** Adds a ping-pong feedback delay. */
function addEcho(sound: Stereo, delaySeconds: number, feedback: number): void {
  const delay = Math.round(delaySeconds * sampleRate);
  for (let index = delay; index < sound.left.length; index++) {
    const left = sound.left[index - delay] ?? 0;
    const right = sound.right[index - delay] ?? 0;
    sound.left[index] = (sound.left[index] ?? 0) + right * feedback;
    sound.right[index] = (sound.right[index] ?? 0) + left * feedback;
  }
}

function addInto(target: Stereo, source: Stereo): void {
  for (let index = 0; index < target.left.length; index++) {
    target.left[index] = (target.left[index] ?? 0) + (source.left[index] ?? 0);
    target.right[index] = (target.right[index] ?? 0) + (source.right[index] ?? 0);
  }
}

function normalise(sound: Stereo, peak: number, fadeInSeconds: number, fadeOutSeconds: number): Stereo {
  const count = sound.left.length;
  let loudest = 0;
  for (let index = 0; index < count; index++) {
    loudest = Math.max(loudest, Math.abs(sound.left[index] ?? 0), Math.abs(sound.right[index] ?? 0));
  }
  for (let index = 0; index < count; index++) {
    const fade = Math.min(1, index / (fadeInSeconds * sampleRate), (count - index) / (fadeOutSeconds * sampleRate));
    const gain = (peak / loudest) * fade;
    sound.left[index] = (sound.left[index] ?? 0) * gain;
    sound.right[index] = (sound.right[index] ?? 0) * gain;
  }
  return sound;
}

/** Synthesises calm music: a pad, a bass and a plucked arpeggio. */
export function composeMusic(seconds: number): Stereo {
  const pad = createStereo(seconds);
  const plucked = createStereo(seconds);
  const bars = Math.ceil(seconds / barSeconds);
  for (let bar = 0; bar < bars; bar++) {
    const at = bar * barSeconds;
    const [bass = 45, ...notes] = chords[bar % chords.length] ?? [];
    addPad(pad, at, notes, 0.085);
    addNote(pad, { at, seconds: barSeconds - 0.5, midi: bass - 12, gain: 0.34, pan: 0, overtones: [1, 0.25, 0.06], attack: 0.06, decay: 2.4, release: 0.5 });
    for (let eighth = 0; bar > 0 && eighth < 8; eighth++) {
      const order = [0, 2, 1, 3, 2, 3, 1, 2];
      const midi = (notes[order[eighth] ?? 0] ?? 60) + (eighth % 4 === 3 ? 24 : 12);
      const accent = eighth === 0 ? 1 : 0.7;
      addNote(plucked, {
        at: at + (eighth * beatSeconds) / 2,
        seconds: 0.9,
        midi,
        gain: 0.13 * accent,
        pan: eighth % 2 === 0 ? -0.35 : 0.35,
        overtones: [1, 0.4, 0.18, 0.09],
        attack: 0.006,
        decay: 0.32,
        release: 0.3,
      });
    }
  }
  addEcho(plucked, beatSeconds * 0.75, 0.42);
  addInto(pad, plucked);
  addEcho(pad, 0.0437, 0.18);
  return normalise(pad, 0.7, 0.4, 2.5);
}

/** Synthesises a swelling chord, the sound of the clip. */
export function composeSwell(seconds: number): Stereo {
  const sound = createStereo(seconds);
  for (const [index, midi] of [50, 57, 62, 66, 69].entries()) {
    addNote(sound, {
      at: index * 0.35,
      seconds: seconds - 2.4,
      midi,
      gain: 0.1,
      pan: index * 0.3 - 0.6,
      overtones: [1, 0.4, 0.2, 0.1],
      attack: 1.4,
      release: 2,
    });
  }
  addEcho(sound, 0.31, 0.35);
  return normalise(sound, 0.5, 0.3, 1.2);
}

/** Encodes a 16-bit WAV file. */
export function encodeWav({ left, right }: Stereo): Buffer {
  const header = 44;
  const bytes = Buffer.alloc(header + left.length * 4);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 4, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(left.length * 4, 40);
  for (let index = 0; index < left.length; index++) {
    bytes.writeInt16LE(Math.round((left[index] ?? 0) * 32767), header + index * 4);
    bytes.writeInt16LE(Math.round((right[index] ?? 0) * 32767), header + index * 4 + 2);
  }
  return bytes;
}
