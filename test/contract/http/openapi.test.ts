import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movie, type Service, startService } from '../../support/service-in-process.js';

interface Content {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Described {
  operationId: string;
  security: object[];
  parameters: Array<{ name: string; in: string; required: boolean }>;
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { headers: object; content: Record<string, Content> }>;
}
interface Description {
  openapi: string;
  servers: Array<{ url: string }>;
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

let service: Service;
let key: string;
let description: Description;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.createKey());
  description = (await service.call('GET', '/api/openapi.json')).body as unknown as Description;
});
afterAll(() => service.stop());

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
/** Validates a value against a schema of the description, whose references point into the description. */
function faults(schema: object, value: unknown): unknown[] {
  const validate = ajv.compile({ allOf: [schema], components: description.components });
  return validate(value) ? [] : (validate.errors ?? []);
}
const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, described]) => ({ method, path, described })));
const jsonSchemaOf = (method: string, path: string, status: number): object => {
  const schema = description.paths[path]?.[method]?.responses[status]?.content['application/json']?.schema;
  if (schema === undefined) throw new Error(`${method} ${path} ${status} is not described`);
  return schema;
};

describe('GET /api/openapi.json', () => {
  it('is valid OpenAPI 3.1, without a key, at the address that clients use', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(description) as unknown as Parameters<Validator['validate']>[0]);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(description.servers).toEqual([{ url: service.app.address }]);
  });

  it('describes every route of the API', () => {
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(
      [
        'delete /api/templates/{id}',
        'get /api/components',
        'get /api/credits',
        'get /api/jobs',
        'get /api/jobs/{job_id}',
        'get /api/jobs/{job_id}/progress',
        'get /api/openapi.json',
        'get /api/render/schema',
        'get /api/templates',
        'get /api/templates/{id}',
        'patch /api/templates/{id}',
        'post /api/preview',
        'post /api/preview/frame',
        'post /api/preview/frames',
        'post /api/render',
        'post /api/render/template',
        'post /api/templates',
        'put /api/templates/{id}',
      ].sort(),
    );
  });

  it('gives each operation a unique id, its path parameters and its authentication', () => {
    const ids = operations().map(({ described }) => described.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, described } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
      const open = path === '/api/openapi.json' || path === '/api/render/schema';
      expect(described.security).toEqual(open ? [] : path.endsWith('/progress') ? [{ key: [] }, { keyInQuery: [] }] : [{ key: [] }]);
    }
  });

  it('has no dangling reference', () => {
    const names = [...JSON.stringify(description).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => description.components.schemas[name] === undefined)).toEqual([]);
    expect(JSON.stringify(description)).not.toContain('#/$defs/');
  });

  it('has valid examples of requests, responses and errors', () => {
    let count = 0;
    for (const { method, path, described } of operations()) {
      const contents = [described.requestBody, ...Object.values(described.responses)].flatMap((holder) => Object.values(holder?.content ?? {}));
      for (const { schema, example, examples = {} } of contents) {
        const values = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
        for (const value of values) expect(faults(schema, value), `${method} ${path}: ${JSON.stringify(value)}`).toEqual([]);
        count += values.length;
      }
    }
    expect(count).toBeGreaterThan(60);
  });

  it('describes scripts as the movie schema does', () => {
    expect(faults({ $ref: '#/components/schemas/Script' }, movie())).toEqual([]);
    expect(faults({ $ref: '#/components/schemas/Script' }, { scenes: [{ elements: [{ type: 'text', text: 7 }] }] })).not.toEqual([]);
  });
});

