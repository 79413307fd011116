#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Composites the new image and coloured light over the old one, by a pattern, as cpu/transitions/draw_light.cc.
// Source 0: the old image, 1: the new one, 2: the pattern, two pixels per word.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma
layout(push_constant) uniform Push {
  Surface surface;
  uint light;  // two words by value: Q15 weights of the new image and of the light; its Y, Cb and Cr
  uint patternStride;  // words
} push;

uint valueAt(int x, int y) {
  const int inX = min(x, push.surface.width - 1), inY = min(y, push.surface.height - 1);
  return sources[2].words[uint(inY) * push.patternStride + uint(inX >> 1)] >> (16 * (inX & 1)) & 0xffffu;
}
ivec2 weightsAt(int x, int y) {
  const uint pair = tables[push.light + 2u * valueAt(x, y)];
  return ivec2(pair & 0xffffu, pair >> 16);
}
ivec4 colorsAt(int x, int y) { return unpack(tables[push.light + 2u * valueAt(x, y) + 1u]); }

void cross(uint at, ivec4 toWeights, ivec4 lightWeights, ivec4 light, ivec4 threshold) {
  const ivec4 below = unpack(sources[0].words[at]), above = unpack(sources[1].words[at]);
  target[at] = pack(overOpaque(overOpaque(below, above, toWeights, threshold), light, lightWeights, threshold));
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  ivec4 toWeights, lightWeights, first, second;
  for (int i = 0; i < 4; ++i) {
    // Chroma uses the mean of its pixels' weights, and the colour of the first.
    const int left = kGroup == 0 ? x + i : 2 * (x + i), top = kGroup == 0 ? y : 2 * y;
    ivec2 weights = weightsAt(left, top);
    if (kGroup == 1)
      weights = (weights + weightsAt(left + 1, top) + weightsAt(left, top + 1) + weightsAt(left + 1, top + 1) + 2) / 4;
    toWeights[i] = weights.x;
    lightWeights[i] = weights.y;
    const ivec4 color = colorsAt(left, top);
    first[i] = kGroup == 0 ? color.x : color.y;
    second[i] = color.z;
  }
  const ivec4 threshold = thresholdsAt(s, x, y);
  const uint at = uint(x) + uint(y) * (kGroup == 0 ? s.lumaStride : s.chromaStride);
  cross(((kGroup == 0 ? s.y : s.u) + at) >> 2, toWeights, lightWeights, first, threshold);
  if (kGroup == 1) cross((s.v + at) >> 2, toWeights, lightWeights, second, threshold);
}
