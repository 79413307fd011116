import type { Environment } from './environment.js';

/** The render processes of this host. */
export interface JobsConfig {
  /** Number of render processes; 0 on a pure API node. */
  workers: number;
  /** Environment of render processes: settings of this product and of the libraries they load, without the secrets of the service. */
  workerEnvironment: Readonly<Record<string, string>>;
}

/** The processes that draw previews. */
export interface PreviewConfig {
  /** Maximum number of processes; 0 disables previews. */
  workers: number;
}

const workerVariables =
  /^(FRAMEWRIGHT_(?!SMTP_URL$).+|PATH|HOME|USER|TMPDIR|LANG|LC_.+|TZ|LD_LIBRARY_PATH|XDG_.+|VK_.+|LP_.+|LIBVA_.+|CUDA_.+|NVIDIA_.+|FONTCONFIG_.+|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_.+)$/;

export function parseJobsConfig(environment: Environment): JobsConfig {
  return Object.freeze({
    workers: environment.integer('FRAMEWRIGHT_WORKERS', 1, { min: 0, max: 256 }),
    workerEnvironment: Object.freeze(environment.select((name) => workerVariables.test(name))),
  });
}

export function parsePreviewConfig(environment: Environment): PreviewConfig {
  return Object.freeze({ workers: environment.integer('FRAMEWRIGHT_PREVIEW_WORKERS', 1, { min: 0, max: 64 }) });
}
