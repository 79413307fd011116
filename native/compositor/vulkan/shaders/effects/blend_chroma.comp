#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Adds the chroma changes of a blend to the frame: [1 2 1] horizontally over both rows. Source 0: the
// changes, Cb and Cr in one word.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  uint frameU, frameV, frameStride;
  int x, y, width, height;  // region in frame pixels
} push;

ivec2 changeAt(int x, int y) {
  // The canvas edge is extended; outside a layer nothing changes.
  if (x < 0 && push.x > 0) return ivec2(0);
  const int word = int(sources[0].words[uint(min(y, push.height - 1) * push.width + clamp(x, 0, push.width - 1))]);
  return ivec2(bitfieldExtract(word, 0, 16), word >> 16);
}

void main() {
  const int width = (push.width + 1) / 2, left = push.x / 2, y = int(gl_GlobalInvocationID.y);
  const int first = (left & ~3) + int(gl_GlobalInvocationID.x) * 4;
  if (first >= left + width || y >= (push.height + 1) / 2) return;
  const uint at = uint(first) + uint(push.y / 2 + y) * push.frameStride;
  const uint atU = (push.frameU + at) >> 2, atV = (push.frameV + at) >> 2;
  ivec4 u = unpack(target[atU]), v = unpack(target[atV]);
  for (int i = 0; i < 4; ++i) {
    const int k = first + i - left;
    if (k < 0 || k >= width) continue;
    ivec2 sum = ivec2(0);
    for (int row = 0; row < 2; ++row) {
      sum += changeAt(2 * k - 1, 2 * y + row) + 2 * changeAt(2 * k, 2 * y + row) + changeAt(2 * k + 1, 2 * y + row);
    }
    const ivec2 change = (sum + 128) >> 8;
    u[i] = clamp(u[i] + change.x, 0, 255);
    v[i] = clamp(v[i] + change.y, 0, 255);
  }
  target[atU] = pack(u);
  target[atV] = pack(v);
}
