#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Shifted rows and blocks of two images, as cpu/transitions/draw_rows.cc. Source 0: the old image, 1: the new one.
// Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint rows[3];  // GlitchRow of each row of a plane
} push;

int mirroredIndex(int index, int count) {
  const int tile = index >= 0 ? index / count : -((count - 1 - index) / count);
  const int inTile = index - tile * count;
  return (tile & 1) == 0 ? inTile : count - 1 - inTile;
}

void main() {
  const int plane = int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint row = push.rows[plane] + uint(6 * y);
  const int start = int(tables[row + 4u]), end = int(tables[row + 5u]);
  ivec4 samples;
  for (int i = 0; i < 4; ++i) {
    const uint side = x + i >= start && x + i < end ? row + 2u : row;
    const int index = mirroredIndex(x + i - int(tables[side + 1u]), size.x);
    samples[i] = readSource(tables[side], sampleAt(push.surface, plane, index, y));
  }
  target[sampleAt(push.surface, plane, x, y) >> 2] = pack(samples);
}
