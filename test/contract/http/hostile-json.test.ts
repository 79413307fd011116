import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswerOfOurs } from '../../support/error-answer.js';
import { type Answer, movie, type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ workers: 0 });
  ({ key } = await service.createKey({ credits: 1_000_000, limits: { requestsPerMinute: 100_000, concurrentJobs: 10_000 } }));
});
afterAll(() => service.stop());

async function send(text: string | Uint8Array, path = '/api/render', method = 'POST'): Promise<Answer> {
  const answer = await service.call(method, path, { key, text, headers: { 'content-type': 'application/json' } });
  expectAnswerOfOurs({ status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.text }, String(text).slice(0, 60));
  return answer;
}

/** Valid JSON as the value of an ignored key, so that only parsing matters. */
const valid = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e5', '1E+5', '1e-5', '123456789012345678901234567890', '1e400', '-1e400', '1e-400', '0.1e0'],
  ...['""', '"a"', '"\\u0041"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\ud83d\\ude00"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\uffff"', '"\u007f"'],
  ...['"\u2028\u2029"', '"é"', '"😀"', '"\ufeff"', '[]', '{}', '[[]]', '[1,[2,{"a":[]}]]', '[ ]', '{ }', '[1 , 2]', '\t\r\n 1 \t\r\n'],
  ...['{"":0}', '{"a":1,"a":2}', '{"a":{"a":{"a":1}}}', '{"\\u0061":1}', '{"constructor":{"prototype":{"a":1}}}', '{"prototype":1}', '{"toString":1}'],
  ...['{"hasOwnProperty":1}', '{"__defineGetter__":1}', '{"length":5}', '[null,null]', '"\\u0041\\u030a"', '{"é":1}', '-123.456e-7'],
];

/** Invalid JSON, as the whole body where that matters. */
const invalid = [
  ...['[1,]', '{"a":1,}', '[,1]', '{,}', '[1,,2]', '[1 2]', '{"a" 1}', '{"a":}', '{a:1}', "{'a':1}", '{"a":1 "b":2}', '{1:1}', '[1', '{"a":1', ']', '}'],
  ...['[1]]', '{}}', '{}{}', '[][]', '1 2', '"a" "b"', '//', '/**/1', '1//', '#', '[1/*x*/]', '<a/>', 'a: 1', '---\na: 1', '\\', '"', '"a', "'a'", '`a`'],
  ...['"\\x41"', '"\\u00"', '"\\u00g0"', '"\\U0041"', '"\\', '"\\a"', '"\\0"', '"\t"', '"\n"', '"\u0000"', '"\u001f"', '"\\u"', '"\\ud83d\\u"'],
  ...[
    '01',
    '-01',
    '00',
    '+1',
    '.5',
    '5.',
    '1.e5',
    '1e',
    '1e+',
    '1e5.5',
    '--1',
    '-',
    '- 1',
    '0x1',
    '0b1',
    '0o1',
    '1_000',
    '1,5',
    'Infinity',
    '-Infinity',
    'NaN',
  ],
  ...[
    'undefined',
    'True',
    'FALSE',
    'nul',
    'nulll',
    'tru',
    'None',
    'nil',
    '\u00a01',
    '\u20281',
    '\u000b1',
    '\u000c1',
    '1\u0000',
    '\u0000',
    '１',
    '“a”',
    '{“a”:1}',
  ],
  ...['*', '&', '$', '...', '[...]', '{...a}', '()', 'function(){}', 'new Date()', 'Date()', '1n', '/a/', '{"a":1}\u0000', '{"a":1};', '{"a":1},', '=1', '!1'],
  ...[
    '[1:2]',
    '{"a":1:2}',
    '{"a","b"}',
    '["a":1]',
    '{[]:1}',
    '{null:1}',
    '{true:1}',
    '["a]',
    '["a",',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"',
    '[{',
    '[{}',
    '{"a":[}',
  ],
];

