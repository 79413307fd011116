import { type Operation, part } from '../openapi/operation.js';

/** Frames in one request for a series. */
export const maxFrames = 120;

const movie = { ...part('Script'), description: 'As for /api/render.' };
const variables = { type: 'object', description: 'Values by name; they replace the variables of the script with the same names.' };
const ignored = { comment: { description: 'Accepted and ignored.' }, id: { description: 'Accepted and ignored.' } };
const seconds = { type: 'number', minimum: 0, maximum: 1e6 };
const drawing = {
  width: {
    type: 'integer',
    minimum: 64,
    maximum: 1920,
    default: 640,
    description: 'Width of the frame in pixels, at most that of the movie; odd numbers are rounded up. The height follows the aspect ratio.',
  },
  format: { enum: ['jpeg', 'png'], default: 'jpeg' },
};

export const openBody = {
  title: 'Script to preview',
  type: 'object',
  required: ['movie'],
  properties: { movie, variables, ...ignored },
  patternProperties: { '^_': true },
  additionalProperties: false,
};

export const frameBody = {
  ...openBody,
  title: 'Frame to draw',
  required: ['movie', 'time'],
  properties: { ...openBody.properties, time: { ...seconds, description: 'Seconds from the start; a time past the end returns the last frame.' }, ...drawing },
};

export const framesBody = {
  ...openBody,
  title: 'Series of frames',
  properties: {
    ...openBody.properties,
    times: {
      type: 'array',
      minItems: 1,
      maxItems: maxFrames,
      items: seconds,
      description: 'Seconds, instead of from, to and step. A time past the end returns the last frame.',
    },
    from: seconds,
    to: { ...seconds, description: 'The series stops at the end of the movie.' },
    step: { type: 'number', exclusiveMinimum: 0, description: `Seconds between frames; at most ${maxFrames} frames.` },
    ...drawing,
  },
};

const script = {
  scenes: [{ duration: 4, background: '#16324f', elements: [{ type: 'text', text: 'Hello, {{name}}', style: '003', position: 'center' }] }],
  variables: { name: 'world' },
};

const opened = {
  width: 1920,
  height: 1080,
  fps: 30,
  duration: 4,
  frames: 120,
  estimated_credits: 4,
  scenes: [
    {
      path: 'scenes.0',
      start: 0,
      duration: 4,
      elements: [{ path: 'scenes.0.elements.0', type: 'text', label: 'Hello, world', start: 0, duration: 4 }],
    },
  ],
  elements: [],
  variables: { name: 'world' },
  warnings: [],
};

const notDrawn = {
  422: {
    description:
      'The movie cannot be drawn, for example because a file cannot be fetched: code RENDER_FAILED, with the path of the element where there is one.',
    schema: part('Error'),
    example: { error: { code: 'RENDER_FAILED', message: 'scenes.0.elements.0: the image at example.com cannot be fetched.', path: 'scenes.0.elements.0' } },
  },
};

export const openOperation: Operation = {
  id: 'openPreview',
  tag: 'Preview',
  summary: 'Timing and cost of a script',
  description:
    'Checks a script as /api/render does and returns the timing of all elements without rendering; nothing is charged. Files whose durations matter are fetched; when a file cannot be fetched, its duration is estimated and a warning says so.',
  key: 'header',
  body: { schema: openBody, examples: { hello: { movie: script, variables: { name: 'world' } } } },
  answers: { 200: { description: 'Times in seconds from the start of the movie.', schema: part('OpenedPreview'), example: opened } },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};

const image = { type: 'string', format: 'binary' };

export const frameOperation: Operation = {
  id: 'previewFrame',
  tag: 'Preview',
  summary: 'One frame of a script',
  description:
    'The frame at this time, as JPEG (image/jpeg) or, on request, PNG (image/png). The header X-Preview-Time holds the start time of the frame in seconds. Limits for each account: 30 requests per second and 2 concurrent requests, separate from the request limit of its plan; a body larger than 256 KiB counts as several.',
  key: 'header',
  body: { schema: frameBody, examples: { start: { movie: script, time: 1.5, width: 640 } } },
  answers: { 200: { description: 'The frame.', type: 'image/jpeg', schema: image }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};

export const framesOperation: Operation = {
  id: 'previewFrames',
  tag: 'Preview',
  summary: 'A series of frames of a script',
  description:
    'Frames are sent as they are drawn. For each frame: 4 bytes (big-endian) with the length of a JSON header, the header {"time", "type", "bytes"}, and that many bytes of the image. An error after the first frame is a last header {"error", "bytes": 0}. Closing the connection cancels the request. Limit for each account: 2 concurrent requests.',
  key: 'header',
  body: { schema: framesBody, examples: { strip: { movie: script, from: 0, to: 4, step: 0.5, width: 160 }, instants: { movie: script, times: [0, 1.5, 3] } } },
  answers: { 200: { description: 'The frames.', type: 'application/octet-stream', schema: image }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};
