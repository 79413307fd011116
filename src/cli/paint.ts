/** The properties of an output stream that decide on colours. */
export interface Terminal {
  readonly isTTY?: boolean;
  /** Node's terminal check: false for TERM=dumb and with NO_COLOR. */
  hasColors?(): boolean;
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Paint = (look: keyof typeof codes, text: string) => string;

/** Returns a function that colours texts if the stream is a terminal with colours. */
export function painterFor(stream: Terminal): Paint {
  const inColor = stream.isTTY === true && stream.hasColors?.() === true;
  return (look, text) => (inColor ? `\x1b[${codes[look]}m${text}\x1b[0m` : text);
}
