#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Darkens luma, or both chroma planes, towards the corners, as kernels/finish.cc. Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint table;  // brightness
  uint xx, xy, x0, yx, yy, y0;
  int firstPlane;
} push;

const int kUnit = 4096, kPositionShift = 8, kSteps = 256;

int coordinate(uint position) { return clamp(int(position) >> kPositionShift, -kUnit, kUnit); }

int brightnessAt(uint x, uint y) {
  const int u = coordinate(push.xx * x + push.xy * y + push.x0), v = coordinate(push.yx * x + push.yy * y + push.y0);
  const int squared = u * u + v * v;
  const int step = min(squared >> 17, kSteps - 1), part = (squared - (step << 17)) >> 9;
  const int from = int(tables[push.table + uint(step)]), to = int(tables[push.table + uint(step) + 1u]);
  return from + ((to - from) * part >> 8);
}

void main() {
  const int plane = push.firstPlane + int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4,
            y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, plane, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, plane == 0 ? 3 : 4, x, y)), samples = unpack(target[at]);
  const ivec4 base = ((plane == 0 ? 16 : 128) * alpha + 127) / 255, threshold = thresholdsAt(push.surface, x, y);
  ivec4 shaded;
  for (int i = 0; i < 4; ++i) {
    const int scaled = (samples[i] - base[i]) * brightnessAt(uint(x + i), uint(y)) >> 8;
    shaded[i] = (base[i] * 128 + scaled + threshold[i]) >> 7;
  }
  target[at] = pack(shaded & 255);
}
