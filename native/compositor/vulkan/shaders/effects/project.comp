#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Draws source 0 in perspective, as kernels/projection.cc. Each z is a plane of the group: luma and its
// alpha, or both chroma planes and theirs.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma

layout(push_constant) uniform Push {
  Surface surface, flatSurface;
  uint table;  // 16.16 positions of plan/effects/projection_plan.h, `entries` per row
  uint entries;
  int across, down;  // positions per sample
} push;

const int kStep = 8, kShift = 3;

ivec2 positionAt(uint entry, int y) {
  const uint at = push.table + 2u * (uint(y) * push.entries + entry);
  return ivec2(int(tables[at]), int(tables[at + 1u]));
}

// kernels::partOfStep().
ivec2 partOfStep(ivec2 step, int i, int n) {
  const int shift = n == 1 ? 1 : n == 2 ? 2 : 3;
  return (step >> shift) * (2 * i + 1 - n);
}

// Bit-exact with kernels::sampleRow.
int bilinear(int plane, ivec2 position) {
  const ivec2 last = sizeOf(push.flatSurface, plane) - 1;
  const ivec2 inside = clamp(position, ivec2(0), last << 16);
  const ivec2 whole = max(min(inside >> 16, last - 1), ivec2(0)), next = min(whole + 1, last);
  const ivec2 part = (inside - (whole << 16)) >> 8;
  const int a = readSource(0u, sampleAt(push.flatSurface, plane, whole.x, whole.y));
  const int b = readSource(0u, sampleAt(push.flatSurface, plane, next.x, whole.y));
  const int c = readSource(0u, sampleAt(push.flatSurface, plane, whole.x, next.y));
  const int d = readSource(0u, sampleAt(push.flatSurface, plane, next.x, next.y));
  const int top = a * 256 + (b - a) * part.x, bottom = c * 256 + (d - c) * part.x;
  return (top * 256 + (bottom - top) * part.y + 32768) >> 16;
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const int plane = kGroup == 0 ? (gl_GlobalInvocationID.z == 0u ? 0 : 3) : (gl_GlobalInvocationID.z == 2u ? 4 : 1 + int(gl_GlobalInvocationID.z));
  const ivec2 size = sizeOf(push.surface, plane);
  if (x >= size.x || y >= size.y) return;
  const uint entry = uint(x / kStep);
  const ivec2 start = positionAt(entry, y), below = positionAt(entry, y + 1);
  const ivec2 end = positionAt(entry + 1u, y), belowEnd = positionAt(entry + 1u, y + 1);
  const ivec2 low = min(min(start, end), min(below, belowEnd)), high = max(max(start, end), max(below, belowEnd));
  const ivec2 last = (sizeOf(push.flatSurface, plane) - 1) << 16;
  ivec4 samples = ivec4(0);
  if (all(greaterThanEqual(high, ivec2(0))) && all(lessThanEqual(low, last))) {
    const ivec2 across = (end - start) >> kShift, down = below - start;
    for (int i = 0; i < 4; ++i) {
      const ivec2 centre = start + across * (x % kStep + i);
      for (int v = 0; v < push.down; ++v) {
        for (int u = 0; u < push.across; ++u)
          samples[i] += bilinear(plane, centre + partOfStep(across, u, push.across) + partOfStep(down, v, push.down));
      }
    }
  }
  const int parts = push.across * push.down;
  target[sampleAt(push.surface, plane, x, y) >> 2] = pack((samples + parts / 2) / parts);
}
