import type { Environment } from './environment.js';

export interface JobsConfig {
  /** Render processes on this host; 0 on a pure API node. */
  workers: number;
  /** What a render process may see of the environment: settings of this product and of the libraries it loads, no secrets. */
  workerEnvironment: Readonly<Record<string, string>>;
}

const workerVariables =
  /^(FRAMEWRIGHT_(?!SMTP_URL$).+|PATH|HOME|USER|TMPDIR|LANG|LC_.+|TZ|LD_LIBRARY_PATH|XDG_.+|VK_.+|LP_.+|LIBVA_.+|CUDA_.+|NVIDIA_.+|FONTCONFIG_.+|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_.+)$/;

export function parseJobsConfig(environment: Environment): JobsConfig {
  return Object.freeze({
    workers: environment.integer('FRAMEWRIGHT_WORKERS', 1, { min: 0, max: 256 }),
    workerEnvironment: Object.freeze(environment.select((name) => workerVariables.test(name))),
  });
}
