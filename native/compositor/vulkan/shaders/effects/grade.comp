#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "surface_access.glsl"
#include "straight_chroma.glsl"

// Maps the colours of the target through a table, bit-exact with cpu/effects/color_grade.cc and
// kernels/color_lut.cc. Source 0: straight chroma, source 1: the table. The pass for chroma runs first,
// because it reads the luma that the other pass replaces.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma

layout(push_constant) uniform Push {
  Surface surface;
  StraightChroma chroma;
  uint matrix, tableStride;  // table offset of kernels::SignalMatrix; words
} push;

// kernels::ColorLut.
const int kSide = 65, kCellShift = 9, kCell = 1 << kCellShift, kFractionBits = 6, kSignalRange = 1 << 15;
const int kShift = kCellShift + kFractionBits;

int weightOf(uint index) { return int(tables[push.matrix + index]); }

ivec3 signalOf(int y, ivec2 chroma) {
  const int luma = y * weightOf(0u);
  const ivec3 sum = ivec3(luma + chroma.y * weightOf(1u) + weightOf(5u),
                          luma + chroma.x * weightOf(2u) + chroma.y * weightOf(3u) + weightOf(6u),
                          luma + chroma.x * weightOf(4u) + weightOf(7u));
  return clamp(sum >> 12, ivec3(0), ivec3(kSignalRange));
}

// Word 0 of a vertex has Y', word 1 Cb and Cr.
ivec2 vertexAt(ivec3 at) {
  const uint word = sources[1].words[uint(at.x * kSide + at.y) * push.tableStride + uint(2 * at.z + kGroup)];
  return ivec2(word & 0xffffu, word >> 16);
}

// kernels::mapRow of one pixel.
ivec2 mapped(ivec3 signal) {
  const ivec3 cell = min(signal >> kCellShift, ivec3(kSide - 2)), f = signal - cell * kCell;
  const int high = max(f.x, max(f.y, f.z)), low = min(f.x, min(f.y, f.z)), middle = f.x + f.y + f.z - high - low;
  const ivec3 one = f.x == high ? ivec3(1, 0, 0) : f.y == high ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
  const ivec3 two = ivec3(1) - (f.z == low ? ivec3(0, 0, 1) : f.y == low ? ivec3(0, 1, 0) : ivec3(1, 0, 0));
  const ivec2 sum = vertexAt(cell) * (kCell - high) + vertexAt(cell + one) * (high - middle) +
                    vertexAt(cell + two) * (middle - low) + vertexAt(cell + 1) * low;
  return (sum + (1 << (kShift - 1))) >> kShift;
}

int premultiplied(int value, int alpha) { return (value * alpha + 127) / 255; }

int sumAt(int plane, int x, int y) {
  const int left = max(2 * x - 1, 0), right = min(2 * x + 1, push.surface.width - 1);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    const int row = min(2 * y + i, push.surface.height - 1);
    sum += readTarget(sampleAt(push.surface, plane, left, row)) + 2 * readTarget(sampleAt(push.surface, plane, 2 * x, row)) +
           readTarget(sampleAt(push.surface, plane, right, row));
  }
  return sum;
}

int siteLuma(int x, int y) {
  const int weight = sumAt(3, x, y), value = sumAt(0, x, y);
  return weight == 0 ? 0 : min((value * 255 + weight / 2) / weight, 255);
}

void mapLuma(int x, int y) {
  const uint at = sampleAt(push.surface, 0, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, 3, x, y));
  ivec4 luma = unpack(target[at]);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= push.surface.width) break;
    const ivec2 chroma = straightChroma(0u, push.chroma, x + i, y);
    luma[i] = premultiplied(mapped(signalOf(unpremultiply(luma[i], alpha[i]), chroma)).x, alpha[i]);
  }
  target[at] = pack(luma);
}

void mapChroma(int x, int y, int width) {
  const uint atU = sampleAt(push.surface, 1, x, y) >> 2, atV = sampleAt(push.surface, 2, x, y) >> 2;
  const ivec4 alpha = readTarget4(sampleAt(push.surface, 4, x, y));
  ivec4 u = unpack(target[atU]), v = unpack(target[atV]);
  for (int i = 0; i < 4; ++i) {
    if (x + i >= width) break;
    const ivec2 result = mapped(signalOf(siteLuma(x + i, y), straightAt(0u, push.chroma, x + i, y)));
    u[i] = premultiplied(result.x, alpha[i]);
    v[i] = premultiplied(result.y, alpha[i]);
  }
  target[atU] = pack(u);
  target[atV] = pack(v);
}

void main() {
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  const ivec2 size = sizeOf(push.surface, kGroup);
  if (x >= size.x || y >= size.y) return;
  if (kGroup == 0) {
    mapLuma(x, y);
  } else {
    mapChroma(x, y, size.x);
  }
}
