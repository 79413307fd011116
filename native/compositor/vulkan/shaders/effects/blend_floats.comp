#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "record_fields.h"
#include "blend_modes.glsl"

// Writes what has to be laid over the frame to blend a layer with it, as blendWith() in deep/pixel_effects.cc. Source 0:
// the layer, which has the target's layout, source 1: the frame. Chroma is filtered from pixels.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 1) const int kGroup = 0;   // 0: luma, 1: chroma
layout(constant_id = 2) const int kMatrix = 0;  // 0: BT.709, 1: BT.2020

layout(push_constant) uniform Push {
  Surface surface;
  uint frameY, frameU, frameV, frameLumaStride, frameChromaStride;
  int frameWidth, frameHeight;
  int x, y;     // of the layer's corner in frame pixels
  uint record;  // with the window's coverage
} push;

const float kFull = float(kFullAlpha), kLumaOffset = float(64 << kFraction), kGrey = float(512 << kFraction);
const float kLumaUnit = float(876 << kFraction), kChromaUnit = float(896 << kFraction);
const vec3 kShares709 = vec3(0.2126, 0.7152, 0.0722), kShares2020 = vec3(0.2627, 0.6780, 0.0593);

// Of R, G and B in luma.
vec3 lumaShares() { return kMatrix == 0 ? kShares709 : kShares2020; }

int field(int index) { return int(tables[push.record + uint(index)]); }

float weightAt(int x, int y) {
  const int first = field(kColumnFirst), end = field(kColumnEnd), top = field(kRowFirst), bottom = field(kRowEnd);
  if (x < first || x >= end || y < top || y >= bottom) return 0.0;
  const int row = y == top ? field(kFirstRowWeight) : y == bottom - 1 ? field(kLastRowWeight) : field(kRowWeight);
  const int column = x == first ? field(kFirstColumnWeight) : x == end - 1 ? field(kLastColumnWeight) : kFullWeight;
  return float(column) * float(row) / (float(kFullWeight) * float(kFullWeight));
}

vec3 rgbFrom(float luma, vec2 chroma) {
  const vec3 shares = lumaShares();
  const float red = luma + chroma.y * 2.0 * (1.0 - shares.r), blue = luma + chroma.x * 2.0 * (1.0 - shares.b);
  return clamp(vec3(red, (luma - shares.r * red - shares.b * blue) / shares.g, blue), 0.0, 1.0);
}

vec2 frameChroma(int x, int y) {
  const uint at = uint(x) + uint(y) * push.frameChromaStride;
  return vec2(readSource(1u, push.frameU + at), readSource(1u, push.frameV + at));
}
// Both premultiplied colours, and alpha.
vec3 layerChroma(int x, int y) {
  return vec3(readSource(0u, sampleAt(push.surface, 1, x, y)), readSource(0u, sampleAt(push.surface, 2, x, y)),
              readSource(0u, sampleAt(push.surface, 4, x, y)));
}

// Chroma is on even columns and between rows: three quarters of the near row, one of the far one.
ivec4 chromaAround(int x, int y, int width, int height) {
  const int left = x / 2, near = y / 2;
  return ivec4(left, min(left + x % 2, (width + 1) / 2 - 1), near, clamp(near + (y % 2 == 0 ? -1 : 1), 0, (height + 1) / 2 - 1));
}

vec3 backdropAt(int x, int y) {
  const ivec4 around = chromaAround(x, y, push.frameWidth, push.frameHeight);
  const vec2 near = frameChroma(around.x, around.z) + frameChroma(around.y, around.z),
             far = frameChroma(around.x, around.w) + frameChroma(around.y, around.w);
  const float luma = float(readSource(1u, push.frameY + uint(x) + uint(y) * push.frameLumaStride));
  return rgbFrom((luma - kLumaOffset) / kLumaUnit, ((near * 3.0 + far) / 8.0 - kGrey) / kChromaUnit);
}

vec3 sourceAt(int x, int y, float alpha) {
  const ivec4 around = chromaAround(x, y, push.surface.width, push.surface.height);
  const vec3 near = layerChroma(around.x, around.z) + layerChroma(around.y, around.z),
             far = layerChroma(around.x, around.w) + layerChroma(around.y, around.w), sum = near * 3.0 + far;
  const vec2 chroma = sum.z <= 0.0 ? vec2(0.0) : (sum.xy * kFull / sum.z - kGrey) / kChromaUnit;
  const float luma = float(readSource(0u, sampleAt(push.surface, 0, x, y)));
  return rgbFrom((luma / alpha - kLumaOffset) / kLumaUnit, chroma);
}

// What is laid over pixel (x, y) of the frame: premultiplied R, G, B and alpha.
vec4 blended(int x, int y) {
  const int ownX = x - push.x, ownY = y - push.y;
  if (ownX < 0 || ownY < 0 || ownX >= push.surface.width || ownY >= push.surface.height) return vec4(0.0);
  const float alpha = float(readSource(0u, sampleAt(push.surface, 3, ownX, ownY))) / kFull, weight = alpha * weightAt(x, y);
  if (weight <= 0.0) return vec4(0.0);
  const vec3 b = backdropAt(x, y), s = sourceAt(ownX, ownY, alpha);
  if (kMode == kAdd) return vec4(min(s * weight, 1.0 - b), 0.0);
  return vec4(vec3(mixed(b.r, s.r), mixed(b.g, s.g), mixed(b.b, s.b)) * weight, weight);
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, kGroup == 0 ? 0 : 1);
  if (x >= size.x || y >= size.y) return;
  const vec3 shares = lumaShares();
  vec4 first, second, alpha;
  for (int i = 0; i < 4; ++i) {
    vec4 color = vec4(0.0);
    if (kGroup == 0) {
      color = blended(push.x + x + i, push.y + y);
    } else {
      const int column = push.x + 2 * (x + i), row = push.y + 2 * y;
      for (int side = -1; side <= 1; ++side) {
        // The edges of the frame are repeated.
        const int at = clamp(column + side, column >= 0 ? 0 : column - 1, column < push.frameWidth ? push.frameWidth - 1 : column + 1);
        const int below = row < push.frameHeight ? min(row + 1, push.frameHeight - 1) : row + 1;
        color += (blended(at, row) + blended(at, below)) * (side == 0 ? 0.25 : 0.125);
      }
    }
    const float luma = dot(shares, color.rgb);
    alpha[i] = color.a * kFull;
    first[i] = kGroup == 0 ? luma * kLumaUnit + kLumaOffset * color.a
                           : (color.b - luma) / (2.0 * (1.0 - shares.b)) * kChromaUnit + kGrey * color.a;
    second[i] = (color.r - luma) / (2.0 * (1.0 - shares.r)) * kChromaUnit + kGrey * color.a;
  }
  writeTarget4(sampleAt(push.surface, kGroup == 0 ? 0 : 1, x, y), ivec4(floor(first + 0.5)));
  if (kGroup == 1) writeTarget4(sampleAt(push.surface, 2, x, y), ivec4(floor(second + 0.5)));
  writeTarget4(sampleAt(push.surface, kGroup == 0 ? 3 : 4, x, y), ivec4(floor(alpha + 0.5)));
}
