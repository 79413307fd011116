import { bodyLimitBytes } from '../error-body.js';
import type { DescribedRoute } from './openapi-document.js';
import type { JsonSchema, Operation } from './operation.js';
import { namedSchemas } from './schemas.js';

/** The interface's description as one page that needs nothing else: no scripts, no other addresses. */
export function drawReferencePage(routes: readonly DescribedRoute[], publicUrl: string): string {
  const tags = [...new Set(routes.map(({ operation }) => operation.tag))];
  const links = routes.map(({ method, path, operation }) => `<li><a href="#${operation.id}"><code>${method.toUpperCase()}</code> ${escapeHtml(path)}</a></li>`);
  const sections = tags.map(
    (tag) =>
      `<h2>${tag}</h2>${routes
        .filter(({ operation }) => operation.tag === tag)
        .map((route) => drawRoute(route, publicUrl))
        .join('')}`,
  );
  const schemas = Object.entries(namedSchemas()).map(([name, schema]) => drawNamed(name, schema));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Framewright API</title><style>${style}</style></head><body>
<nav><h1>Framewright</h1><ul>${links.join('')}</ul><p><a href="#schemas">Schemas</a> · <a href="api/openapi.json">OpenAPI</a> · <a href="api/render/schema">JSON Schema of scripts</a></p></nav>
<main><p>Send an API key in the header <code>x-api-key</code>; <code>ve_live_…</code> keys consume credits, <code>ve_test_…</code> keys go through everything but rendering.
Every answer has <code>X-RateLimit-Limit</code>, <code>-Remaining</code> and <code>-Reset</code>; 429 has <code>Retry-After</code>.
Bodies are JSON of at most ${bodyLimitBytes / 1024 / 1024} MiB. Errors have one shape, <a href="#schema-Error">Error</a>.</p>
${sections.join('')}<h2 id="schemas">Schemas</h2>${schemas.join('')}</main></body></html>`;
}

function drawRoute({ method, path, operation }: DescribedRoute, publicUrl: string): string {
  const { id, summary, description = '', body, parameters = {}, answers, errors = [] } = operation;
  const fields = Object.entries(parameters).flatMap(([place, named]) => Object.entries(named).map(([name, schema]) => row(`${name}`, place, schema)));
  const shown = Object.entries(answers).map(([status, answer]) => {
    const example = answer.example === undefined ? '' : drawJson(answer.example);
    return `<h4>${status} ${escapeHtml(answer.description)}</h4><p>${drawType(answer.schema)}</p>${example}`;
  });
  return `<section id="${id}"><h3><code class="${method}">${method.toUpperCase()}</code> ${escapeHtml(path)}</h3><p><b>${escapeHtml(summary)}.</b> ${escapeHtml(description)}</p>
${fields.length === 0 ? '' : `<table>${fields.join('')}</table>`}${body === undefined ? '' : `<h4>Body</h4>${drawSchema(body.schema)}`}
<pre>${escapeHtml(curl(method, path, operation, publicUrl))}</pre>${shown.join('')}
${errors.length === 0 ? '' : `<p>Errors: ${errors.map((code) => `<code>${code}</code>`).join(', ')}</p>`}</section>`;
}

function curl(method: string, path: string, { key, body }: Operation, publicUrl: string): string {
  const url = publicUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const verb = method === 'get' || method === 'post' ? '' : ` -X ${method.toUpperCase()}`;
  const example = body === undefined ? undefined : JSON.stringify(Object.values(body.examples)[0]).replaceAll("'", `'\\''`);
  const sent = example === undefined ? '' : ` \\\n  -H 'content-type: application/json' \\\n  -d '${example}'`;
  return `curl -s${verb} ${url}${key === 'none' ? '' : " -H 'x-api-key: KEY'"}${sent}`;
}

function drawNamed(name: string, schema: JsonSchema): string {
  return `<section id="schema-${name}"><h3>${name}</h3>${drawSchema(schema)}</section>`;
}

function drawSchema(schema: JsonSchema): string {
  const required = (schema.required ?? []) as string[];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const rows = fields.map(([name, field]) => row(name, required.includes(name) ? 'required' : '', field));
  const text = typeof schema.description === 'string' ? `<p>${escapeHtml(schema.description)}</p>` : '';
  return `${text}${rows.length === 0 ? `<p>${drawType(schema)}</p>` : `<table>${rows.join('')}</table>`}`;
}

function row(name: string, note: string, schema: JsonSchema): string {
  const text = schema.description ?? (resolve(schema).description as string | undefined) ?? '';
  return `<tr><td><code>${escapeHtml(name)}</code> <small>${note}</small></td><td>${drawType(schema)}</td><td>${escapeHtml(String(text))}${drawLimits(resolve(schema))}</td></tr>`;
}

function drawType(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice('#/components/schemas/'.length);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(schema.enum)) return schema.enum.map((choice) => `<code>${escapeHtml(JSON.stringify(choice))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return schema.items === undefined ? types : `${types} of ${drawType(schema.items as JsonSchema)}`;
}

function drawLimits(schema: JsonSchema): string {
  const names = ['default', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'];
  const limits = names.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${escapeHtml(JSON.stringify(schema[name]))}`]));
  return limits.length === 0 ? '' : ` <small>${limits.join(', ')}</small>`;
}

function resolve(schema: JsonSchema): JsonSchema {
  return typeof schema.$ref === 'string' ? (namedSchemas()[schema.$ref.slice('#/components/schemas/'.length)] ?? schema) : schema;
}

function drawJson(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, undefined, 2))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const style = `:root{color-scheme:light dark}body{margin:0;font:15px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:20rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;box-sizing:border-box;border-right:1px solid #8884}nav ul{list-style:none;padding:0}nav li{margin:.3rem 0}
main{padding:1rem 2rem;max-width:60rem;min-width:0;overflow-wrap:break-word}section{border-top:1px solid #8884;padding:.5rem 0}a{color:#2f7fd8;text-decoration:none}
table{border-collapse:collapse;width:100%;table-layout:fixed}td{border-top:1px solid #8883;padding:.3rem .6rem .3rem 0;vertical-align:top;overflow-wrap:anywhere}
td:first-child{width:13rem}td:nth-child(2){width:13rem}small{display:block;opacity:.7}pre{background:#8881;padding:.8rem;overflow:auto;border-radius:6px}h3{overflow-wrap:anywhere}
@media(max-width:800px){body{display:block}nav{position:static;height:auto;border-right:0}main{padding:1rem}tr{display:block;border-top:1px solid #8883;padding:.3rem 0}
td,td:first-child,td:nth-child(2){display:block;width:auto;border:0;padding:0}td small{display:inline}td small:not(:empty)::before{content:' '}}`;
