import { joinPath, words } from '../../script/index.js';
import type { Settings } from './settings.js';

/** An image named in a component's settings. */
export interface ComponentMedia {
  /** Path of the setting. */
  path: string;
  url: string;
}

/** All images named in the settings, each URL once. */
export function mediaOf(settings: Settings): ComponentMedia[] {
  const media: ComponentMedia[] = [];
  const add = (path: string, url: unknown) => {
    if (typeof url === 'string' && url !== '' && !media.some((known) => known.url === url)) media.push({ path, url });
  };
  for (const group of settings.values()) {
    for (const key of ['background', 'background-image'] as const) {
      const value = group.given[key] ?? group.defaults[key];
      if (value !== undefined) for (const url of urlsIn(String(value), key)) add(joinPath(group.path, key), url);
    }
    add(joinPath(group.path, 'src'), group.values.src);
  }
  return media;
}

function urlsIn(value: string, key: string): string[] {
  const urls = [...value.matchAll(/url\(\s*(["']?)(.*?)\1\s*\)/gis)].map((match) => match[2] ?? '');
  if (urls.length > 0 || key === 'background') return urls;
  return words(value).filter((word) => /^(https?:|[./]|[\w-]+\.\w+$)/i.test(word));
}
