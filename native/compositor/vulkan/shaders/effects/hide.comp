#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Erases pixels of the target by Q15 weights in source 0, two per word; chroma uses the mean of its pixels.
// Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint weightStride;  // words
} push;

int hidden(int x, int y) {
  return int(sources[0].words[uint(y) * push.weightStride + uint(x >> 1)] >> (16 * (x & 1)) & 0xffffu);
}

void main() {
  const int plane = int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  ivec4 weights = ivec4(0);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= size.x) break;
    if (isLuma(plane)) {
      weights[i] = hidden(x + i, y);
    } else {
      const int left = 2 * (x + i), top = 2 * y;
      weights[i] = (hidden(left, top) + hidden(left + 1, top) + hidden(left, top + 1) + hidden(left + 1, top + 1) + 2) / 4;
    }
  }
  const uint at = sampleAt(push.surface, plane, x, y) >> 2;
  target[at] = pack(overOpaque(unpack(target[at]), ivec4(0), weights, thresholdsAt(push.surface, x, y)));
}
