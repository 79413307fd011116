import type { OpenedPreview } from '../../contract/index.js';
import type { Operation } from '../openapi/operation.js';
import { requestSchema, schemaRef } from '../openapi/schemas.js';

/** Maximum number of frames in a request for a series. */
export const maxFrames = requestSchema('PreviewFramesRequest').properties?.times?.maxItems ?? 0;
/** Width of frames in pixels when a request sets none. */
export const defaultWidth = Number(requestSchema('PreviewFrameRequest').properties?.width?.default);

const script = {
  scenes: [{ duration: 4, background: '#16324f', elements: [{ type: 'text', text: 'Hello, {{name}}', style: '003', position: 'center' }] }],
  variables: { name: 'world' },
};

const opened: OpenedPreview = {
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
    schema: schemaRef('Error'),
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
  body: { schema: requestSchema('PreviewRequest'), examples: { hello: { movie: script, variables: { name: 'world' } } } },
  responses: { 200: { description: 'Times in seconds from the start of the movie.', schema: schemaRef('OpenedPreview'), example: opened } },
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
  body: { schema: requestSchema('PreviewFrameRequest'), examples: { start: { movie: script, time: 1.5, width: 640 } } },
  responses: { 200: { description: 'The frame.', type: 'image/jpeg', schema: image }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};

export const framesOperation: Operation = {
  id: 'previewFrames',
  tag: 'Preview',
  summary: 'A series of frames of a script',
  description:
    'Frames are sent as they are drawn. For each frame: 4 bytes (big-endian) with the length of a JSON header, the header {"time", "type", "bytes"}, and that many bytes of the image. An error after the first frame is a last header {"error", "bytes": 0}. Closing the connection cancels the request. Limit for each account: 2 concurrent requests.',
  key: 'header',
  body: {
    schema: requestSchema('PreviewFramesRequest'),
    examples: { strip: { movie: script, from: 0, to: 4, step: 0.5, width: 160 }, instants: { movie: script, times: [0, 1.5, 3] } },
  },
  responses: { 200: { description: 'The frames.', type: 'application/octet-stream', schema: image }, ...notDrawn },
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'FORBIDDEN'],
};
