#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Interleaves chroma for NV12 within the target.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  uint u, v, stride;
  uint pairs, pairStride;
  int width, height;
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  const uint at = uint(x) + uint(y) * push.stride;
  const ivec4 u = readTarget4(push.u + at), v = readTarget4(push.v + at);
  const uint to = (push.pairs + uint(2 * x) + uint(y) * push.pairStride) >> 2;
  target[to] = pack(ivec4(u.x, v.x, u.y, v.y));
  target[to + 1u] = pack(ivec4(u.z, v.z, u.w, v.w));
}
