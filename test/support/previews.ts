import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processTree } from './process-tree.js';

export interface PreviewAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** The parsed JSON; empty for other types. */
  body: Record<string, unknown> & { error?: { code: string; message: string; path?: string }; warnings?: Array<{ path: string; message: string }> };
}

export async function callPreview(address: string, path: string, key: string | undefined, body: unknown, signal?: AbortSignal): Promise<PreviewAnswer> {
  const response = await fetch(`${address}/api/preview${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, bytes, body: isJson ? (JSON.parse(bytes.toString('utf8')) as PreviewAnswer['body']) : {} };
}

export interface PreviewRecord {
  time?: number;
  type?: string;
  bytes: Buffer;
  error?: { code: string; message: string };
}

/** Parses the records of /api/preview/frames. */
export function readRecords(bytes: Buffer): PreviewRecord[] {
  const records: PreviewRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const description = JSON.parse(bytes.toString('utf8', at + 4, at + 4 + length)) as Omit<PreviewRecord, 'bytes'> & { bytes: number };
    at += 4 + length;
    records.push({ ...description, bytes: bytes.subarray(at, at + description.bytes) });
    at += description.bytes;
  }
  return records;
}

export interface MediaServer {
  url: string;
  /** Paths in the order of the requests. */
  asked: string[];
  /** Open responses to `/slow…`; the test has to end them. */
  open: ServerResponse[];
  close(): Promise<void>;
}

/** Serves `files` by path. Requests to /slow… stay open; /to-metadata redirects to the metadata service of a cloud. */
export async function startMediaServer(files: Readonly<Record<string, Buffer>>): Promise<MediaServer> {
  const asked: string[] = [];
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    if (path.startsWith('/slow')) {
      open.push(response);
      response.once('close', () => open.splice(open.indexOf(response), 1));
    } else if (path.startsWith('/to-metadata')) response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    else if (Object.hasOwn(files, path)) response.end(files[path]);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    open,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Process ids of the preview processes below `root`. */
export function previewPids(root: number = process.pid): number[] {
  return processTree(root).flatMap(({ pid, command, state }) => (command.includes('preview-worker.js') && state !== 'Z' ? [pid] : []));
}
