import { errorTable } from '../../errors/index.js';
import { jobStatuses } from '../../jobs/index.js';
import { movieSchema } from '../../script/index.js';
import { type JsonSchema, part } from './operation.js';

export const timestamp: JsonSchema = { type: 'string', format: 'date-time', examples: ['2030-01-01T12:00:00.000Z'] };
const credits: JsonSchema = { type: 'integer', minimum: 0 };
export const jobId: JsonSchema = { type: 'string', format: 'uuid', description: 'Identifier of the job.' };

function closed(title: string, required: readonly string[], properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', required, properties, additionalProperties: false };
}

const accepted = closed('Accepted job', ['job_id', 'status', 'estimated_credits', 'credits_remaining'], {
  job_id: jobId,
  status: { const: 'queued' },
  estimated_credits: { ...credits, description: 'Deducted now; what is not used is refunded.' },
  credits_remaining: { ...credits, description: 'Balance after the deduction.' },
});

const jobError = closed('Job error', ['code', 'message'], { code: { enum: ['RENDER_FAILED', 'INTERNAL_ERROR'] }, message: { type: 'string' } });

const exportState = closed('Export', ['type', 'status'], {
  type: { type: 'string', description: 'Kind of target.' },
  status: { enum: ['pending', 'delivered', 'failed'] },
  location: { type: 'string', description: 'Where the file was delivered to.' },
  message: { type: 'string', description: 'Why it was not.' },
});

const job = closed('Job', ['job_id', 'status', 'progress', 'estimated_credits', 'created_at', 'completed_at'], {
  job_id: jobId,
  status: { enum: jobStatuses },
  progress: { type: 'number', minimum: 0, maximum: 1, description: '1: complete.' },
  stage: { type: 'string', description: 'For example rendering_scene_1, stitching, complete.' },
  output_uri: {
    type: 'string',
    format: 'uri',
    description: 'Download of the video, once completed. Whoever has the address may download. Absent once the video was removed.',
  },
  output_expired_at: { ...timestamp, description: 'When the video was removed because the time that the operator keeps videos had passed.' },
  duration_seconds: { type: 'number', exclusiveMinimum: 0 },
  estimated_credits: credits,
  credits_used: { ...credits, description: 'Once completed or failed; 0 for a failed job.' },
  error: { ...part('JobError'), description: 'When the status is failed.' },
  warnings: {
    type: 'array',
    items: { type: 'string' },
    description: 'Once completed or failed: what the video lacks although it was made, for example a font that is missing. Mostly empty.',
  },
  client_data: { description: "The script's client-data, in the answer for a single job that has any." },
  exports: { type: 'array', items: part('ExportState'), description: 'In the answer for a single job that has exports.' },
  created_at: timestamp,
  completed_at: { ...timestamp, type: ['string', 'null'] },
});

const jobList = closed('Jobs', ['jobs', 'total', 'page', 'limit'], {
  jobs: { type: 'array', items: part('Job'), description: 'Newest first.' },
  total: { type: 'integer', minimum: 0 },
  page: { type: 'integer', minimum: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 100 },
});

const templateId: JsonSchema = { type: 'string', pattern: '^tpl_[0-9a-f]{32}$' };
const templateFacts = { id: templateId, name: { type: 'string' }, is_public: { type: 'boolean' } };
const createdTemplate = closed('Created template', ['id', 'name', 'is_public', 'created_at'], { ...templateFacts, created_at: timestamp });
const updatedTemplate = closed('Updated template', ['id', 'name', 'is_public', 'updated_at'], { ...templateFacts, updated_at: timestamp });
const listedFields = { ...templateFacts, created_at: timestamp, updated_at: timestamp };
const listedTemplate = closed('Listed template', Object.keys(listedFields), listedFields);
const template = closed('Template', ['script', ...Object.keys(listedFields)], {
  ...listedFields,
  script: { type: 'object', description: 'The movie script with its placeholders. Secrets of exports are shown as ***.' },
});

