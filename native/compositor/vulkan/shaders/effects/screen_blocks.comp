#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "difference_key.glsl"

// The brightness and luma of the screen in each block, as DifferenceKeyer::measureBlocks. Source 0: straight chroma, source 1:
// the surface. One workgroup per block.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  StraightChroma chroma;
  uint key;
  Surface surface;
} push;

const float kUnit = 1024.0;
const int kMinAlpha = 255;
shared int largest, shares, lumas, count;

void main() {
  const int part = int(gl_LocalInvocationID.x), block = gridField(push.key, 0u);
  const ivec2 at = ivec2(gl_WorkGroupID.xy), corner = at * block;
  const ivec2 size = min(ivec2(block), ivec2(push.chroma.width, push.chroma.height) - corner);
  if (part == 0) largest = shares = lumas = count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    barrier();
    const int limit = largest;
    for (int i = part; i < size.x * size.y; i += 64) {
      const int x = corner.x + i % size.x, y = corner.y + i / size.x;
      const bool counts = readSource(1u, sampleAt(push.surface, 4, x, y)) >= kMinAlpha;
      const int share = counts ? int(max(mixOf(push.key, straightAt(0u, push.chroma, x, y)), 0.0) * kUnit) : 0;
      if (pass == 0) {
        atomicMax(largest, share);
      } else if (share * 8 >= limit * 7) {
        atomicAdd(shares, share);
        atomicAdd(lumas, readSource(1u, sampleAt(push.surface, 0, 2 * x, 2 * y)) - 16);
        atomicAdd(count, 1);
      }
    }
  }
  barrier();
  if (part > 0) return;
  precise const float level = float(shares) / float(count * int(kUnit));
  precise const float luma = float(lumas) / float(count);
  const uint written = 2u * uint(at.y * gridField(push.key, 1u) + at.x);
  target[written] = floatBitsToUint(level);
  target[written + 1u] = floatBitsToUint(luma);
}
