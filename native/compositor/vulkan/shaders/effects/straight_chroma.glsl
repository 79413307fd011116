// Straight chroma samples for every pixel; transparent areas take the nearest visible colour. One word per
// sample, u then v, followed by the source row of each row.

struct StraightChroma {
  uint start, rows;  // word offsets in the source
  int width, height;
};

ivec2 straightAt(uint source, StraightChroma c, int x, int y) {
  const uint row = sources[source].words[c.rows + uint(y)];
  const uint word = sources[source].words[c.start + row * uint(c.width) + uint(min(x, c.width - 1))];
  return ivec2(word & 255u, word >> 8 & 255u);
}

// kernels::doubleChromaRow.
ivec2 doubled(ivec2 near, ivec2 nearRight, ivec2 far, ivec2 farRight) {
  return (3 * (near + nearRight) + far + farRight + 4) >> 3;
}

ivec2 straightChroma(uint source, StraightChroma c, int x, int y) {
  const int near = y / 2, far = clamp(near + (y % 2 == 0 ? -1 : 1), 0, c.height - 1), left = x / 2, right = left + x % 2;
  return doubled(straightAt(source, c, left, near), straightAt(source, c, right, near), straightAt(source, c, left, far),
                 straightAt(source, c, right, far));
}
