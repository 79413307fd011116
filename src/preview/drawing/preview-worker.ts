import { loadBundle } from '../../config/precompiled/index.js';

// A type alone: the modules are only loaded where there is no bundle of them.
type PreviewDrawer = typeof import('./preview-drawer.js');

const { startPreviewDrawer } = (loadBundle('preview') as PreviewDrawer | undefined) ?? (await import('./preview-drawer.js'));
startPreviewDrawer();
