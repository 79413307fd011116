import { randomBytes } from 'node:crypto';

export interface Form {
  fields: ReadonlyArray<readonly [name: string, value: string]>;
  file: { field: string; name: string; bytes: Buffer };
}

/** Encodes a form with one file (RFC 7578). */
export function multipart({ fields, file }: Form): { contentType: string; body: Buffer } {
  const boundary = `framewright-${randomBytes(12).toString('hex')}`;
  const parts = fields.map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const opening = `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${file.name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(parts.join('') + opening), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
