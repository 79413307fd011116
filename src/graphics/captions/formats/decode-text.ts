/** What Windows' Western European has where Latin-1 has control characters, from 0x80 on. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The text of a caption file: Unicode by its byte order mark, UTF-8 where it is valid, else Windows' Western European. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  return normalizeText(encoding === undefined ? decodeWestern(bytes) : new TextDecoder(encoding).decode(bytes));
}

/** One kind of line end, no byte order mark, no characters without meaning. */
export function normalizeText(text: string): string {
  return (
    text
      .replace(/^\ufeff/, '')
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  );
}

function encodingOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark, every other byte of Western text in UTF-16 is zero.
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be';
  if (second === 0 && first !== 0) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return undefined;
  }
}

/** Node's own decoder takes windows-1252 for Latin-1. */
function decodeWestern(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (character) => windowsLetters.charAt(character.charCodeAt(0) - 0x80));
}
