#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "key.glsl"

// Reduces the key's hue near the key, as cpu/effects/chroma_key.cc. Source 0: straight chroma.
layout(local_size_x = 32, local_size_y = 4) in;
layout(push_constant) uniform Push {
  Surface surface;
  StraightChroma chroma;
  uint ramp;
} push;

const float kStrength = 0.7;

int lessened(int sampled, float less, float unit) {
  precise const float taken = less * unit;
  precise const float left = clamp(float(sampled) - taken, 0.0, 254.5) + 0.5;
  return int(left);
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, 1);
  if (x >= size.x || y >= size.y) return;
  const vec2 key = vec2(rampField(push.ramp, 1u), rampField(push.ramp, 2u)), hue = key - 128.0;
  precise const float coloured = sqrt(hue.x * hue.x + hue.y * hue.y);
  const vec2 unit = hue / coloured;
  const float outer = rampField(push.ramp, 5u), reach = rampField(push.ramp, 6u);
  const uint atU = sampleAt(push.surface, 1, x, y) >> 2, atV = sampleAt(push.surface, 2, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, 4, x, y));
  ivec4 u = unpack(target[atU]), v = unpack(target[atV]);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= size.x || alpha[i] == 0) continue;
    const vec2 straight = vec2(straightAt(0u, push.chroma, x + i, y));
    precise const float along = (straight.x - 128.0) * unit.x + (straight.y - 128.0) * unit.y;
    if (along <= 0.0) continue;
    const vec2 apart = straight - key;
    precise const float beyond = sqrt(apart.x * apart.x + apart.y * apart.y) - outer;
    if (beyond >= reach) continue;
    precise const float nearness = 1.0 - max(0.0, beyond) / reach;
    precise const float less = along * kStrength * nearness * float(alpha[i]) / 255.0;
    u[i] = lessened(u[i], less, unit.x);
    v[i] = lessened(v[i], less, unit.y);
  }
  target[atU] = pack(u);
  target[atV] = pack(v);
}
