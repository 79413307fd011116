#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Copies words of the tables to a persistent buffer.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  uint from;
  int width, height;  // words
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  const uint at = uint(y * push.width + x);
  for (uint i = 0u; i < 4u; ++i) target[at + i] = tables[push.from + at + i];
}
