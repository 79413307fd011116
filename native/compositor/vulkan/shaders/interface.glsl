#extension GL_GOOGLE_include_directive : require

// Bindings of all shaders. Samples are bytes, four per word; shaders read and write whole words.
layout(std430, set = 0, binding = 0) readonly buffer Tables { uint tables[]; };
layout(std430, set = 0, binding = 1) buffer Target { uint target[]; };
layout(std430, set = 0, binding = 2) readonly buffer Source { uint words[]; } sources[16];

// Layout of an image's planes in its buffer: byte offsets, strides in bytes, size in pixels.
struct Surface {
  uint y, u, v, alpha, chromaAlpha;
  uint lumaStride, chromaStride;
  int width, height;
  uint isDithered;
};

const int kFullWeight = 32767;

ivec4 unpack(uint word) { return ivec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24); }
uint pack(ivec4 samples) {
  return uint(samples.x) | uint(samples.y) << 8 | uint(samples.z) << 16 | uint(samples.w) << 24;
}

int readTarget(uint at) { return int(target[at >> 2] >> (8u * (at & 3u)) & 255u); }
ivec4 readTarget4(uint at) { return unpack(target[at >> 2]); }
int readSource(uint source, uint at) { return int(sources[source].words[at >> 2] >> (8u * (at & 3u)) & 255u); }
// Loads four samples at any byte offset; never reads before the buffer.
uint readSourceWord(uint source, int at) {
  const int word = at >> 2, shift = 8 * (at & 3);
  const uint low = word >= 0 ? sources[source].words[word] : 0u;
  if (shift == 0) return low;
  return low >> shift | sources[source].words[word + 1] << (32 - shift);
}

// Arithmetic of kernels/blend/blend.cc, bit-exact.
ivec4 weigh(ivec4 value, ivec4 weight) { return (value * weight + 0x4000) >> 15; }
ivec4 lerp(ivec4 from, ivec4 to, ivec4 weight) { return from + weigh(to - from, weight); }
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
