export { isPublicAddress } from './addresses.js';
export type { ResolveName } from './connect.js';
export type { Downloaded, DownloadOptions } from './download.js';
export type { Outbound, OutboundSettings } from './outbound.js';
export { createOutbound } from './outbound.js';
export { shownUrl } from './url-policy.js';
