#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Fade in which pixels with large differences switch at once, as cpu/transitions/draw_fades.cc. Source 0: the
// old image, 1: the new one. Each invocation draws four chroma samples and their pixels.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  int limit, fading;
} push;

int difference(uint at) { return readSource(0u, at) - readSource(1u, at); }

// The edge of an odd canvas is extended.
int weightAt(int x, int y) {
  const Surface s = push.surface;
  const uint inX = uint(min(x, s.width - 1)), inY = uint(min(y, s.height - 1));
  const uint chroma = inX / 2u + inY / 2u * s.chromaStride;
  const int luma = difference(s.y + inX + inY * s.lumaStride);
  const int du = difference(s.u + chroma), dv = difference(s.v + chroma);
  return luma * luma + (du * du + dv * dv) <= push.limit ? push.fading : kFullWeight;
}

void cross(uint at, ivec4 weights, ivec4 threshold) {
  target[at >> 2] = pack(overOpaque(unpack(sources[0].words[at >> 2]), unpack(sources[1].words[at >> 2]), weights, threshold));
}

void main() {
  const Surface s = push.surface;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (2 * x >= s.width || 2 * y >= s.height) return;
  ivec4 sums = ivec4(2);
  for (int row = 0; row < 2; ++row) {
    for (int part = 0; part < 2; ++part) {
      const int left = 2 * x + 4 * part, top = 2 * y + row;
      ivec4 weights;
      for (int i = 0; i < 4; ++i) weights[i] = weightAt(left + i, top);
      sums[2 * part] += weights[0] + weights[1];
      sums[2 * part + 1] += weights[2] + weights[3];
      if (left < s.width && top < s.height) cross(s.y + uint(left) + uint(top) * s.lumaStride, weights, thresholdsAt(s, left, top));
    }
  }
  const uint chroma = uint(x) + uint(y) * s.chromaStride;
  cross(s.u + chroma, sums / 4, thresholdsAt(s, x, y));
  cross(s.v + chroma, sums / 4, thresholdsAt(s, x, y));
}
