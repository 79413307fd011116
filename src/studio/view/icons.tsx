const shapes = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  start: 'M6 5v14M19 5l-9 7 9 7z',
  end: 'M18 5v14M5 5l9 7-9 7z',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  script: 'M8 4c-2 0-3 1-3 3v2c0 2-1 3-2 3 1 0 2 1 2 3v2c0 2 1 3 3 3M16 4c2 0 3 1 3 3v2c0 2 1 3 2 3-1 0-2 1-2 3v2c0 2-1 3-3 3',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  variables: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M9 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5',
  renders: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  key: 'M14.5 4.5a5 5 0 1 1 0 10 5 5 0 0 1 0-10M11 13l-7 7M6.5 17.5l2 2',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14',
  alert: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  close: 'M6 6l12 12M18 6L6 18',
  format: 'M4 6h16M8 10.5h12M8 15h8M4 19.5h16',
  muted: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5',
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon; the control that contains it has the label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-filled={name === 'play' || undefined}>
      <path d={shapes[name]} />
    </svg>
  );
}
