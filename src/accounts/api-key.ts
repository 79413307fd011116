import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export type KeyMode = 'live' | 'test';

const prefixes: Readonly<Record<KeyMode, string>> = { live: 've_live_', test: 've_test_' };

/** 256 random bits after the prefix that names the mode. */
export function createKeyText(mode: KeyMode): string {
  return prefixes[mode] + randomBytes(32).toString('base64url');
}

/** What may be stored of a key. */
export function describeKey(key: string): { hash: string; prefix: string; lastFour: string } {
  return { hash: hashKey(key), prefix: key.slice(0, prefixes.live.length), lastFour: key.slice(-4) };
}

export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** False for texts that can not be a key, before anything is looked up. */
export function looksLikeKey(text: string): boolean {
  return /^ve_(live|test)_[A-Za-z0-9_-]{43}$/.test(text);
}

export function equalHashes(left: string, right: string): boolean {
  const a = Buffer.from(left, 'hex');
  const b = Buffer.from(right, 'hex');
  return a.length === b.length && timingSafeEqual(a, b);
}
