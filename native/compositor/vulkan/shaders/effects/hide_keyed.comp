#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "key.glsl"
#include "weights.glsl"

// Weights of pixels near the key colour, as kernels::keyRow. Source 0: straight chroma, source 1: the
// surface.
layout(push_constant) uniform Push {
  Surface surface;
  StraightChroma chroma;
  uint ramp, weightStride;
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.surface.width || y >= push.surface.height) return;
  const ivec4 luma = unpack(sources[1].words[sampleAt(push.surface, 0, x, y) >> 2]);
  const ivec4 alpha = unpack(sources[1].words[sampleAt(push.surface, 3, x, y) >> 2]);
  const float inner = rampField(push.ramp, 4u), outer = rampField(push.ramp, 5u);
  ivec4 weights = ivec4(0);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= push.surface.width) break;
    const vec2 chroma = vec2(straightChroma(0u, push.chroma, x + i, y));
    precise const float dy = (float(unpremultiply(luma[i], alpha[i])) - rampField(push.ramp, 0u)) * rampField(push.ramp, 3u);
    const float du = chroma.x - rampField(push.ramp, 1u), dv = chroma.y - rampField(push.ramp, 2u);
    precise const float away = sqrt((du * du + dv * dv) + dy * dy);
    precise const float t = clamp((away - inner) * (1.0 / (outer - inner)), 0.0, 1.0);
    precise const float visible = t * t * (3.0 - 2.0 * t);
    weights[i] = int(roundEven((1.0 - visible) * float(kFullWeight)));
  }
  writeWeights(push.weightStride, x, y, weights);
}
