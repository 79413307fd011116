import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMovie } from '../../../src/script/index.js';
import { type Answer, movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
let other: string;
beforeAll(async () => {
  service = await startService();
  ({ key } = await service.createKey({ account: 'owner' }));
  ({ key: other } = await service.createKey({ account: 'other' }));
});
afterAll(() => service.stop());

const call = (method: string, path: string, body?: unknown, as = key) => service.call(method, path, { key: as, ...(body !== undefined && { body }) });
const script = { width: 320, height: 180, scenes: [{ duration: 2, elements: [{ type: 'text', text: 'Hello, {{name}}' }] }] };
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function create(fields: object = {}, as = key): Promise<string> {
  const answer = await call('POST', '/api/templates', { name: 'Greeting', script, ...fields }, as);
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body.id);
}

function expectError(answer: Answer, status: number, code: string, path?: string): void {
  expect([answer.status, answer.body.error?.code, answer.body.error?.path], answer.text).toEqual([status, code, path]);
  expect(answer.body.error?.message).toMatch(/\S/);
  for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
}

describe('the five operations', () => {
  it('create answers 201 with id, name, is_public, created_at', async () => {
    const answer = await call('POST', '/api/templates', { name: 'Greeting', script });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^tpl_[0-9a-f]{32}$/), name: 'Greeting', is_public: false, created_at: iso });
  });

  it('retrieve shows all six fields and the unchanged script', async () => {
    const id = await create({ is_public: true });
    const answer = await call('GET', `/api/templates/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id, name: 'Greeting', script, is_public: true, created_at: iso, updated_at: iso });
  });

  it("list shows the account's own templates without scripts, newest first", async () => {
    const { key: lister } = await service.createKey({ account: 'lister' });
    expect((await call('GET', '/api/templates', undefined, lister)).body).toEqual({ templates: [] });
    const ids = [await create({}, lister), await create({ name: 'Second', is_public: true }, lister)];
    expect((await call('GET', '/api/templates', undefined, lister)).body).toEqual({
      templates: [
        { id: ids[1], name: 'Second', is_public: true, created_at: iso, updated_at: iso },
        { id: ids[0], name: 'Greeting', is_public: false, created_at: iso, updated_at: iso },
      ],
    });
    const names = (await call('GET', '/api/templates')).body.templates as Array<{ id: string }>;
    expect(names.map(({ id }) => id)).not.toContain(ids[1]);
  });

  it.each(['PUT', 'PATCH'])('%s changes only the fields that are given', async (method) => {
    const id = await create();
    const before = (await call('GET', `/api/templates/${id}`)).body;
    const changed = await call(method, `/api/templates/${id}`, { name: 'Renamed' });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ id, name: 'Renamed', is_public: false, updated_at: iso });
    expect((await call('GET', `/api/templates/${id}`)).body).toEqual({ ...before, name: 'Renamed', updated_at: changed.body.updated_at });
    await call(method, `/api/templates/${id}`, { is_public: true });
    const second = { scenes: [{ duration: '{{seconds}}' }] };
    expect((await call(method, `/api/templates/${id}`, { script: second })).body).toMatchObject({ name: 'Renamed', is_public: true });
    expect((await call('GET', `/api/templates/${id}`)).body).toMatchObject({ name: 'Renamed', is_public: true, script: second, created_at: before.created_at });
    const now = (await call('GET', `/api/templates/${id}`)).body;
    expect((await call(method, `/api/templates/${id}`, {})).body).toEqual({ id, name: 'Renamed', is_public: true, updated_at: now.updated_at });
    expect((await call(method, `/api/templates/${id}`, now)).status).toBe(200);
  });

  it('delete is permanent', async () => {
    const id = await create();
    const answer = await service.call('DELETE', `/api/templates/${id}`, { key, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    for (const method of ['GET', 'DELETE']) expectError(await call(method, `/api/templates/${id}`), 404, 'NOT_FOUND');
    expectError(await call('PATCH', `/api/templates/${id}`, { name: 'x' }), 404, 'NOT_FOUND');
    expectError(await call('POST', '/api/render/template', { template_id: id }), 404, 'TEMPLATE_NOT_FOUND');
  });
});

describe('permissions', () => {
  it('a private template is visible only to its owner', async () => {
    const id = await create();
    expectError(await call('GET', `/api/templates/${id}`, undefined, other), 403, 'FORBIDDEN');
    for (const method of ['PUT', 'PATCH']) expectError(await call(method, `/api/templates/${id}`, { name: 'Mine' }, other), 403, 'FORBIDDEN');
    expectError(await call('DELETE', `/api/templates/${id}`, undefined, other), 403, 'FORBIDDEN');
    expectError(await call('POST', '/api/render/template', { template_id: id }, other), 403, 'FORBIDDEN');
    expect((await call('GET', `/api/templates/${id}`)).body.name).toBe('Greeting');
  });

  it('a public template can be read and rendered by others, but changed only by its owner', async () => {
    const id = await create({ is_public: true });
    expect((await call('GET', `/api/templates/${id}`, undefined, other)).body).toMatchObject({ id, script });
    for (const method of ['PUT', 'PATCH']) expectError(await call(method, `/api/templates/${id}`, { is_public: false }, other), 403, 'FORBIDDEN');
    expectError(await call('DELETE', `/api/templates/${id}`, undefined, other), 403, 'FORBIDDEN');
    const answer = await call('POST', '/api/render/template', { template_id: id }, other);
    expect(answer.status).toBe(202);
    await service.waitForEnd(other, String(answer.body.job_id));
    await call('PATCH', `/api/templates/${id}`, { is_public: false });
    expectError(await call('GET', `/api/templates/${id}`, undefined, other), 403, 'FORBIDDEN');
  });

  it.each([
    ['POST', '/api/templates'],
    ['GET', '/api/templates'],
    ['GET', '/api/templates/tpl_1'],
    ['PUT', '/api/templates/tpl_1'],
    ['PATCH', '/api/templates/tpl_1'],
    ['DELETE', '/api/templates/tpl_1'],
    ['POST', '/api/render/template'],
  ])('%s %s needs a key', async (method, path) => {
    expectError(await service.call(method, path), 401, 'UNAUTHORIZED');
  });

  it('unknown ids are not found', async () => {
    for (const id of ['tpl_0', 'x', '%00', "'", 'tpl_00000000000000000000000000000000', '__proto__']) {
      expectError(await call('GET', `/api/templates/${id}`), 404, 'NOT_FOUND');
    }
    const answer = await call('POST', '/api/templates/tpl_1', {});
    expectError(answer, 405, 'INVALID_REQUEST');
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, PUT');
  });

  it('secrets of exports are hidden from readers of the template', async () => {
    const target = { type: 'ftp', host: 'ftp.example.com', username: 'me', password: 'hunter2-secret' };
    const id = await create({ is_public: true, script: { ...script, exports: [target] } });
    for (const as of [key, other]) {
      const { text, body } = await call('GET', `/api/templates/${id}`, undefined, as);
      expect(text).not.toContain('hunter2-secret');
      expect(body).toMatchObject({ script: { exports: [{ type: 'ftp', host: 'ftp.example.com', password: '***' }] } });
    }
    const { body } = await call('GET', `/api/templates/${id}`);
    expectError(await call('PUT', `/api/templates/${id}`, body), 400, 'SCHEMA_VALIDATION_ERROR', 'script.exports');
    const stranger = await call('POST', '/api/render/template', { template_id: id }, other);
    expect(stranger.status).toBe(202);
    const job = await service.waitForEnd(other, String(stranger.body.job_id));
    expect(job).not.toHaveProperty('exports');
  });
});

describe('refusals', () => {
  it.each([
    ['an empty name', { name: '' }, 'VALIDATION_ERROR', 'name'],
    ['a blank name', { name: ' \t\n' }, 'VALIDATION_ERROR', 'name'],
    ['a number as name', { name: 7 }, 'VALIDATION_ERROR', 'name'],
    ['null as name', { name: null }, 'VALIDATION_ERROR', 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'VALIDATION_ERROR', 'name'],
    ['is_public as text', { is_public: 'true' }, 'VALIDATION_ERROR', 'is_public'],
    ['a script that is no object', { script: 'x' }, 'VALIDATION_ERROR', 'script'],
    ['a script that is an array', { script: [] }, 'VALIDATION_ERROR', 'script'],
    ['a script that is null', { script: null }, 'VALIDATION_ERROR', 'script'],
    ['a misspelt field', { is_publik: true }, 'VALIDATION_ERROR', 'is_publik'],
    ['an empty script', { script: {} }, 'SCHEMA_VALIDATION_ERROR', 'script.scenes'],
    ['no scene', { script: { scenes: [] } }, 'SCHEMA_VALIDATION_ERROR', 'script.scenes'],
    [
      'a script with a wrong field',
      { script: { scenes: [{ elements: [{ type: 'text', text: 7 }] }] } },
      'SCHEMA_VALIDATION_ERROR',
      'script.scenes.0.elements.0.text',
    ],
  ])('%s, by each method', async (_name, fields, code, path) => {
    const id = await create();
    expectError(await call('POST', '/api/templates', { name: 'x', script, ...fields }), 400, code, path);
    for (const method of ['PUT', 'PATCH']) expectError(await call(method, `/api/templates/${id}`, fields), 400, code, path);
  });

  it('missing fields', async () => {
    expectError(await call('POST', '/api/templates', { script }), 400, 'VALIDATION_ERROR', 'name');
    expectError(await call('POST', '/api/templates', { name: 'x' }), 400, 'VALIDATION_ERROR', 'script');
  });

  it('bodies that are not objects or not JSON', async () => {
    const id = await create();
    for (const [method, path, code] of [
      ['POST', '/api/templates', 'VALIDATION_ERROR'],
      ['PUT', `/api/templates/${id}`, 'VALIDATION_ERROR'],
      ['PATCH', `/api/templates/${id}`, 'VALIDATION_ERROR'],
      ['POST', '/api/render/template', 'INVALID_REQUEST'],
    ] as const) {
      for (const body of [[], 'x', 7, null, true]) expectError(await call(method, path, body), 400, code, '');
      expectError(await call(method, path), 400, code, '');
      expectError(await service.call(method, path, { key, text: '', headers: { 'content-type': 'application/json' } }), 400, code, '');
      expectError(await service.call(method, path, { key, text: '{', headers: { 'content-type': 'application/json' } }), 400, 'INVALID_JSON');
      expectError(await service.call(method, path, { key, text: '{"__proto__":{}}', headers: { 'content-type': 'application/json' } }), 400, code, '__proto__');
      expectError(await service.call(method, path, { key, text: 'x', headers: { 'content-type': 'text/plain' } }), 415, 'INVALID_REQUEST');
    }
  });

  it('more than 1000 templates of one account', async () => {
    const { key: full, accountId } = await service.createKey({ account: 'full' });
    const row = { account_id: accountId, name: 'x', script: '{}', is_public: 0, created_at: 'x', updated_at: 'x' };
    await service.app.db
      .insertInto('templates')
      .values(Array.from({ length: 999 }, (_, index) => ({ ...row, id: `tpl_${index}` })))
      .execute();
    await create({}, full);
    expectError(await call('POST', '/api/templates', { name: 'x', script }, full), 400, 'VALIDATION_ERROR', '');
    expect((await call('GET', '/api/templates', undefined, full)).body.templates).toHaveLength(1000);
    await create();
  });
});

describe('POST /api/render/template', () => {
  const submitted = async (jobId: unknown) =>
    JSON.parse((await service.app.db.selectFrom('jobs').select('script').where('id', '=', String(jobId)).executeTakeFirstOrThrow()).script) as unknown;

  it('fills the placeholders and answers as POST /api/render does', async () => {
    const { key: payer } = await service.createKey({ account: 'payer', credits: 10 });
    const open = {
      ...script,
      scenes: [{ duration: '{{seconds}}', background: '{{ color }}', elements: [{ type: 'text', text: 'Hello, {{name}} {{missing}}' }] }],
    };
    const id = await create({ script: open }, payer);
    const answer = await call('POST', '/api/render/template', { template_id: id, variables: { seconds: 3, color: '#ff8800', name: 'Ada', unused: [] } }, payer);
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toEqual({ job_id: expect.any(String), status: 'queued', estimated_credits: 3, credits_remaining: 7 });
    const filled = { ...script, scenes: [{ duration: 3, background: '#ff8800', elements: [{ type: 'text', text: 'Hello, Ada {{missing}}' }] }] };
    const stored = (await submitted(answer.body.job_id)) as { variables: object };
    expect(parseMovie(stored)).toEqual(parseMovie(filled));
    expect(Object.keys(stored.variables)).toEqual(['seconds', 'color', 'name']);
    expect((await service.waitForEnd(payer, String(answer.body.job_id))).status).toBe('completed');
  });

  it('works without variables and does not change queued jobs when the template changes or is deleted', async () => {
    const id = await create();
    const answer = await call('POST', '/api/render/template', { template_id: id });
    expect(answer.status).toBe(202);
    await call('PATCH', `/api/templates/${id}`, { script: { scenes: [{ duration: 9 }] } });
    await call('DELETE', `/api/templates/${id}`);
    expect(await submitted(answer.body.job_id)).toEqual(script);
    expect((await service.waitForEnd(key, String(answer.body.job_id))).status).toBe('completed');
  });

  it.each([
    ['no template_id', {}, 'template_id'],
    ['template_id as number', { template_id: 7 }, 'template_id'],
    ['template_id as null', { template_id: null }, 'template_id'],
    ['an empty template_id', { template_id: '' }, 'template_id'],
    ['variables as array', { template_id: 'tpl_1', variables: [] }, 'variables'],
    ['variables as text', { template_id: 'tpl_1', variables: 'x' }, 'variables'],
    ['variables as null', { template_id: 'tpl_1', variables: null }, 'variables'],
    ['a misspelt field', { template_id: 'tpl_1', variable: {} }, 'variable'],
  ])('%s: INVALID_REQUEST', async (_name, body, path) => {
    expectError(await call('POST', '/api/render/template', body), 400, 'INVALID_REQUEST', path);
  });

  it('reports an error caused by a value at its path in the script', async () => {
    const open = { scenes: [{ duration: '{{seconds}}', elements: [{ type: 'image', src: '{{src}}' }] }] };
    const id = await create({ script: open });
    const render = (variables: object) => call('POST', '/api/render/template', { template_id: id, variables });
    expectError(await render({ src: 'https://example.com/a.png', seconds: 'long' }), 400, 'SCHEMA_VALIDATION_ERROR', 'scenes.0.duration');
    expectError(await render({ src: 'http://127.0.0.1/a.png', seconds: 2 }), 400, 'SCHEMA_VALIDATION_ERROR', 'scenes.0.elements.0.src');
    expectError(await render({ seconds: 2 }), 400, 'SCHEMA_VALIDATION_ERROR', 'scenes.0.elements.0.src');
    expectError(await render({ src: 'https://example.com/{{x}}.png', seconds: 2 }), 400, 'SCHEMA_VALIDATION_ERROR', 'scenes.0.elements.0.src');
    expectError(await render({ src: 'https://example.com/a.png', seconds: 5000 }), 402, 'INSUFFICIENT_CREDITS');
  });

  it('accepts whole scenes and elements as values', async () => {
    const id = await create({ script: { width: 320, height: 180, scenes: '{{scenes}}', elements: ['{{logo}}'] } });
    const variables = { scenes: [{ duration: 2 }], logo: { type: 'text', text: 'x' } };
    const answer = await call('POST', '/api/render/template', { template_id: id, variables });
    expect(answer.status, answer.text).toBe(202);
    await service.waitForEnd(key, String(answer.body.job_id));
    expectError(
      await call('POST', '/api/render/template', { template_id: id, variables: { ...variables, scenes: [] } }),
      400,
      'SCHEMA_VALIDATION_ERROR',
      'scenes',
    );
  });

  it('is free with a sandbox key', async () => {
    const { key: sandbox, accountId } = await service.createKey({ account: 'owner', mode: 'test', credits: 0 });
    const id = await create({}, sandbox);
    const before = await service.balance(accountId);
    const answer = await call('POST', '/api/render/template', { template_id: id }, sandbox);
    expect(answer.status).toBe(202);
    await service.waitForEnd(sandbox, String(answer.body.job_id));
    expect(await service.balance(accountId)).toBe(before);
  });
});

it('a script without placeholders is a valid template', async () => {
  const id = await create({ script: movie() });
  expect((await call('GET', `/api/templates/${id}`)).body.script).toEqual(movie());
});
