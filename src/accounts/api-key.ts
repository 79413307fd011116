import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `live` keys render and pay; `test` keys get mock videos for free. */
export type KeyMode = 'live' | 'test';

const prefixes: Readonly<Record<KeyMode, string>> = { live: 've_live_', test: 've_test_' };

/** Creates a key: a prefix that names the mode, then 256 random bits. */
export function createKeyText(mode: KeyMode): string {
  return prefixes[mode] + randomBytes(32).toString('base64url');
}

/** The fields of a key that may be stored. */
export function describeKey(key: string): { hash: string; prefix: string; lastFour: string } {
  return { hash: hashKey(key), prefix: key.slice(0, prefixes.live.length), lastFour: key.slice(-4) };
}

/** SHA-256 of a key or token, hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** Whether a text has the form of a key; spares a query for those that have not. */
export function looksLikeKey(text: string): boolean {
  return /^ve_(live|test)_[A-Za-z0-9_-]{43}$/.test(text);
}

/** A log line (JSON) without the secret part of API keys, wherever they stand in it, and without other values in the places of keys. */
export function censorKeys(line: string): string {
  return line
    .replaceAll(/ve_(live|test)_[A-Za-z0-9_-]{43}/g, 've_$1_[key]')
    .replaceAll(/"(x-api-key|apiKey)":"(?!ve_(?:live|test)_\[key\]")[^"]*"/gi, '"$1":"[key]"')
    .replaceAll(/([?&]apiKey=)(?!ve_(?:live|test)_\[key\])[^&"\\\s]*/gi, '$1[key]');
}

/** Compares two hex hashes in constant time. */
export function equalHashes(left: string, right: string): boolean {
  const a = Buffer.from(left, 'hex');
  const b = Buffer.from(right, 'hex');
  return a.length === b.length && timingSafeEqual(a, b);
}
