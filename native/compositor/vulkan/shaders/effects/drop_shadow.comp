#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Lays the shape in the alpha of source 0 under the target, as cpu/effects/drop_shadow.cc and
// kernels/shadow.cc.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma

layout(push_constant) uniform Push {
  Surface surface;  // of the target and of the source
  int left, top, right, down;
  int first, second;  // the colour
  int opacity, intensity;
} push;

const int kSteps = 64;

int divided(int x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }

int shapeAt(int plane, ivec2 size, ivec2 at) {
  if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return 0;
  return readSource(0u, sampleAt(push.surface, plane, at.x, at.y));
}

int cover(int plane, ivec2 size, ivec2 at) {
  const int upper = shapeAt(plane, size, at) * (kSteps - push.right) + shapeAt(plane, size, at + ivec2(1, 0)) * push.right;
  const int lower = shapeAt(plane, size, at + ivec2(0, 1)) * (kSteps - push.right) + shapeAt(plane, size, at + 1) * push.right;
  const int sum = (upper * (kSteps - push.down) >> 10) + (lower * push.down >> 10);
  return min((min((sum + 2) >> 2, 255) * push.intensity + 32) >> 6, 255);
}

void layUnder(int plane, ivec2 at, int value, ivec4 weights) {
  const uint word = sampleAt(push.surface, plane, at.x, at.y) >> 2;
  ivec4 samples = unpack(target[word]);
  for (int i = 0; i < 4; ++i) samples[i] = min(samples[i] + divided(value * weights[i]), 255);
  target[word] = pack(samples);
}

void main() {
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy) * ivec2(4, 1);
  const int alpha = kGroup == 0 ? 3 : 4;
  const ivec2 size = sizeOf(push.surface, alpha);
  if (at.x >= size.x || at.y >= size.y) return;
  const ivec4 above = readTarget4(sampleAt(push.surface, alpha, at.x, at.y));
  ivec4 weights;
  for (int i = 0; i < 4; ++i) {
    const int shape = cover(alpha, size, at + ivec2(push.left + i, push.top));
    weights[i] = divided(divided(shape * push.opacity) * (255 - above[i]));
  }
  layUnder(kGroup == 0 ? 0 : 1, at, push.first, weights);
  if (kGroup == 1) layUnder(2, at, push.second, weights);
  layUnder(alpha, at, 255, weights);
}
