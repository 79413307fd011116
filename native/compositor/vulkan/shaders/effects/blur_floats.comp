#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// One step of a Gaussian blur, as deep/blur_image.cc. Fields have one float per word.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kStep = 0;
const int kWiden = 0, kNarrow = 1, kAcross = 2, kDown = 3, kHalve = 4, kDouble = 5;

layout(push_constant) uniform Push {
  uint from, to;  // word offsets; for planes in samples
  uint stride;    // of planes
  int fromWidth, fromHeight, width, height;
  uint weights;  // floats
  int reach;
} push;

float read(int x, int y) {
  return uintBitsToFloat(sources[0].words[push.from + uint(y * push.fromWidth + x)]);
}
// Transparent beyond the edges.
float readInside(int x, int y) {
  return x < 0 || y < 0 || x >= push.fromWidth || y >= push.fromHeight ? 0.0 : read(x, y);
}
float readClamped(int x, int y) { return read(clamp(x, 0, push.fromWidth - 1), clamp(y, 0, push.fromHeight - 1)); }

float stepAt(int x, int y) {
  if (kStep == kHalve) {
    return (read(2 * x, 2 * y) + readClamped(2 * x + 1, 2 * y) + readClamped(2 * x, 2 * y + 1) + readClamped(2 * x + 1, 2 * y + 1)) * 0.25;
  }
  if (kStep == kDouble) {
    const int nearX = x / 2, nearY = y / 2, farX = nearX + (x % 2 == 0 ? -1 : 1), farY = nearY + (y % 2 == 0 ? -1 : 1);
    return ((read(nearX, nearY) * 3.0 + readClamped(farX, nearY)) * 3.0 + (readClamped(nearX, farY) * 3.0 + readClamped(farX, farY))) * 0.0625;
  }
  float sum = 0.0;
  for (int t = -push.reach; t <= push.reach; ++t) {
    const float weight = uintBitsToFloat(tables[push.weights + uint(t + push.reach)]);
    sum += weight * (kStep == kAcross ? readInside(x + t, y) : readInside(x, y + t));
  }
  return sum;
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= push.width || y >= push.height) return;
  if (kStep == kNarrow) {
    ivec4 samples = ivec4(0);
    for (int i = 0; i < 4; ++i) {
      if (x + i < push.width) samples[i] = int(floor(read(x + i, y) + 0.5));
    }
    writeTarget4(push.to + uint(y) * push.stride + uint(x), samples);
    return;
  }
  const ivec4 samples = kStep == kWiden ? readSource4(0u, push.from + uint(y) * push.stride + uint(x)) : ivec4(0);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= push.width) break;
    target[push.to + uint(y * push.width + x + i)] = floatBitsToUint(kStep == kWiden ? float(samples[i]) : stepAt(x + i, y));
  }
}
