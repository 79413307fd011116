import type { JsonSchema } from '../../contract/index.js';
import { bodyLimitBytes } from '../error-body.js';
import type { DescribedRoute } from './openapi-document.js';
import type { Operation } from './operation.js';
import { componentSchemas } from './schemas.js';

/** The API reference as a self-contained HTML page without scripts. */
export function renderReferencePage(routes: readonly DescribedRoute[], publicUrl: string): string {
  const tags = [...new Set(routes.map(({ operation }) => operation.tag))];
  const links = routes.map(({ method, path, operation }) => `<li><a href="#${operation.id}"><code>${method.toUpperCase()}</code> ${escapeHtml(path)}</a></li>`);
  const sections = tags.map(
    (tag) =>
      `<h2>${tag}</h2>${routes
        .filter(({ operation }) => operation.tag === tag)
        .map((route) => renderRoute(route, publicUrl))
        .join('')}`,
  );
  const schemas = Object.entries(componentSchemas()).map(([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${renderSchema(schema)}</section>`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Framewright API</title><style>${style}</style></head><body>
<nav><h1>Framewright</h1><ul>${links.join('')}</ul><p><a href="#schemas">Schemas</a> · <a href="api/openapi.json">OpenAPI</a> · <a href="api/render/schema">JSON Schema of scripts</a></p></nav>
<main><p>Send an API key in the header <code>x-api-key</code>; <code>ve_live_…</code> keys consume credits, <code>ve_test_…</code> keys run everything except rendering.
Every response has <code>X-RateLimit-Limit</code>, <code>-Remaining</code> and <code>-Reset</code>; 429 and 503 have <code>Retry-After</code>.
Bodies are JSON of at most ${bodyLimitBytes / 1024 / 1024} MiB. Errors have one shape, <a href="#schema-Error">Error</a>.</p>
${sections.join('')}<h2 id="schemas">Schemas</h2>${schemas.join('')}</main></body></html>`;
}

function renderRoute({ method, path, operation }: DescribedRoute, publicUrl: string): string {
  const { id, summary, description = '', body, parameters = {}, responses, errors = [] } = operation;
  const fields = Object.entries(parameters).flatMap(([location, named]) => Object.entries(named).map(([name, schema]) => row(name, location, schema)));
  const shown = Object.entries(responses).map(([status, response]) => {
    const example = response.example === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(response.example, undefined, 2))}</pre>`;
    return `<h4>${status} ${escapeHtml(response.description)}</h4><p>${renderType(response.schema)}</p>${example}`;
  });
  return `<section id="${id}"><h3><code class="${method}">${method.toUpperCase()}</code> ${escapeHtml(path)}</h3><p><b>${escapeHtml(summary)}.</b> ${escapeHtml(description)}</p>
${fields.length === 0 ? '' : `<table>${fields.join('')}</table>`}${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body.schema)}`}
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

function renderSchema(schema: JsonSchema): string {
  const { required = [], properties = {}, description } = schema;
  const rows = Object.entries(properties).map(([name, field]) => row(name, required.includes(name) ? 'required' : '', field));
  const text = description === undefined ? '' : `<p>${escapeHtml(description)}</p>`;
  return `${text}${rows.length === 0 ? `<p>${renderType(schema)}</p>` : `<table>${rows.join('')}</table>`}`;
}

function row(name: string, note: string, schema: JsonSchema): string {
  const text = schema.description ?? resolve(schema).description ?? '';
  return `<tr><td><code>${escapeHtml(name)}</code> <small>${note}</small></td><td>${renderType(schema)}</td><td>${escapeHtml(text)}${renderLimits(resolve(schema))}</td></tr>`;
}

function renderType(schema: JsonSchema): string {
  const name = componentName(schema);
  if (name !== undefined) return `<a href="#schema-${name}">${name}</a>`;
  if (schema.enum !== undefined) return schema.enum.map((choice) => `<code>${escapeHtml(JSON.stringify(choice))}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  const types = [schema.type ?? 'any'].flat().join(' or ');
  return schema.items === undefined ? types : `${types} of ${renderType(schema.items)}`;
}

function renderLimits(schema: JsonSchema): string {
  const names = ['default', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxLength'] as const;
  const limits = names.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${escapeHtml(JSON.stringify(schema[name]))}`]));
  return limits.length === 0 ? '' : ` <small>${limits.join(', ')}</small>`;
}

function resolve(schema: JsonSchema): JsonSchema {
  return componentSchemas()[componentName(schema) ?? ''] ?? schema;
}

function componentName({ $ref }: JsonSchema): string | undefined {
  return $ref?.slice('#/components/schemas/'.length);
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
