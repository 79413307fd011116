#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "difference_key.glsl"

// Takes the screen's colour from luma or chroma of the target. Source 0: straight chroma, source 1: levels.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma
layout(push_constant) uniform Push {
  Surface surface;
  StraightChroma chroma;
  uint key;
  int view;  // 0: result, 1: matte, 2: spill
} push;

int byteOf(float value, float lowest, float highest) { return int(roundEven(clamp(value, lowest, highest))); }
int premultiplied(int value, int alpha) { return (value * alpha + 127) / 255; }

int lumaOf(int x, int y, int straight) {
  const float level = levelAt(push.key, 1u, x / 2, y / 2);
  precise const float share = mixOf(push.key, straightChroma(0u, push.chroma, x, y)) / level;
  const float taken = takenOf(push.key, share), luma = float(straight);
  if (push.view != 0) {
    precise const float grey = (push.view == 1 ? visibleOf(push.key, share) : taken) * 219.0 + 16.0;
    return byteOf(grey, 16.0, 235.0);
  }
  precise const float remaining = before(luma - 16.0, keyField(push.key, 0u), taken, level) + 16.0;
  return byteOf(remaining, min(luma, 16.0), max(luma, 235.0));
}

ivec2 chromaOf(int x, int y) {
  if (push.view != 0) return ivec2(128);
  const ivec2 straight = straightAt(0u, push.chroma, x, y);
  const float level = levelAt(push.key, 1u, x, y);
  precise const float share = mixOf(push.key, straight) / level;
  const float taken = takenOf(push.key, share);
  precise const float u = before(float(straight.x) - 128.0, keyField(push.key, 1u), taken, level) + 128.0;
  precise const float v = before(float(straight.y) - 128.0, keyField(push.key, 2u), taken, level) + 128.0;
  return ivec2(byteOf(u, 0.0, 255.0), byteOf(v, 0.0, 255.0));
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, kGroup);
  if (x >= size.x || y >= size.y) return;
  const uint at = sampleAt(push.surface, kGroup, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, kGroup == 0 ? 3 : 4, x, y));
  ivec4 first = unpack(target[at]), second = ivec4(0);
  const uint atV = sampleAt(push.surface, 2, x, y) >> 2;
  if (kGroup == 1) second = unpack(target[atV]);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= size.x) break;
    if (kGroup == 0) {
      first[i] = premultiplied(lumaOf(x + i, y, unpremultiply(first[i], alpha[i])), alpha[i]);
    } else {
      const ivec2 remaining = chromaOf(x + i, y);
      first[i] = premultiplied(remaining.x, alpha[i]);
      second[i] = premultiplied(remaining.y, alpha[i]);
    }
  }
  target[at] = pack(first);
  if (kGroup == 1) target[atV] = pack(second);
}
