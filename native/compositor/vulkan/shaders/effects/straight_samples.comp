#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"

// Straight chroma of a part of source 0; see straight_chroma.glsl. One workgroup per row.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  Surface surface;
  int left, top, width, height;  // the part in chroma samples
  uint start, rows;  // word offsets in the target; `rows` receives whether a row has visible samples
} push;

shared int lastSeen[64];
shared int firstSeen[64];

int alphaAt(int x, int y) { return readSource(0u, sampleAt(push.surface, 4, push.left + x, push.top + y)); }

uint straight(int x, int y, int alpha) {
  const int u = readSource(0u, sampleAt(push.surface, 1, push.left + x, push.top + y));
  const int v = readSource(0u, sampleAt(push.surface, 2, push.left + x, push.top + y));
  return uint(unpremultiply(u, alpha) | unpremultiply(v, alpha) << 8);
}

void main() {
  const int part = int(gl_LocalInvocationID.x), y = int(gl_WorkGroupID.x);
  const int step = (push.width + 63) / 64, begin = part * step, end = min(begin + step, push.width);
  int first = -1, last = -1;
  for (int x = begin; x < end; ++x) {
    if (alphaAt(x, y) == 0) continue;
    if (first < 0) first = x;
    last = x;
  }
  firstSeen[part] = first;
  lastSeen[part] = last;
  barrier();
  int before = -1, nearest = -1;
  for (int i = 0; i < 64; ++i) {
    if (i < part && lastSeen[i] >= 0) before = lastSeen[i];
    if (nearest < 0) nearest = firstSeen[i];
  }
  if (part == 0) target[push.rows + uint(y)] = nearest >= 0 ? 1u : 0u;
  if (before < 0) before = nearest;
  uint value = before >= 0 ? straight(before, y, alphaAt(before, y)) : 0u;
  for (int x = begin; x < end; ++x) {
    const int alpha = alphaAt(x, y);
    if (alpha != 0) value = straight(x, y, alpha);
    target[push.start + uint(y * push.width + x)] = value;
  }
}
