#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Finds the source row of each row of straight chroma: itself if it has visible samples, else the nearest
// such row above, or the first one.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  uint shows, rows;  // word offsets in the target
  int height;
} push;

void main() {
  const int y = int(gl_GlobalInvocationID.x);
  if (y >= push.height) return;
  int row = y;
  while (row >= 0 && target[push.shows + uint(row)] == 0u) --row;
  if (row < 0) {
    row = 0;
    while (row < push.height && target[push.shows + uint(row)] == 0u) ++row;
    if (row == push.height) row = y;
  }
  target[push.rows + uint(y)] = uint(row);
}
