/** Formats seconds as minutes, seconds and hundredths, `1:02.50`. */
export function formatTime(seconds: number): string {
  const hundredths = Math.round(Math.max(seconds, 0) * 100);
  const minutes = Math.floor(hundredths / 6000);
  return `${minutes}:${((hundredths % 6000) / 100).toFixed(2).padStart(5, '0')}`;
}

const units: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Formats the age of a timestamp, `5 minutes ago`. */
export function formatAge(timestamp: string, now = Date.now()): string {
  const seconds = (now - Date.parse(timestamp)) / 1000;
  const unit = units.find(([, size]) => seconds >= size);
  return unit === undefined ? 'just now' : relative.format(-Math.floor(seconds / unit[1]), unit[0]);
}

/** rendering_scene_1 → rendering scene 1. */
export function formatStage(stage: string): string {
  return stage.replaceAll('_', ' ');
}