describe('real responses', () => {
  it('match their description', async () => {
    const script = { width: 320, height: 180, scenes: [{ duration: 2, elements: [{ type: 'text', text: '{{a}}' }] }] };
    const seen = new Set<string>();
    const check = async (method: string, path: string, pattern: string, status: number, body?: unknown) => {
      const answer = await service.call(method, path, { key, ...(body !== undefined && { body }) });
      expect(answer.status, `${method} ${path} ${answer.text}`).toBe(status);
      expect(faults(jsonSchemaOf(method.toLowerCase(), pattern, status), answer.body), answer.text).toEqual([]);
      seen.add(`${method.toLowerCase()} ${pattern}`);
      return answer.body;
    };
    const job = await check('POST', '/api/render', '/api/render', 202, movie());
    const failed = await check('POST', '/api/render', '/api/render', 202, movie('fail'));
    const template = await check('POST', '/api/templates', '/api/templates', 201, { name: 'x', script });
    await check('GET', `/api/jobs/${job.job_id}`, '/api/jobs/{job_id}', 200);
    const queued = await check('POST', '/api/render/template', '/api/render/template', 202, { template_id: template.id });
    for (const { job_id } of [job, failed, queued]) await service.waitForEnd(key, String(job_id));
    for (const { job_id } of [job, failed, queued]) await check('GET', `/api/jobs/${job_id}`, '/api/jobs/{job_id}', 200);
    await check('GET', '/api/jobs', '/api/jobs', 200);
    await check('GET', '/api/credits', '/api/credits', 200);
    await check('GET', '/api/components', '/api/components', 200);
    await check('GET', '/api/templates', '/api/templates', 200);
    await check('GET', `/api/templates/${template.id}`, '/api/templates/{id}', 200);
    await check('PUT', `/api/templates/${template.id}`, '/api/templates/{id}', 200, { name: 'y' });
    await check('PATCH', `/api/templates/${template.id}`, '/api/templates/{id}', 200, { is_public: true });
    await check('DELETE', `/api/templates/${template.id}`, '/api/templates/{id}', 200);
    await check('GET', '/api/render/schema', '/api/render/schema', 200);
    await check('GET', '/api/openapi.json', '/api/openapi.json', 200);
    await check('POST', '/api/preview', '/api/preview', 200, { movie: script, variables: { a: 'b' } });
    const described = operations().map(({ method, path }) => `${method} ${path}`);
    // Streams and images are not JSON.
    expect(described.filter((name) => !seen.has(name))).toEqual(['get /api/jobs/{job_id}/progress', 'post /api/preview/frame', 'post /api/preview/frames']);
  });

  it.each([
    ['POST', '/api/render', '/api/render', 400, { scenes: [] }],
    ['POST', '/api/render', '/api/render', 402, movie('', 5000)],
    ['POST', '/api/render/template', '/api/render/template', 400, {}],
    ['POST', '/api/render/template', '/api/render/template', 404, { template_id: 'tpl_none' }],
    ['POST', '/api/templates', '/api/templates', 400, { name: '' }],
    ['GET', '/api/jobs?page=0', '/api/jobs', 400, undefined],
    ['GET', '/api/jobs/none', '/api/jobs/{job_id}', 404, undefined],
    ['GET', '/api/jobs/none/progress', '/api/jobs/{job_id}/progress', 404, undefined],
    ['POST', '/api/preview', '/api/preview', 400, { movie: { scenes: [] } }],
    ['POST', '/api/preview/frame', '/api/preview/frame', 400, { movie: movie(), time: -1 }],
    ['POST', '/api/preview/frames', '/api/preview/frames', 400, { movie: movie(), from: 0, to: 9, step: 0.01 }],
    ['DELETE', '/api/templates/none', '/api/templates/{id}', 404, undefined],
  ])('%s %s refuses as %s describes with %i', async (method, path, pattern, status, body) => {
    const answer = await service.call(method, path, { key, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(status);
    expect(faults(jsonSchemaOf(method.toLowerCase(), pattern, status), answer.body)).toEqual([]);
  });
});

it('/docs shows every operation on a self-contained page', async () => {
  const answer = await service.call('GET', '/docs');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const { described } of operations()) expect(answer.text).toContain(`<section id="${described.operationId}">`);
  for (const name of Object.keys(description.components.schemas)) expect(answer.text).toContain(`<section id="schema-${name}">`);
  const targets = [...answer.text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets.filter((id) => !answer.text.includes(`id="${id}"`))).toEqual([]);
  expect(answer.text).not.toMatch(/<script|src=|<link|@import|url\(/);
});
