#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Which row stands for each row of straight chroma: itself where it shows something, else the one above that does,
// or the first of all.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  uint shows, rows;  // words of the target
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
