import type { drawComponent as Draw } from './boxes/index.js';

/** As in `boxes`, which is loaded when the first component comes: its layout engine takes longer to start than many movies to be drawn. */
export const drawComponent: typeof Draw = async (...asked) => (await import('./boxes/index.js')).drawComponent(...asked);
