import { type Operation, part } from '../openapi/operation.js';

/** Of one request. */
export const mostPictures = 120;

const movie = { ...part('Script'), description: 'As for /api/render.' };
const variables = { type: 'object', description: 'Values by name, in the place of the same variables of the script.' };
const ignored = { comment: { description: 'Accepted and ignored.' }, id: { description: 'Accepted and ignored.' } };
const seconds = { type: 'number', minimum: 0, maximum: 1e6 };
const drawing = {
  width: {
    type: 'integer',
    minimum: 64,
    maximum: 1920,
    default: 640,
    description: 'Pixels of the picture; its height follows the movie. Never wider than the movie; odd numbers are rounded up.',
  },
  format: { enum: ['jpeg', 'png'], default: 'jpeg' },
};

export const openBody = {
  title: 'Script to look at',
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
  properties: { ...openBody.properties, time: { ...seconds, description: 'Seconds from the start; past the end the last frame is shown.' }, ...drawing },
};

export const framesBody = {
  ...openBody,
  title: 'Series of frames',
  properties: {
    ...openBody.properties,
    times: { type: 'array', minItems: 1, maxItems: mostPictures, items: seconds, description: 'Instead of from, to and step. Past the end: the last frame.' },
    from: seconds,
    to: { ...seconds, description: 'Frames past the end of the movie are left out.' },
    step: { type: 'number', exclusiveMinimum: 0, description: `Seconds between one picture and the next; at most ${mostPictures} pictures.` },
    ...drawing,
  },
};

const script = {
  scenes: [{ duration: 4, background: '#16324f', elements: [{ type: 'text', text: 'Hello, {{name}}', style: '003', position: 'center' }] }],
  variables: { name: 'film' },
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
      elements: [{ path: 'scenes.0.elements.0', type: 'text', label: 'Hello, film', start: 0, duration: 4 }],
    },
  ],
  elements: [],
  variables: { name: 'film' },
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
  summary: 'What a script comes to',
  description:
    'Checks a script as /api/render does and tells when everything in it is seen, without rendering: nothing is charged. Files whose lengths matter are fetched; where one cannot be had, times are estimated and a warning says so.',
  key: 'header',
  body: { schema: openBody, examples: { hello: { movie: script, variables: { name: 'film' } } } },
  answers: { 200: { description: 'Times in seconds from the start of the movie.', schema: part('OpenedPreview'), example: opened } },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};

const picture = { type: 'string', format: 'binary' };

export const frameOperation: Operation = {
  id: 'previewFrame',
  tag: 'Preview',
  summary: 'One frame of a script',
  description:
    'The picture that the film has at this time, as JPEG (image/jpeg) or, if asked for, PNG (image/png). The header X-Preview-Time says when the frame that is shown begins. 30 such requests a second and 2 at the same time for each account, apart from the requests of its plan; a body larger than 256 KiB counts as several.',
  key: 'header',
  body: { schema: frameBody, examples: { start: { movie: script, time: 1.5, width: 640 } } },
  answers: { 200: { description: 'The picture.', type: 'image/jpeg', schema: picture }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};

export const framesOperation: Operation = {
  id: 'previewFrames',
  tag: 'Preview',
  summary: 'Many frames of a script, as they are drawn',
  description:
    'For each frame: 4 bytes (big-endian) with the length of a JSON text, the text {"time", "type", "bytes"}, and that many bytes of the picture. A failure in the middle is a last text {"error", "bytes": 0}. Closing the connection ends the work. 2 at the same time for each account.',
  key: 'header',
  body: { schema: framesBody, examples: { strip: { movie: script, from: 0, to: 4, step: 0.5, width: 160 }, instants: { movie: script, times: [0, 1.5, 3] } } },
  answers: { 200: { description: 'The pictures.', type: 'application/octet-stream', schema: picture }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};