const seconds: JsonSchema = { type: 'number', minimum: 0 };
const previewElement = closed('Element of a preview', ['path', 'type', 'label', 'start', 'duration'], {
  path: { type: 'string', description: 'In the script.' },
  type: { type: 'string' },
  id: { type: 'string' },
  label: { type: 'string', description: 'A few words that tell it from others.' },
  start: { ...seconds, description: "From the movie's start." },
  duration: { ...seconds, description: '0: never seen or heard.' },
});
const previewElements: JsonSchema = { type: 'array', items: part('PreviewElement') };
const openedPreview = closed(
  'Opened preview',
  ['width', 'height', 'fps', 'duration', 'frames', 'estimated_credits', 'scenes', 'elements', 'variables', 'warnings'],
  {
    width: { type: 'integer', minimum: 2 },
    height: { type: 'integer', minimum: 2 },
    fps: { type: 'number', exclusiveMinimum: 0 },
    duration: seconds,
    frames: { type: 'integer', minimum: 1 },
    estimated_credits: { ...credits, description: 'Of a render.' },
    scenes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'start', 'duration', 'elements'],
        additionalProperties: false,
        properties: {
          path: { type: 'string' },
          start: seconds,
          duration: seconds,
          transition: {
            type: 'object',
            required: ['style', 'duration'],
            additionalProperties: false,
            properties: { style: { type: 'string' }, duration: seconds },
          },
          elements: previewElements,
        },
      },
    },
    elements: { ...previewElements, description: "The movie's own, beside those of its scenes." },
    variables: { type: 'object', description: "The script's variables and their values." },
    warnings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        additionalProperties: false,
        properties: { path: { type: 'string', description: 'Of the element; empty for the movie.' }, message: { type: 'string' } },
      },
    },
  },
);

const creditsOfAccount = closed('Credits', ['credits_remaining', 'mode', 'requests_per_minute', 'concurrent_jobs'], {
  credits_remaining: { ...credits, description: "The account's balance." },
  mode: { enum: ['live', 'test'], description: 'Of the key: test keys consume nothing.' },
  requests_per_minute: { type: 'integer', minimum: 1 },
  concurrent_jobs: { type: 'integer', minimum: 1, description: 'Jobs that may be queued or processing at a time.' },
});

const componentPreview = closed('Component preview', ['settings', 'at', 'seconds'], {
  settings: { type: 'object' },
  at: { type: 'array', items: { type: 'number', minimum: 0 }, description: 'Instants that show what it does, in seconds.' },
  seconds: { type: 'number', exclusiveMinimum: 0 },
});
const component = closed('Installed component', ['id', 'title', 'description', 'settings', 'preview'], {
  id: { type: 'string', description: 'What an element names as its component.' },
  title: { type: 'string' },
  description: { type: 'string' },
  settings: { type: 'object', description: 'JSON Schema of its settings: groups of properties, beside which any property of a style counts.' },
  preview: { ...componentPreview, description: 'Settings that show it well, as far as they need no files of its pack.' },
});

const error: JsonSchema = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { enum: Object.keys(errorTable) },
        message: { type: 'string', minLength: 1 },
        path: { type: 'string', description: 'Dotted path of the field that is wrong; empty for the whole body.', examples: ['scenes.0.elements.1.src'] },
        required: { ...credits, description: 'With INSUFFICIENT_CREDITS: what the render costs.' },
        balance: { ...credits, description: 'With INSUFFICIENT_CREDITS: what the account has.' },
      },
    },
  },
};

let named: Readonly<Record<string, JsonSchema>> | undefined;

/** Everything that the description gives a name to; put together when it is first read. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  named ??= { ...scriptSchemas(), ...ownSchemas };
  return named;
}

const ownSchemas: Readonly<Record<string, JsonSchema>> = {
  AcceptedJob: accepted,
  Job: job,
  JobError: jobError,
  ExportState: exportState,
  JobList: jobList,
  CreatedTemplate: createdTemplate,
  UpdatedTemplate: updatedTemplate,
  ListedTemplate: listedTemplate,
  TemplateList: closed('Templates', ['templates'], { templates: { type: 'array', items: part('ListedTemplate') } }),
  Template: template,
  DeletedTemplate: closed('Deleted template', ['deleted'], { deleted: { const: true } }),
  OpenedPreview: openedPreview,
  PreviewElement: previewElement,
  Credits: creditsOfAccount,
  ComponentList: closed('Components', ['components'], { components: { type: 'array', items: part('InstalledComponent') } }),
  InstalledComponent: component,
  Error: error,
};

/** The movie schema with its parts as named schemas of their own: few tools know `$defs` inside a description. */
function scriptSchemas(): Record<string, JsonSchema> {
  const { $schema: _schema, $id: _id, $defs, ...root } = movieSchema;
  const parts = Object.entries($defs as Record<string, JsonSchema>).map(([name, schema]) => [scriptPart(name), schema]);
  return relinked(Object.fromEntries([['Script', root], ...parts])) as Record<string, JsonSchema>;
}

function scriptPart(name: string): string {
  return `Script${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key === '$ref' ? /^#\/\$defs\/(.+)$/.exec(String(inner))?.[1] : undefined;
      return [key, name === undefined ? relinked(inner) : part(scriptPart(name)).$ref];
    }),
  );
}
