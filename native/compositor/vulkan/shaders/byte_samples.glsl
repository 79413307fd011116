// Samples of bytes, with the arithmetic of kernels/blend/blend.cc, bit-exact.
const int kFullAlpha = 255;

ivec4 unpack(uint word) { return ivec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24); }
uint pack(ivec4 samples) {
  return uint(samples.x) | uint(samples.y) << 8 | uint(samples.z) << 16 | uint(samples.w) << 24;
}

int readTarget(uint at) { return int(target[at >> 2] >> (8u * (at & 3u)) & 255u); }
int readSource(uint source, uint at) { return int(sources[source].words[at >> 2] >> (8u * (at & 3u)) & 255u); }
// Four samples from a multiple of four on.
ivec4 readTarget4(uint at) { return unpack(target[at >> 2]); }
void writeTarget4(uint at, ivec4 samples) { target[at >> 2] = pack(samples); }
ivec4 readSource4(uint source, uint at) { return unpack(sources[source].words[at >> 2]); }
// Loads four samples at any offset; never reads before the buffer.
uint readSourceWord(uint source, int at) {
  const int word = at >> 2, shift = 8 * (at & 3);
  const uint low = word >= 0 ? sources[source].words[word] : 0u;
  if (shift == 0) return low;
  return low >> shift | sources[source].words[word + 1] << (32 - shift);
}
ivec4 readSourceFrom(uint source, int at) { return unpack(readSourceWord(source, at)); }

ivec4 weigh(ivec4 value, ivec4 weight);
ivec4 over(ivec4 below, ivec4 above, ivec4 alpha, ivec4 weight, ivec4 threshold) {
  const ivec4 covered = (below * alpha * 32897) >> 16;
  return min(below * 128 + weigh(above * 128 - covered, weight) + threshold, ivec4(32767)) >> 7;
}
ivec4 overOpaque(ivec4 below, ivec4 above, ivec4 weight, ivec4 threshold) {
  return (below * 128 + weigh((above - below) * 128, weight) + threshold) >> 7;
}
// kernels::RowRounding of samples x to x + 3 of row y.
ivec4 thresholdsAt(Surface s, int x, int y) {
  if (s.isDithered == 0u) return ivec4(64);
  return (97 * (x + ivec4(0, 1, 2, 3)) + 73 * y) & 124 | 2;
}
ivec4 weightProduct(ivec4 a, ivec4 b) { return (a * b + kFullWeight / 2) / kFullWeight; }
