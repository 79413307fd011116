#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// One step of a Gaussian blur, bit-exact with cpu/effects/gaussian_blur.cc and kernels/blur.cc. Fields have
// one word per sample and zero margins.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kStep = 0;
const int kWiden = 0, kNarrow = 1, kAcross = 2, kDown = 3, kHalveRows = 4, kHalveColumns = 5, kDoubleRows = 6, kDoubleColumns = 7;

layout(push_constant) uniform Push {
  uint from, to;  // word offsets; for planes byte offsets
  uint stride;  // plane stride in bytes
  int fromWidth, fromHeight, width, height;
  uint weights;  // Q15, one per word
  int reach;
} push;

int read(int x, int y) {
  if (x < 0 || y < 0 || x >= push.fromWidth || y >= push.fromHeight) return 0;
  return int(sources[0].words[push.from + uint(y * push.fromWidth + x)]);
}

int addWeighed(int sum, int value, int weight) { return min(sum + ((value * weight + 0x4000) >> 15), 32767); }
int mean(int a, int b) { return (a + b + 1) >> 1; }

int stepAt(int x, int y) {
  int sum = 0;
  if (kStep == kAcross || kStep == kDown) {
    for (int t = -push.reach; t <= push.reach; ++t) {
      const int weight = int(tables[push.weights + uint(t + push.reach)]);
      sum = addWeighed(sum, kStep == kAcross ? read(x + t, y) : read(x, y + t), weight);
    }
    return sum;
  }
  if (kStep == kHalveRows) {
    sum = addWeighed(sum, read(x, 2 * y - 1), 4096);
    sum = addWeighed(sum, read(x, 2 * y), 12288);
    sum = addWeighed(sum, read(x, 2 * y + 1), 12288);
    return addWeighed(sum, read(x, 2 * y + 2), 4096);
  }
  if (kStep == kHalveColumns) {
    const int inner = mean(read(2 * x, y), read(2 * x + 1, y)), outer = mean(read(2 * x - 1, y), read(2 * x + 2, y));
    return mean(inner, mean(inner, outer));
  }
  if (kStep == kDoubleRows) {
    sum = addWeighed(sum, read(x, y / 2 + (y % 2 == 0 ? -1 : 1)), 8192);
    return addWeighed(sum, read(x, y / 2), 24576);
  }
  const int near = read(x / 2, y), far = read(x / 2 + (x % 2 == 0 ? -1 : 1), y);
  return mean(near, mean(near, far));
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  if (kStep == kNarrow) {
    ivec4 samples;
    for (int i = 0; i < 4; ++i) samples[i] = clamp(min(read(x + i, y) + 64, 32767) >> 7, 0, 255);
    target[(push.to + uint(y) * push.stride + uint(x)) >> 2] = pack(samples);
    return;
  }
  const ivec4 bytes = kStep == kWiden ? unpack(sources[0].words[(push.from + uint(y) * push.stride + uint(x)) >> 2]) : ivec4(0);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= push.width) break;
    target[push.to + uint(y * push.width + x + i)] = uint(kStep == kWiden ? bytes[i] << 7 : stepAt(x + i, y));
  }
}
