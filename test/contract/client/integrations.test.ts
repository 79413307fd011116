import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMovie } from '../../../src/script/index.js';
import { temporaryFolder } from '../../support/cli.js';
import { startFaultyProxy } from '../../support/faulty-proxy.js';
import { ffprobe } from '../../support/ffmpeg.js';
import { createKey, type RunningService, startService } from '../../support/service.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningService;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(join(folder.path, 'data'));
  environment = { PATH: process.env.PATH ?? '', FRAMEWRIGHT_API_KEY: await createKey(join(folder.path, 'data')), FRAMEWRIGHT_URL: service.url };
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});
const countJobs = async (): Promise<number> => {
  const response = await fetch(`${service.url}/api/jobs`, { headers: { 'x-api-key': environment.FRAMEWRIGHT_API_KEY ?? '' } });
  return ((await response.json()) as { total: number }).total;
};

it('the curl commands of docs/integrations.md render a video', async () => {
  const page = await readFile(join(root, 'docs/integrations.md'), 'utf8');
  const [, commands = ''] = /## curl\n```sh\n(.*?)```/s.exec(page) ?? [];
  expect(commands).toContain('curl');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder.path, env: environment });
  expect(stdout).toContain('event: complete');
  expect(ffprobe(join(folder.path, 'hello.mp4')).streams[0]).toMatchObject({ codec_name: 'h264', width: 640, height: 360 });
});

it('the Python program renders one video despite lost responses, and reports errors', async () => {
  const proxy = await startFaultyProxy(
    () => service.url,
    ({ method, path }, number) => (number > 1 ? 'through' : method === 'POST' ? 'answer-lost' : path.includes('/jobs/') ? { status: 503 } : 'through'),
  );
  const before = await countJobs();
  const movie = join(folder.path, 'movie-py.json');
  const video = join(folder.path, 'video-py.mp4');
  const python = (...args: string[]) =>
    run('python3', [join(root, 'examples/integrations/render.py'), ...args], { env: { ...environment, FRAMEWRIGHT_URL: proxy.url } });
  await writeFile(movie, JSON.stringify({ width: 320, height: 180, scenes: [{ duration: 1, background: '#204060' }] }));
  const { stdout } = await python(movie, video);
  expect(stdout).toBe(`${video}: 1 s for 1 credits\n`.replace('1 s', `${Number(ffprobe(video).format.duration)} s`));
  expect(proxy.of('POST /api/render')).toHaveLength(2);
  expect(await countJobs()).toBe(before + 1);
  await writeFile(movie, '{"scenes":[{"duration":"long"}]}');
  await expect(python(movie, video)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('SCHEMA_VALIDATION_ERROR scenes.0.duration: ') });
  await proxy.close();
});

interface Workflow {
  nodes: Array<{ id: string; name: string; type: string; typeVersion: number; position: number[]; parameters: Record<string, unknown>; credentials?: object }>;
  connections: Record<string, { main: Array<Array<{ node: string; type: string; index: number }>> }>;
}

it('the n8n workflow uses existing routes and fields', async () => {
  const workflow = JSON.parse(await readFile(join(root, 'examples/integrations/n8n-render.json'), 'utf8')) as Workflow;
  const description = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<string, { parameters: Array<{ name: string; in: string }>; responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
    components: { schemas: Record<string, { properties: Record<string, unknown> }> };
  };
  const names = workflow.nodes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(names.length);
  for (const { type, typeVersion, position } of workflow.nodes)
    expect([type.startsWith('n8n-nodes-base.'), typeVersion >= 1, position.length]).toEqual([true, true, 2]);
  const targets = Object.values(workflow.connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
  for (const name of [...Object.keys(workflow.connections), ...targets]) expect(names).toContain(name);
  // All nodes are reachable from the start, and the polling loops.
  expect(new Set(['Start', ...targets])).toEqual(new Set(names));
  expect(workflow.connections.Status?.main.map(([to]) => to?.node)).toEqual(['Download', 'Failed', 'Wait']);

  const parametersOf = (name: string) => workflow.nodes.find((node) => node.name === name)?.parameters ?? {};
  const settings = JSON.parse(String(parametersOf('Settings').jsonOutput)) as Record<string, string>;
  const pathOf = (name: string): string =>
    String(parametersOf(name).url)
      .replace(/^=\{\{ .*?base_url \}\}/, '')
      .replace(/\{\{ .*?\.(\w+) \}\}/g, '{$1}');
  const submit = description.paths[pathOf('Submit')]?.[String(parametersOf('Submit').method).toLowerCase()];
  expect(description.paths[pathOf('Job')]?.[String(parametersOf('Job').method).toLowerCase()]).toBeDefined();
  expect([pathOf('Submit'), pathOf('Job')]).toEqual(['/api/render', '/api/jobs/{job_id}']);
  const headers = (parametersOf('Submit').headerParameters as { parameters: Array<{ name: string; value: string }> }).parameters;
  expect(headers.map(({ name }) => name)).toEqual(submit?.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name));
  for (const name of ['Submit', 'Job']) {
    expect(parametersOf(name)).toMatchObject({ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' });
    expect(workflow.nodes.find((node) => node.name === name)?.credentials).toHaveProperty('httpHeaderAuth');
  }

  // The body is a JavaScript expression between ={{ and }}.
  const expression = /^=\{\{(.*)\}\}$/s.exec(String(parametersOf('Submit').jsonBody))?.[1] ?? '';
  const body = new Function('$json', `return (${expression});`)(settings) as unknown;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
    $ref: '#/components/schemas/Script',
    components: description.components,
  });
  expect([validate(body), validate.errors]).toEqual([true, null]);
  expect(parseMovie(body, { checkUrl: () => undefined }).scenes).toHaveLength(1);

  // The fields that it reads exist in the responses.
  const fields = Object.keys(description.components.schemas.Job?.properties ?? {});
  const text = JSON.stringify(workflow);
  const read = [...text.matchAll(/\$json\.(\w+)/g), ...text.matchAll(/\.item\.json\.(\w+)/g)].map(([, name = '']) => name);
  expect(read.length).toBeGreaterThan(6);
  expect(read.filter((name) => !fields.includes(name) && !(name in settings))).toEqual([]);
});
