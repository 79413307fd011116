#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Makes the planes of an image from the rows of a decoded NV12 frame, whose offsets and pitches are multiples of four
// bytes. Workgroup z: 0 luma, 1 chroma.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  uint fromLuma, lumaPitch, fromChroma, chromaPitch;
  uint y, u, v, lumaStride, chromaStride;
  int width, height;
} push;

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (gl_GlobalInvocationID.z == 0u) {
    if (x >= push.width || y >= push.height) return;
    const uint from = push.fromLuma + uint(x) + uint(y) * push.lumaPitch;
    target[(push.y + uint(x) + uint(y) * push.lumaStride) >> 2] = sources[0].words[from >> 2];
    return;
  }
  const int width = (push.width + 1) / 2, height = (push.height + 1) / 2;
  if (x >= width || y >= height) return;
  const uint from = push.fromChroma + uint(2 * x) + uint(y) * push.chromaPitch;
  const ivec4 first = readSource4(0u, from);
  // The last pairs of a row may end with the first word.
  const ivec4 second = x + 2 < width ? readSource4(0u, from + 4u) : ivec4(0);
  const uint to = uint(x) + uint(y) * push.chromaStride;
  writeTarget4(push.u + to, ivec4(first.xz, second.xz));
  writeTarget4(push.v + to, ivec4(first.yw, second.yw));
}
