#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "difference_key.glsl"
#include "weights.glsl"

// Weights of the pixels that show the screen, as kernels::keyLumaRow. Source 0: straight chroma, source 1: levels.
layout(push_constant) uniform Push {
  StraightChroma chroma;
  uint key;
  int width, height;
  uint weightStride;
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  ivec4 weights = ivec4(0);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= push.width) break;
    const float level = levelAt(push.key, 1u, (x + i) / 2, y / 2);
    precise const float share = mixOf(push.key, straightChroma(0u, push.chroma, x + i, y)) / level;
    precise const float hidden = (1.0 - visibleOf(push.key, share)) * float(kFullWeight);
    weights[i] = int(roundEven(hidden));
  }
  writeWeights(push.weightStride, x, y, weights);
}
