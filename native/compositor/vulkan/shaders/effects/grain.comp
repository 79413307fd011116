#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Adds the noise of source 0, a tile of signed bytes, to luma, as kernels/finish.cc.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  int x, y;  // of the first sample in the tile
  int strength;
} push;

const int kSide = 256, kGainShift = 12;

int share(int value, int alpha) { return (value * alpha + 127) / 255; }

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, 0);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, 0, x, y);
  const ivec4 alpha = readTarget4(sampleAt(push.surface, 3, x, y));
  ivec4 samples = unpack(target[at >> 2]);
  const int row = (push.y + y) % kSide * kSide;
  for (int i = 0; i < 4; ++i) {
    const int l = samples[i], a = alpha[i], black = share(16, a), white = share(235, a);
    const int noise = (readSource(0u, uint(row + (push.x + x + i) % kSide)) ^ 128) - 128;
    const int gain = max(l - black, 0) * max(white - l, 0) * push.strength >> kGainShift;
    samples[i] = clamp(l + ((noise * gain + (1 << 14)) >> 15), min(l, black), max(l, white));
  }
  target[at >> 2] = pack(samples);
}
