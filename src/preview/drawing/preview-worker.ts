import { loadBundle } from '../../config/precompiled/index.js';

// A type-only import: the modules are loaded only when there is no bundle.
type PreviewProcess = typeof import('./preview-process.js');

const { startPreviewProcess } = (loadBundle('preview') as PreviewProcess | undefined) ?? (await import('./preview-process.js'));
startPreviewProcess();
