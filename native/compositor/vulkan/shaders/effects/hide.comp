#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "chroma_weights.glsl"

// Erases pixels of the target by Q15 weights in source 0, two per word; see chroma_weights.glsl.
// Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint weightStride;  // words
  int leftEdge;       // 16 bits: see LayerRecords::leftEdge()
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
      weights[i] = CHROMA_WEIGHT(hidden, x + i, y, push.leftEdge, push.surface.width, push.surface.height);
    }
  }
  const uint at = sampleAt(push.surface, plane, x, y);
  writeTarget4(at, overOpaque(readTarget4(at), ivec4(0), weights, thresholdsAt(push.surface, x, y)));
}
