/** A film whose rendering outlasts any trial: nothing in it ever rests, since frames that repeat cost next to nothing. */
export function endlessFilm(size) {
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
