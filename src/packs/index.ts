export type { Description, PackCatalogue } from './catalogue.js';
export { createPackCatalogue, loadPacks } from './catalogue.js';
export type { Animate, Motion, SceneNode } from './describe.js';
export { findEasing } from './easing.js';
export type { MarkedText } from './markup.js';
export type { ComponentMedia } from './media.js';
export type { Component, GroupSchema, MotionProperty, Pack, Preview, PropertySchema } from './pack.js';
export { PackError } from './read-packs.js';
export type { Place, Style, Viewport } from './style/index.js';
