export type { PackCatalogue } from './catalogue.js';
export { loadPacks } from './catalogue.js';
export type { Animate, Motion, MotionKeyframe, SceneNode } from './describe.js';
export { findEasing } from './easing.js';
export { listComponents } from './list-components.js';
export type { MarkedText } from './markup.js';
export type { Component, GroupSchema, Pack } from './pack.js';
export { PackError } from './read-packs.js';
export type { Place, Style } from './style/style.js';
