/** A movie that renders longer than any measurement: it moves all the time, because repeated frames cost almost nothing. */
export function endlessMovie(size) {
  const duration = 14_400;
  const turning = {
    type: 'text',
    text: 'A long film',
    duration,
    keyframes: [
      { time: 0, rotation: 0 },
      { time: duration, rotation: 36_000 },
    ],
  };
  return { ...size, scenes: [{ duration, 'background-color': '#16324f', elements: [turning] }] };
}
