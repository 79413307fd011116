#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Maps a plane of the target through a curve, as cpu/effects/correction.cc. Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  uint curve;  // 256 values, four per word
  int firstPlane;
} push;

int bent(int straight) { return int(tables[push.curve + uint(straight >> 2)] >> (8 * (straight & 3)) & 255u); }

void main() {
  const int plane = push.firstPlane + int(gl_GlobalInvocationID.z), x = int(gl_GlobalInvocationID.x) * 4,
            y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, plane, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, plane == 0 ? 3 : 4, x, y));
  ivec4 samples = unpack(target[at]);
  for (int i = 0; i < 4; ++i) {
    const int a = alpha[i];
    if (a == 255) {
      samples[i] = bent(samples[i]);
    } else if (a != 0) {
      samples[i] = (bent(min(255, (samples[i] * 255 + a / 2) / a)) * a + 127) / 255;
    }
  }
  target[at] = pack(samples);
}
