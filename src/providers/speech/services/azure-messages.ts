import type { TimedText } from '../speech.js';

/** A message on the Speech service's WebSocket: header lines, an empty line, a body; binary messages start with the headers' length. */
export interface AzureMessage {
  path: string;
  body: Buffer;
}

export function writeMessage(path: string, requestId: string, contentType: string, body: string): string {
  const headers = { Path: path, 'X-RequestId': requestId, 'X-Timestamp': new Date().toISOString(), 'Content-Type': contentType };
  return `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

export function readMessage(message: string | Buffer): AzureMessage {
  if (typeof message === 'string') {
    const end = message.indexOf('\r\n\r\n');
    return { path: pathOf(end < 0 ? message : message.slice(0, end)), body: Buffer.from(end < 0 ? '' : message.slice(end + 4)) };
  }
  const length = message.length < 2 ? 0 : message.readUInt16BE(0);
  return { path: pathOf(message.toString('utf8', 2, 2 + length)), body: message.subarray(2 + length) };
}

function pathOf(headers: string): string {
  return (/^path:\s*(\S+)/im.exec(headers)?.[1] ?? '').toLowerCase();
}

interface Metadata {
  Metadata?: Array<{ Type?: string; Data?: { Offset?: number; Duration?: number; text?: { Text?: string; BoundaryType?: string } } }>;
}

/** The service's times are in units of 100 ns. */
const UNITS_PER_SECOND = 10_000_000;

export function readBoundaries(body: Buffer): TimedText[] {
  const { Metadata: entries = [] } = JSON.parse(body.toString('utf8')) as Metadata;
  return entries.flatMap(({ Type, Data }) => {
    const text = Data?.text?.Text;
    if (Type !== 'WordBoundary' || text === undefined || Data?.Offset === undefined || Data.text?.BoundaryType === 'PunctuationBoundary') return [];
    return [{ text, start: Data.Offset / UNITS_PER_SECOND, end: (Data.Offset + (Data.Duration ?? 0)) / UNITS_PER_SECOND }];
  });
}
