/** Characters of windows-1252 from 0x80, where Latin-1 has control characters. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes a caption file: UTF-16 or UTF-8 by byte order mark, otherwise UTF-8 if valid, otherwise windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return normalizeText(encoding === undefined ? decodeWestern(bytes) : new TextDecoder(encoding).decode(bytes));
}

/** Normalizes line ends to `\n` and removes the byte order mark and control characters. */
export function normalizeText(text: string): string {
  return (
    text
      .replace(/^\ufeff/, '')
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  );
}

function encodingOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a byte order mark: every other byte of Western text in UTF-16 is zero.
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be';
  if (second === 0 && first !== 0) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return undefined;
  }
}

/** Decodes windows-1252; Node's TextDecoder treats it as Latin-1. */
function decodeWestern(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => windowsLetters.charAt(character.charCodeAt(0) - 0x80));
}