describe('JSON parsing', () => {
  it(`accepts ${valid.length} kinds of valid text`, async () => {
    for (const text of valid) {
      const answer = await send(`{"scenes":[{"duration":1}],"_x":${text}}`);
      expect([text, answer.status]).toEqual([text, 202]);
    }
  });

  it(`refuses ${invalid.length} kinds of invalid text with INVALID_JSON`, async () => {
    for (const text of invalid) {
      for (const whole of [text, `{"scenes":[{"duration":1}],"_x":${text}}`]) {
        const answer = await send(whole);
        // Some are valid only as a value or only as a document; JSON.parse decides.
        expect([whole, answer.body.error?.code]).toEqual([whole, isJson(whole) ? expect.not.stringMatching('INVALID_JSON') : 'INVALID_JSON']);
      }
    }
  });

  const bytes: Array<[name: string, bytes: number[], code: string | undefined]> = [
    ['a byte order mark before', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], 'SCHEMA_VALIDATION_ERROR'],
    ['two of them', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x7b, 0x7d], 'INVALID_JSON'],
    ['UTF-16, little end first', [0xff, 0xfe, 0x7b, 0, 0x7d, 0], 'INVALID_JSON'],
    ['UTF-16, big end first', [0xfe, 0xff, 0, 0x7b, 0, 0x7d], 'INVALID_JSON'],
    ['UTF-32', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b], 'INVALID_JSON'],
    ['Latin-1', [0x22, 0xe9, 0x22], 'INVALID_JSON'],
    ['a lone continuation', [0x22, 0x80, 0x22], 'INVALID_JSON'],
    ['half a character', [0x22, 0xe2, 0x82, 0x22], 'INVALID_JSON'],
    ['a longer form of a slash', [0x22, 0xc0, 0xaf, 0x22], 'INVALID_JSON'],
    ['a longer form of zero', [0x22, 0xe0, 0x80, 0x80, 0x22], 'INVALID_JSON'],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], 'INVALID_JSON'],
    ['beyond Unicode', [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], 'INVALID_JSON'],
    ['five bytes', [0x22, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x22], 'INVALID_JSON'],
    ['zero bytes', [0, 0, 0, 0], 'INVALID_JSON'],
  ];
  it.each(bytes)('%s', async (_name, list, code) => {
    expect((await send(new Uint8Array(list))).body.error?.code).toBe(code);
  });

  it('accepts 64 levels of nesting and refuses more, anywhere', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect((await send(`{"scenes":[{"duration":1}],"_x":${nested(63)}}`)).status).toBe(202);
    for (const text of [`{"_x":${nested(64)}}`, nested(5000), `${`{"a":`.repeat(100_000)}1${'}'.repeat(100_000)}`, '['.repeat(1_000_000)]) {
      const answer = await send(text);
      expect([answer.status, answer.body.error?.path === '' || answer.body.error?.code === 'INVALID_JSON']).toEqual([400, true]);
    }
    // Brackets inside strings do not count as depth.
    expect((await send(`{"scenes":[{"duration":1}],"_x":"${'[{'.repeat(1000)}\\"["}`)).status).toBe(202);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('keys that could pollute a prototype', () => {
  const places: Array<[name: string, path: string, text: (part: string) => string]> = [
    ['a script', '/api/render', (part) => `{"scenes":[{"duration":1}],${part}}`],
    ['a scene', '/api/render', (part) => `{"scenes":[{"duration":1,${part}}]}`],
    ['variables', '/api/render', (part) => `{"scenes":[{"duration":1}],"variables":{${part}}}`],
    ['what is ignored', '/api/render', (part) => `{"scenes":[{"duration":1}],"_x":[{${part}}]}`],
    ['client data', '/api/render', (part) => `{"scenes":[{"duration":1}],"client-data":{${part}}}`],
    ['a template', '/api/templates', (part) => `{"name":"a","script":{"scenes":[{"duration":1}],"variables":{${part}}}}`],
    ['variables of a template', '/api/render/template', (part) => `{"template_id":"tpl_x","variables":{${part}}}`],
  ];
  it.each(places)('have no effect in %s', async (_name, path, text) => {
    for (const part of [
      '"__proto__":{"polluted":1}',
      '"\\u005f\\u005fproto__":{"polluted":1}',
      '"constructor":{"prototype":{"polluted":1}}',
      '"prototype":{"polluted":1}',
    ]) {
      const answer = await send(text(part), path);
      if (part.includes('proto__')) expect([part, answer.status]).toEqual([part, 400]);
    }
    for (const probe of [{}, [], () => {}]) expect((probe as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('excessive input', () => {
  const many = (count: number, text: (index: number) => string): string => Array.from({ length: count }, (_, index) => text(index)).join(',');
  const cases: Array<[name: string, text: () => string]> = [
    ['a hundred thousand scenes', () => `{"scenes":[${many(100_000, () => '{"duration":1}')}]}`],
    ['a hundred thousand elements', () => `{"scenes":[{"duration":1,"elements":[${many(100_000, () => '{"type":"text","text":"a"}')}]}]}`],
    ['four hundred thousand keys nobody knows', () => `{"scenes":[{"duration":1}],${many(400_000, (index) => `"k${index}":0`)}}`],
    ['four hundred thousand keys that are ignored', () => `{"scenes":[{"duration":1}],${many(350_000, (index) => `"_${index}":0`)}}`],
    ['four hundred thousand variables', () => `{"scenes":[{"duration":1}],"variables":{${many(350_000, (index) => `"v${index}":0`)}}}`],
    ['two million zeros', () => `{"scenes":[${many(2_000_000, () => '0')}]}`],
    ['a million empty objects', () => `{"scenes":[${many(1_500_000, () => '{}')}]}`],
    ['a text of megabytes', () => `{"scenes":[{"duration":1,"elements":[{"type":"text","text":"${'a '.repeat(2_000_000)}"}]}]}`],
    ['megabytes of placeholders', () => `{"scenes":[{"duration":1,"elements":[{"type":"text","text":"${'{{a}} '.repeat(600_000)}"}]}],"variables":{"a":1}}`],
    ['megabytes of open braces', () => `{"scenes":[{"duration":1,"elements":[{"type":"text","text":"${'{{'.repeat(2_000_000)}"}]}],"variables":{"a":1}}`],
    ['a key of megabytes', () => `{"scenes":[{"duration":1}],"${'k'.repeat(4_000_000)}":1}`],
    ['a number of megabytes', () => `{"width":${'9'.repeat(4_000_000)},"scenes":[{"duration":1}]}`],
    ['as many values as are allowed', () => `{"scenes":[{"duration":1}],"_x":[${many(20, () => `{${many(6000, (index) => `"k${index}":0`)}}`)}]}`],
    ['as many elements as are allowed', () => `{"scenes":[${many(100, () => `{"elements":[${many(100, () => '{"type":"text","text":"a","start":1}')}]}`)}]}`],
    ['an address of megabytes', () => `{"scenes":[{"duration":1,"elements":[{"type":"image","src":"https://x.example/${'a'.repeat(4_000_000)}"}]}]}`],
  ];
  it.each(cases)('%s does not block the service', async (_name, text) => {
    const body = text();
    expect(body.length).toBeLessThan(5 * 1024 * 1024);
    const startedAt = performance.now();
    const answer = await send(body);
    const ms = Math.round(performance.now() - startedAt);
    expect(ms).toBeLessThan(3000);
    expect(String(answer.body.error?.message ?? '').length).toBeLessThan(1000);
    expect(String(answer.body.error?.path ?? '').length).toBeLessThanOrEqual(1000);
  });
});

describe('fields of every wrong type', () => {
  const wrong = [null, true, false, 0, -1, 1.5, 1e308, '', ' ', 'x', '\u0000', '../x', [], [1], {}, { a: 1 }, 'a'.repeat(300)];
  const bodies: Array<[path: string, method: string, field: string, rest: object]> = [
    ['/api/templates', 'POST', 'name', { script: movie() }],
    ['/api/templates', 'POST', 'script', { name: 'a' }],
    ['/api/templates', 'POST', 'is_public', { name: 'a', script: movie() }],
    ['/api/templates/tpl_x', 'PATCH', 'script', {}],
    ['/api/templates/tpl_x', 'PUT', 'name', {}],
    ['/api/render/template', 'POST', 'template_id', {}],
    ['/api/render/template', 'POST', 'variables', { template_id: 'tpl_x' }],
    ['/api/render', 'POST', 'scenes', {}],
    ['/api/render', 'POST', 'variables', movie()],
    ['/api/render', 'POST', 'webhook_uri', movie()],
    ['/api/render', 'POST', 'exports', movie()],
    ['/api/render', 'POST', 'client-data', movie()],
  ];
  it.each(bodies)('%s %s: %s', async (path, method, field, rest) => {
    for (const value of wrong) await send(JSON.stringify({ ...rest, [field]: value }), path, method);
    for (const value of wrong) await send(JSON.stringify(value), path, method);
  });
});

it('invalid ranges get the whole file or 416', async () => {
  const ranges = [
    'bytes=0-99999999999999999999',
    'bytes=99999999999999999999-',
    `bytes=${'0-0,'.repeat(2000)}`,
    'bytes=-99999999999999999999',
    'bytes=--1',
    'bytes=1e1-',
  ];
  for (const range of ranges) {
    const answer = await service.call('GET', `/outputs/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}-${'0'.repeat(64)}.mp4`, { headers: { range } });
    expect(answer.status).toBe(404);
  }
});

it('no request above caused a server error', () => {
  expect(service.log.filter((line) => line.includes('"level":50')).map((line) => line.slice(0, 400))).toEqual([]);
});
