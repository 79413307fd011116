#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Mean of moved copies of source 0, bit-exact with cpu/effects/motion_blur.cc and kernels/mean/shifted_mean.cc.
// Each z is a plane of the group: luma and its alpha, or both chroma planes and theirs.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma

layout(push_constant) uniform Push {
  Surface surface;
  uint table;  // MotionCopy
  int copies, count;  // in the table, and of the mean
} push;

const int kMotionBits = 14, kStepShift = 8, kSteps = 64;

int sampleOf(int plane, ivec2 size, ivec2 at) {
  if (at.x < 0 || at.y < 0 || at.x >= size.x || at.y >= size.y) return 0;
  return readSource(0u, sampleAt(push.surface, plane, at.x, at.y));
}

int shifted(int plane, ivec2 size, ivec2 position) {
  const ivec2 at = position >> kMotionBits, steps = (position >> kStepShift) & (kSteps - 1);
  const int upper = sampleOf(plane, size, at) * (kSteps - steps.x) + sampleOf(plane, size, at + ivec2(1, 0)) * steps.x;
  const int lower = sampleOf(plane, size, at + ivec2(0, 1)) * (kSteps - steps.x) + sampleOf(plane, size, at + 1) * steps.x;
  return (upper * (kSteps - steps.y) >> 10) + (lower * steps.y >> 10);
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const int plane = kGroup == 0 ? (gl_GlobalInvocationID.z == 0u ? 0 : 3) : (gl_GlobalInvocationID.z == 2u ? 4 : 1 + int(gl_GlobalInvocationID.z));
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  ivec4 sums = ivec4(0);
  for (int c = 0; c < push.copies; ++c) {
    const uint row = push.table + uint(6 * c);
    const ivec2 across = ivec2(tables[row], tables[row + 3u]);
    const ivec2 start = ivec2(tables[row + 1u], tables[row + 4u]) * y + ivec2(tables[row + 2u], tables[row + 5u]);
    for (int i = 0; i < 4; ++i) sums[i] += shifted(plane, size, start + across * (x + i));
  }
  target[sampleAt(push.surface, plane, x, y) >> 2] = pack((sums + 3 * push.count) / (4 * push.count));
}
