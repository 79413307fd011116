#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "chroma_weights.glsl"

// Composites an image or a colour over another image through a mask, as cpu/transitions/draw_mask.cc. Source
// 0: below, 1: above, 2: a pattern, two pixels per word.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;  // 0: luma, 1: chroma
layout(constant_id = 1) const int kShape = 0;
layout(constant_id = 2) const int kIsColour = 0;
const int kColumns = 0, kRows = 1, kOutside = 2, kPattern = 3;

layout(push_constant) uniform Push {
  Surface surface;
  uint columns, rows;  // Q15 weights, one per word, of columns and rows; for patterns `columns` is indexed by value
  uint patternStride;  // words
  int values[2];  // colour value
} push;

ivec4 columnWeights(int x) {
  const uint at = push.columns + uint(x);
  return ivec4(tables[at], tables[at + 1u], tables[at + 2u], tables[at + 3u]);
}
int rowWeight(int y) { return int(tables[push.rows + uint(y)]); }

int patternWeight(int x, int y) {
  const int inX = min(x, push.surface.width - 1), inY = min(y, push.surface.height - 1);
  const uint pair = sources[2].words[uint(inY) * push.patternStride + uint(inX >> 1)];
  return int(tables[push.columns + (pair >> (16 * (inX & 1)) & 0xffffu)]);
}

ivec4 patternWeights(int x, int y) {
  ivec4 weights;
  for (int i = 0; i < 4; ++i) {
    weights[i] = kGroup == 0 ? patternWeight(x + i, y)
                             : CHROMA_WEIGHT(patternWeight, x + i, y, 0, push.surface.width, push.surface.height);
  }
  return weights;
}

ivec4 weightsAt(int x, int y) {
  if (kShape == kColumns) return columnWeights(x);
  if (kShape == kRows) return ivec4(rowWeight(y));
  if (kShape == kOutside) return ivec4(kFullWeight) - weightProduct(columnWeights(x), ivec4(rowWeight(y)));
  return patternWeights(x, y);
}

void cross(uint at, int value, ivec4 weights, ivec4 threshold) {
  const ivec4 below = readSource4(0u, at);
  const ivec4 above = kIsColour == 1 ? ivec4(value) : readSource4(1u, at);
  writeTarget4(at, overOpaque(below, above, weights, threshold));
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  const uint at = uint(x) + uint(y) * (kGroup == 0 ? s.lumaStride : s.chromaStride);
  const ivec4 weights = weightsAt(x, y), threshold = thresholdsAt(s, x, y);
  cross((kGroup == 0 ? s.y : s.u) + at, push.values[0], weights, threshold);
  if (kGroup == 1) cross(s.v + at, push.values[1], weights, threshold);
}
