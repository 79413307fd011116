#extension GL_GOOGLE_include_directive : require

// Bindings of all shaders. Samples are bytes, four per word, or with FRAMEWRIGHT_DEEP 16 bits, two per word: codes of
// 10 bits with four fraction bits, which may overshoot, and Q15 alpha. Shaders read and write whole words.
layout(std430, set = 0, binding = 0) readonly buffer Tables { uint tables[]; };
layout(std430, set = 0, binding = 1) buffer Target { uint target[]; };
layout(std430, set = 0, binding = 2) readonly buffer Source { uint words[]; } sources[16];

// Layout of an image's planes in its buffer: offsets and strides in samples, size in pixels.
struct Surface {
  uint y, u, v, alpha, chromaAlpha;
  uint lumaStride, chromaStride;
  int width, height;
  uint isDithered;
};

const int kFullWeight = 32767;

#ifdef FRAMEWRIGHT_DEEP
#include "deep_samples.glsl"
#else
#include "byte_samples.glsl"
#endif

ivec4 weigh(ivec4 value, ivec4 weight) { return (value * weight + 0x4000) >> 15; }
ivec4 lerp(ivec4 from, ivec4 to, ivec4 weight) { return from + weigh(to - from, weight); }
