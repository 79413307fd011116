#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// A page that is rolled off the new image, as cpu/transitions/draw_curl.cc. Source 0: the page, 1: the new image.
// Workgroup z is the plane.
layout(local_size_x = 32, local_size_y = 4) in;
const int kStepBits = 13, kStepWords = 10;
layout(push_constant) uniform Push {
  Surface surface;
  int normalX, normalY, first;
  uint steps;  // CurlStep
  int count, shadowReach, shadowSlope;
} push;

int plane, group;
ivec2 size;

int stepValue(int index, int field) { return int(tables[push.steps + uint(kStepWords * index + field)]); }
int mixed(int from, int to, int weight) { return from + (((to - from) * weight) >> 8); }
int inside(int at, int pixels) { return clamp(min(at, 256 * pixels - at) + 128, 0, 256); }
int outside(int at, int pixels) { return max(0, max(-at, at - 256 * pixels)); }
int coverage(ivec2 at) { return (inside(at.x, push.surface.width) * inside(at.y, push.surface.height)) >> 8; }
int near(int distance) {
  const int left = 256 - ((min(distance, push.shadowReach) * push.shadowSlope) >> 16);
  return (left * left) >> 8;
}
int shadowAt(ivec2 at, int darkness) {
  const int both = (near(outside(at.x, push.surface.width)) * near(outside(at.y, push.surface.height))) >> 8;
  return (darkness * both) >> 8;
}
ivec2 pointAt(int x, int y, int shift) {
  const ivec2 at = group == 1 ? ivec2(512 * x + 128, 512 * y + 256) : ivec2(256 * x + 128, 256 * y + 128);
  return at + ((ivec2(push.normalX, push.normalY) * shift) >> 8);
}

int pageAt(int x, int y) { return readSource(0u, sampleAt(push.surface, plane, x, y)); }
int sampled(ivec2 at) {
  const ivec2 index = group == 1 ? (at - ivec2(128, 256)) >> 1 : at - 128;
  const ivec2 place = clamp(index, ivec2(0), (size - 1) * 256);
  const ivec2 low = place >> 8, high = min(low + 1, size - 1), share = place & 255;
  const int upper = pageAt(low.x, low.y), lower = pageAt(low.x, high.y);
  const int above = upper * 256 + (pageAt(high.x, low.y) - upper) * share.x;
  const int below = lower * 256 + (pageAt(high.x, high.y) - lower) * share.x;
  return (above * 256 + (below - above) * share.y + 32768) >> 16;
}
int seen(ivec2 at, int gain, int offset) { return clamp((sampled(at) * gain + offset) >> 12, 0, 255); }

int sampleOf(int x, int y, int position) {
  const uint here = sampleAt(push.surface, plane, x, y);
  if (position < 0) return readSource(0u, here);
  const int under = readSource(1u, here);
  const int index = position >> kStepBits, share = (position >> (kStepBits - 8)) & 255;
  if (index >= push.count - 1) return under;
  const int roll = mixed(stepValue(index, 2), stepValue(index + 1, 2), share);
  const ivec2 back = pointAt(x, y, mixed(stepValue(index, 0), stepValue(index + 1, 0), share));
  const int weight = (coverage(back) * roll) >> 8;
  const int paper = weight == 0 ? 0 : seen(back, stepValue(index, 4), stepValue(index, 6 + group));
  if (weight == 256) return paper;
  const int frontShift = mixed(stepValue(index, 1), stepValue(index + 1, 1), share);
  int below = readSource(0u, here);
  if (frontShift != 0 || roll < 256) {
    const ivec2 front = pointAt(x, y, frontShift);
    below = mixed(under, seen(front, stepValue(index, 5), stepValue(index, 8 + group)), (coverage(front) * roll) >> 8);
  }
  below -= ((below - (group == 0 ? 16 : 128)) * shadowAt(back, stepValue(index, 3))) >> 8;
  return mixed(below, paper, weight);
}

void main() {
  plane = int(gl_GlobalInvocationID.z);
  group = plane == 0 ? 0 : 1;
  size = sizeOf(push.surface, plane);
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= size.x || y >= size.y) return;
  const int row = group == 1 ? 8 * y + 4 : 4 * y + 2;
  ivec4 samples;
  for (int i = 0; i < 4; ++i) {
    const int column = group == 1 ? 8 * (x + i) + 2 : 4 * (x + i) + 2;
    samples[i] = sampleOf(x + i, y, column * push.normalX + row * push.normalY - push.first);
  }
  target[sampleAt(push.surface, plane, x, y) >> 2] = pack(samples);
}
