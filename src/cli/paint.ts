/** What a terminal can show; nothing of it is written to files and pipes. */
export interface Terminal {
  readonly isTTY?: boolean;
  /** Of Node's terminals: false for TERM=dumb and where NO_COLOR is set. */
  hasColors?(): boolean;
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Paint = (look: keyof typeof codes, text: string) => string;

/** Colours texts for a stream, where it is a terminal with colours. */
export function painterFor(stream: Terminal): Paint {
  const inColor = stream.isTTY === true && stream.hasColors?.() === true;
  return (look, text) => (inColor ? `\x1b[${codes[look]}m${text}\x1b[0m` : text);
}
