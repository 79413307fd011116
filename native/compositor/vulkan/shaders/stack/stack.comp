#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "record_fields.h"

// Composites all layers over the target in one pass: each invocation processes four samples of a row and
// reads and writes the target once. Specialised by plane group, alpha of the target and layer kinds.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma
layout(constant_id = 1) const int kWithAlpha = 0;
layout(constant_id = 2) const int kKinds = 63;
layout(constant_id = 3) const int kMatrix = 0;  // 16 bits: 0: BT.709, 1: BT.2020

layout(push_constant) uniform Push {
  Surface surface;
  uint records, layers;
  uint startsEmpty;  // the target starts with these values instead of its contents
  int values[3];  // two colours and alpha
} push;

bool has(int kind) { return (kKinds & kind) != 0; }

// Three planes of four samples.
struct Samples { ivec4 first, second, alpha; };

int field(uint record, int index) { return int(tables[record + uint(index)]); }
float floatField(uint record, int index) { return uintBitsToFloat(tables[record + uint(index)]); }

#include "stack_rgba.glsl"
#include "stack_image.glsl"
#include "stack_rotated.glsl"
#include "stack_waveform.glsl"

ivec4 threshold;  // of the rounding of this invocation's samples

// Composites `above` over `below`.
void lay(inout Samples below, Samples above, bool hasAlpha, ivec4 weight) {
  if (hasAlpha) {
    below.first = over(below.first, above.first, above.alpha, weight, threshold);
    if (kGroup == 1) below.second = over(below.second, above.second, above.alpha, weight, threshold);
    if (kWithAlpha == 1) below.alpha = over(below.alpha, above.alpha, above.alpha, weight, threshold);
    return;
  }
  below.first = overOpaque(below.first, above.first, weight, threshold);
  if (kGroup == 1) below.second = overOpaque(below.second, above.second, weight, threshold);
  if (kWithAlpha == 1) below.alpha = overOpaque(below.alpha, ivec4(kFullAlpha), weight, threshold);
}

void compositeAxisAligned(inout Samples below, uint record, int kind, int x, int y) {
  const int first = field(record, kColumnFirst), end = field(record, kColumnEnd);
  const int top = field(record, kRowFirst), bottom = field(record, kRowEnd);
  if (y < top || y >= bottom || x + 3 < first || x >= end) return;
  const int rowWeight = y == top          ? field(record, kFirstRowWeight)
                        : y == bottom - 1 ? field(record, kLastRowWeight)
                                          : field(record, kRowWeight);
  const ivec4 at = x + ivec4(0, 1, 2, 3);
  ivec4 columns = ivec4(kFullWeight);
#ifdef FRAMEWRIGHT_DEEP
  columns = mix(columns, ivec4(field(record, kLastButOneColumnWeight)), equal(at, ivec4(end - 2)));
  columns = mix(columns, ivec4(field(record, kSecondColumnWeight)), equal(at, ivec4(first + 1)));
#endif
  columns = mix(columns, ivec4(field(record, kLastColumnWeight)), equal(at, ivec4(end - 1)));
  columns = mix(columns, ivec4(field(record, kFirstColumnWeight)), equal(at, ivec4(first)));
  columns = mix(columns, ivec4(0), bvec4(uvec4(lessThan(at, ivec4(first))) | uvec4(greaterThanEqual(at, ivec4(end)))));
  const ivec4 weight = weightProduct(columns, ivec4(rowWeight));
  Samples above;
  if (has(kFillKind) && kind == kFillKind) {
    above.first = ivec4(field(record, kValues));
    above.second = ivec4(field(record, kValues + 1));
    lay(below, above, false, weight);
    return;
  }
  const bool hasAlpha = field(record, kHasAlpha) != 0;
  above = imageSamples(record, kind, hasAlpha, x, y);
  lay(below, above, hasAlpha, weight);
}

void compositeRotated(inout Samples below, uint record, int kind, int x, int y) {
  if (y < field(record, kQuadFirstRow) || y >= field(record, kQuadEndRow)) return;
  const uint row = uint(field(record, kQuadRows) + (y - field(record, kQuadFirstRow)) * kQuadRowWords);
  if (x + 3 < field(row, kQuadFirst) || x >= field(row, kQuadEnd)) return;
  const ivec4 weight = quadWeights(row, x);
  Samples above;
  if (has(kRotatedFillKind) && kind == kRotatedFillKind) {
    above.first = ivec4(field(record, kValues));
    above.second = ivec4(field(record, kValues + 1));
    lay(below, above, false, weight);
    return;
  }
  const bool hasAlpha = field(record, kHasAlpha) != 0;
  above = rotatedSamples(record, row, hasAlpha, x);
  lay(below, above, hasAlpha, weight);
}

void layWaveform(inout Samples below, uint record, int x, int y) {
  const int pixels = kGroup + 1;
  if (y * pixels >= field(record, kRowEnd) || (y + 1) * pixels <= field(record, kRowFirst)) return;
  const ivec4 weight = waveformWeights(record, x, y);
  Samples above;
  above.first = ivec4(field(record, kValues));
  above.second = ivec4(field(record, kValues + 1));
  lay(below, above, false, weight);
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  threshold = thresholdsAt(s, x, y);
  const uint at = uint(x) + uint(y) * (kGroup == 0 ? s.lumaStride : s.chromaStride);
  const uint first = (kGroup == 0 ? s.y : s.u) + at, second = s.v + at,
             alpha = (kGroup == 0 ? s.alpha : s.chromaAlpha) + at;
  Samples samples = Samples(ivec4(push.values[0]), ivec4(push.values[1]), ivec4(push.values[2]));
  if (push.startsEmpty == 0u) {
    samples.first = readTarget4(first);
    if (kGroup == 1) samples.second = readTarget4(second);
    if (kWithAlpha == 1) samples.alpha = readTarget4(alpha);
  }
  uint record = push.records;
  for (uint i = 0u; i < push.layers; ++i, record += uint(kRecordWords)) {
    const int kind = field(record, kKind);
    if (has(kFillKind | kCopiedKind | kFilteredKind) && (kind & (kFillKind | kCopiedKind | kFilteredKind)) != 0) {
      compositeAxisAligned(samples, record, kind, x, y);
    } else if (has(kRotatedFillKind | kRotatedKind) && (kind & (kRotatedFillKind | kRotatedKind)) != 0) {
      compositeRotated(samples, record, kind, x, y);
    } else if (has(kWaveformKind) && kind == kWaveformKind) {
      layWaveform(samples, record, x, y);
    }
  }
  writeTarget4(first, samples.first);
  if (kGroup == 1) writeTarget4(second, samples.second);
  if (kWithAlpha == 1) writeTarget4(alpha, samples.alpha);
}
