#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Fade in single-colour blocks. Source 0: the old image, 1: the new one.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma
layout(push_constant) uniform Push {
  Surface surface;
  uint columns, rows;  // source sample of each column and row
  int weight;
} push;

void cross(uint plane, uint stride, int x, int y) {
  const uint row = plane + tables[push.rows + uint(y)] * stride;
  ivec4 old, next;
  for (int i = 0; i < 4; ++i) {
    const uint at = row + tables[push.columns + uint(x + i)];
    old[i] = readSource(0u, at);
    next[i] = readSource(1u, at);
  }
  target[(plane + uint(x) + uint(y) * stride) >> 2] = pack(lerp(old, next, ivec4(push.weight)));
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  const uint stride = kGroup == 0 ? s.lumaStride : s.chromaStride;
  cross(kGroup == 0 ? s.y : s.u, stride, x, y);
  if (kGroup == 1) cross(s.v, stride, x, y);
}
