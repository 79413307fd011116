import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Thumbnails } from '../state/thumbnails.js';

const momentMs = 110;

interface ThumbnailParts {
  thumbnails: Thumbnails;
  movie: object;
  at: number;
  /** Times of the animation; empty for a still. */
  moments: readonly number[];
}

/** Thumbnail of a script, rendered when it scrolls into view; `moments` animate it as their frames arrive. */
export function Thumbnail({ thumbnails, movie, at, moments }: ThumbnailParts) {
  const place = useRef<HTMLSpanElement>(null);
  const still = useSignal<string | undefined>(undefined);
  const moving = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isSeen = false;
    const watch = new IntersectionObserver(
      ([entry]) => {
        isSeen = entry?.isIntersecting === true;
        if (!isSeen || still.peek() !== undefined) return;
        thumbnails
          .draw(movie, at, () => isSeen)
          .then(
            (url) => {
              still.value = url;
            },
            () => undefined,
          );
      },
      { rootMargin: '120px' },
    );
    watch.observe(element);
    return () => {
      isSeen = false;
      watch.disconnect();
    };
  }, [thumbnails, movie, at]);
  useEffect(() => {
    if (moments.length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    return animate(thumbnails, movie, moments, (url) => {
      moving.value = url;
    });
  }, [thumbnails, movie, moments]);
  const source = moving.value ?? still.value;
  return (
    <span class="thumb" ref={place}>
      {source !== undefined && <img src={source} alt="" />}
    </span>
  );
}

function animate(thumbnails: Thumbnails, movie: object, moments: readonly number[], show: (url: string | undefined) => void): () => void {
  let isOver = false;
  const run = async (): Promise<void> => {
    const urls: string[] = [];
    for (const moment of moments) {
      const url = await thumbnails.draw(movie, moment, () => !isOver);
      urls.push(url);
      if (isOver) return;
      show(url);
    }
    for (let index = 0; !isOver; index = (index + 1) % urls.length) {
      show(urls[index]);
      await new Promise((resolve) => setTimeout(resolve, index === urls.length - 1 ? momentMs * 5 : momentMs));
    }
  };
  void run().catch(() => undefined);
  return () => {
    isOver = true;
    show(undefined);
  };
}
