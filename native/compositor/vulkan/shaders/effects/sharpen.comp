#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Stage 0 copies the luma of source 0 to the target; stage 1 sharpens the target's luma from the copy in
// source 0, as kernels/finish.cc.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kStage = 0;

layout(push_constant) uniform Push {
  Surface surface;
  int strength;
} push;

const int kReach = 2, kTaps = 5, kShift = 20;
const int kWeights[kTaps] = int[kTaps](1, 4, 6, 4, 1);

uint copyAt(int x, int y) { return uint(x) + uint(y) * push.surface.lumaStride; }

int share(int value, int alpha) { return (value * alpha + 127) / 255; }

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, 0);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, 0, x, y);
  if (kStage == 0) {
    target[copyAt(x, y) >> 2] = sources[0].words[at >> 2];
    return;
  }
  ivec2 sums[4] = ivec2[4](ivec2(0), ivec2(0), ivec2(0), ivec2(0));
  for (int v = 0; v < kTaps; ++v) {
    const int row = clamp(y + v - kReach, 0, size.y - 1);
    for (int u = 0; u < kTaps + 3; ++u) {
      const int column = clamp(x + u - kReach, 0, size.x - 1);
      const ivec2 sampled = kWeights[v] * ivec2(readSource(0u, copyAt(column, row)), readTarget(sampleAt(push.surface, 3, column, row)));
      for (int i = max(0, u - kTaps + 1); i <= min(3, u); ++i) sums[i] += kWeights[u - i] * sampled;
    }
  }
  const ivec4 before = unpack(sources[0].words[copyAt(x, y) >> 2]), alpha = readTarget4(sampleAt(push.surface, 3, x, y));
  ivec4 after;
  for (int i = 0; i < 4; ++i) {
    const int l = before[i], a = alpha[i];
    const int difference = (l * sums[i].y - a * sums[i].x) >> 8;
    const int changed = l + ((difference * push.strength + (1 << (kShift - 1))) >> kShift);
    after[i] = clamp(changed, min(l, share(16, a)), max(l, share(235, a)));
  }
  target[at >> 2] = pack(after);
}
