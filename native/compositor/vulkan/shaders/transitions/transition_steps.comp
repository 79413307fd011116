#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Fade with a table of increments by difference, from -255 on. Source 0: the old image, 1: the new one.
// Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint steps;
} push;

void main() {
  const int plane = int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, plane, x, y) >> 2;
  ivec4 samples = unpack(sources[0].words[at]);
  const ivec4 towards = unpack(sources[1].words[at]);
  for (int i = 0; i < 4; ++i) samples[i] += int(tables[push.steps + uint(towards[i] - samples[i] + 255)]);
  target[at] = pack(samples);
}
