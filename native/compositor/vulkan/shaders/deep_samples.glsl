// Samples of 16 bits, with the arithmetic of kernels/deep/plane_rows.cc, bit-exact. Frames are rounded when they are
// finished (codes.comp); thresholds are unused before.
const int kFullAlpha = 32767, kFraction = 4;

ivec2 unpack2(uint word) { return ivec2(bitfieldExtract(int(word), 0, 16), int(word) >> 16); }
uint pack2(ivec2 samples) {
  const ivec2 limited = clamp(samples, -32768, 32767);
  return uint(limited.x & 0xffff) | uint(limited.y) << 16;
}

int readTarget(uint at) { return unpack2(target[at >> 1])[at & 1u]; }
int readSource(uint source, uint at) { return unpack2(sources[source].words[at >> 1])[at & 1u]; }
// Four samples from a multiple of four on.
ivec4 readTarget4(uint at) { return ivec4(unpack2(target[at >> 1]), unpack2(target[(at >> 1) + 1u])); }
void writeTarget4(uint at, ivec4 samples) {
  target[at >> 1] = pack2(samples.xy);
  target[(at >> 1) + 1u] = pack2(samples.zw);
}
ivec4 readSource4(uint source, uint at) {
  return ivec4(unpack2(sources[source].words[at >> 1]), unpack2(sources[source].words[(at >> 1) + 1u]));
}
ivec2 readSource2(uint source, int word) { return word >= 0 ? unpack2(sources[source].words[word]) : ivec2(0); }
// Loads four samples at any offset; never reads before the buffer.
ivec4 readSourceFrom(uint source, int at) {
  const int word = at >> 1;
  const ivec2 first = readSource2(source, word), second = readSource2(source, word + 1);
  if ((at & 1) == 0) return ivec4(first, second);
  return ivec4(first.y, second, readSource2(source, word + 2).x);
}

ivec4 weigh(ivec4 value, ivec4 weight);
ivec4 over(ivec4 below, ivec4 above, ivec4 alpha, ivec4 weight, ivec4 threshold) {
  return below - weigh(below, weigh(alpha, weight)) + weigh(above, weight);
}
ivec4 overOpaque(ivec4 below, ivec4 above, ivec4 weight, ivec4 threshold) {
  return below + weigh(above - below, weight);
}
ivec4 thresholdsAt(Surface s, int x, int y) { return ivec4(0); }
ivec4 weightProduct(ivec4 a, ivec4 b) { return weigh(a, b); }
