/** Converts `1:02:03.45`, `02:03,450` or `02:03` to seconds; undefined for other text. */
export function parseTimestamp(text: string): number | undefined {
  const match = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,](\d{1,6}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + (fraction === '' ? 0 : Number(`0.${fraction}`));
}
