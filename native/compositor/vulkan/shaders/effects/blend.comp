#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"
#include "record_fields.h"
#include "blend_modes.glsl"

// Blends a layer's luma into the target and writes its chroma changes, as kernels::blendRow. Source 0: the
// layer, source 1: its straight chroma, source 2: in the pass for chroma changes (read by blend_chroma), the
// frame.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 1) const int kWritesChanges = 0;  // 1: the target receives the chroma changes, source 2 is the frame

layout(push_constant) uniform Push {
  uint frameY, frameU, frameV, frameLumaStride, frameChromaStride;
  int x, y, width, height;  // region in frame pixels
  uint layerY, layerAlpha, layerStride;  // offsets of the layer's sample at the region's corner
  StraightChroma chroma;
  uint record;  // record with the window's coverage
} push;

int field(int index) { return int(tables[push.record + uint(index)]); }

uint frameWord(uint at) { return kWritesChanges == 1 ? sources[2].words[at] : target[at]; }
int frameByte(uint at) { return int(frameWord(at >> 2) >> (8u * (at & 3u)) & 255u); }

ivec2 frameChroma(int x, int y) {
  const uint at = uint(push.x / 2 + x) + uint(push.y / 2 + y) * push.frameChromaStride;
  return ivec2(frameByte(push.frameU + at), frameByte(push.frameV + at));
}

// The frame's chroma at a pixel, clamped to the region.
ivec2 backdropChroma(int x, int y) {
  const int width = (push.width + 1) / 2, height = (push.height + 1) / 2;
  const int near = y / 2, far = clamp(near + (y % 2 == 0 ? -1 : 1), 0, height - 1), left = x / 2, right = min(left + x % 2, width - 1);
  return doubled(frameChroma(left, near), frameChroma(right, near), frameChroma(left, far), frameChroma(right, far));
}

int weightAt(int x, int y) {
  const int first = field(kColumnFirst), end = field(kColumnEnd), top = field(kRowFirst), bottom = field(kRowEnd);
  if (x < first || x >= end || y < top || y >= bottom) return 0;
  const int row = y == top ? field(kFirstRowWeight) : y == bottom - 1 ? field(kLastRowWeight) : field(kRowWeight);
  const int column = x == first ? field(kFirstColumnWeight) : x == end - 1 ? field(kLastColumnWeight) : kFullWeight;
  return weightProduct(ivec4(column), ivec4(row)).x;
}

// Luma, then both chroma changes.
ivec3 blended(int x, int y, int luma) {
  const uint at = uint(x) + uint(y) * push.layerStride;
  const int alpha = readSource(0u, push.layerAlpha + at);
  const int source = unpremultiply(readSource(0u, push.layerY + at), alpha);
  precise const float weight = float(alpha * weightAt(push.x + x, push.y + y)) * (1.0 / (255.0 * 32767.0));
  const vec3 b = rgbOf(ivec3(luma, backdropChroma(x, y))), s = rgbOf(ivec3(source, straightChroma(1u, push.chroma, x, y)));
  const float red = changeOf(b.r, s.r, weight), green = changeOf(b.g, s.g, weight), blue = changeOf(b.b, s.b, weight);
  precise const float change = (red * kRedShare + green * kGreenShare) + blue * kBlueShare;
  precise const float shown = float(luma) + change * kLumaRange;
  precise const float du = (blue - change) * (kCbPerBlue * kDeltaUnit);
  precise const float dv = (red - change) * (kCrPerRed * kDeltaUnit);
  return ivec3(roundEven(clamp(shown, 0.0, 255.0)), roundEven(du), roundEven(dv));
}

void main() {
  // Processes whole words of the frame; the region may start within a word.
  const int y = int(gl_GlobalInvocationID.y), first = (push.x & ~3) + int(gl_GlobalInvocationID.x) * 4;
  if (first >= push.x + push.width || y >= push.height) return;
  const uint at = (push.frameY + uint(first) + uint(push.y + y) * push.frameLumaStride) >> 2;
  ivec4 luma = unpack(frameWord(at));
  for (int i = 0; i < 4; ++i) {
    const int x = first + i - push.x;
    if (x < 0 || x >= push.width) continue;
    const ivec3 result = blended(x, y, luma[i]);
    if (kWritesChanges == 1) target[uint(y * push.width + x)] = uint(result.y & 0xffff) | uint(result.z) << 16;
    luma[i] = result.x;
  }
  if (kWritesChanges == 0) target[at] = pack(luma);
}
