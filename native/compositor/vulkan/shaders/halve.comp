#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Halves a plane of the target, as PlanarImage does for mip levels.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  uint from, fromStride;
  int fromWidth, fromHeight;
  uint to, toStride;
  int toWidth, toHeight;
  uint isCodes;  // 16 bits: the samples have no fraction bits yet
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.toWidth || y >= push.toHeight) return;
  const uint top = push.from + uint(2 * y) * push.fromStride;
  const uint bottom = push.from + uint(min(2 * y + 1, push.fromHeight - 1)) * push.fromStride;
  ivec4 samples = ivec4(0);
#ifdef FRAMEWRIGHT_DEEP
  const int gain = push.isCodes == 1u ? 1 << kFraction : 1;
#else
  const int gain = 1;
#endif
  for (int i = 0; i < 4; ++i) {
    const int left = 2 * (x + i);
    if (left >= push.fromWidth) continue;
    const uint a = uint(left), b = uint(min(left + 1, push.fromWidth - 1));
    const int sum = readTarget(top + a) + readTarget(top + b) + readTarget(bottom + a) + readTarget(bottom + b);
    samples[i] = (sum * gain + 2) >> 2;
  }
  writeTarget4(push.to + uint(x) + uint(y) * push.toStride, samples);
}
