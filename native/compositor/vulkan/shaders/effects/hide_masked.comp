#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "weights.glsl"

// Weights from a mask: source 0 contains the mask over transparency; its luma over black is the visible
// share.
layout(push_constant) uniform Push {
  Surface mask;
  uint weightStride;
} push;

#ifdef FRAMEWRIGHT_DEEP
const int kBlack = 64 << kFraction, kLumaRange = 876 << kFraction;
#else
const int kBlack = 16, kLumaRange = 219;
#endif
const float kWeightPerLuma = 32767.0 / (float(kLumaRange) * float(kFullAlpha));

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.mask.width || y >= push.mask.height) return;
  const ivec4 luma = readSource4(0u, sampleAt(push.mask, 0, x, y));
  const ivec4 alpha = readSource4(0u, sampleAt(push.mask, 3, x, y));
  const ivec4 shown = clamp(luma * kFullAlpha - kBlack * alpha, 0, kLumaRange * kFullAlpha);
  precise const vec4 scaled = vec4(shown) * kWeightPerLuma;
  precise const vec4 rounded = scaled + 0.5;
  writeWeights(push.weightStride, x, y, kFullWeight - ivec4(rounded));
}
