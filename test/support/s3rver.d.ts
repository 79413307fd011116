declare module 's3rver' {
  interface Options {
    port: number;
    address: string;
    silent: boolean;
    directory: string;
    configureBuckets: Array<{ name: string; configs: string[] }>;
    key?: Buffer;
    cert?: Buffer;
  }

  export default class S3rver {
    constructor(options: Options);
    readonly store: { putObject(object: { content: import('node:stream').Readable | Buffer }): Promise<unknown> };
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
