#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Lays a blurred shape, floats in source 0, under the target, as castShadows() in deep/blur_image.cc.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma

layout(push_constant) uniform Push {
  Surface surface;
  int left, top;       // of the shape's sample at a target's sample, relative to it
  float across, down;  // and the part towards the next one
  int first, second;   // the colour
  float opacity;
} push;

float shapeAt(ivec2 size, ivec2 at) {
  if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return 0.0;
  return uintBitsToFloat(sources[0].words[uint(at.y * size.x + at.x)]);
}

float moved(ivec2 size, ivec2 at) {
  const float upper = mix(shapeAt(size, at), shapeAt(size, at + ivec2(1, 0)), push.across);
  return mix(upper, mix(shapeAt(size, at + ivec2(0, 1)), shapeAt(size, at + 1), push.across), push.down);
}

void layUnder(int plane, ivec2 at, float value, vec4 weights) {
  const uint start = sampleAt(push.surface, plane, at.x, at.y);
  writeTarget4(start, readTarget4(start) + ivec4(floor(value * weights + 0.5)));
}

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy) * ivec2(4, 1);
  const int alpha = kGroup == 0 ? 3 : 4;
  const ivec2 size = sizeOf(push.surface, alpha);
  if (at.x >= size.x || at.y >= size.y) return;
  const vec4 above = vec4(readTarget4(sampleAt(push.surface, alpha, at.x, at.y))) / float(kFullAlpha);
  vec4 weights;
  for (int i = 0; i < 4; ++i)
    weights[i] = moved(size, at + ivec2(push.left + i, push.top)) / float(kFullAlpha) * push.opacity * (1.0 - above[i]);
  layUnder(kGroup == 0 ? 0 : 1, at, float(push.first), weights);
  if (kGroup == 1) layUnder(2, at, float(push.second), weights);
  layUnder(alpha, at, float(kFullAlpha), weights);
}
