#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Pan over both images, averaged over a box along it, as cpu/transitions/draw_rows.cc. Source 0: the old image, 1:
// the new one. An invocation draws a stretch of a row, or of four columns.
const int kStretch = 64, kUnit = 64;
layout(local_size_x = 32, local_size_y = 1) in;
layout(constant_id = 0) const int kGroup = 0;    // 0: luma, 1: chroma
layout(constant_id = 1) const int kIsAcross = 0;
layout(push_constant) uniform Push {
  Surface surface;
  uint strip;  // of each position: twice the index of the sample, and 1 for the new image
  uint box, startFraction, endFraction;
  int span;
} push;

uvec4 means(uvec4 sums, uvec4 leaving, uvec4 entering) {
  const uvec4 sum = sums * uint(kUnit) - push.startFraction * leaving + push.endFraction * entering;
  return (sum + push.box / 2u) / push.box;
}

uint sampleOfRow(uint row, int position) {
  const uint entry = tables[push.strip + uint(position)];
  return uint(readSource(entry & 1u, row + (entry >> 1)));
}

void drawRow(uint plane, uint stride, int width, int y, int first) {
  const uint row = plane + uint(y) * stride;
  uint sum = 0u;
  for (int k = first; k < first + push.span; ++k) sum += sampleOfRow(row, k);
  for (int x = first; x < min(first + kStretch, width); x += 4) {
    ivec4 drawn = ivec4(0);
    for (int i = 0; i < 4 && x + i < width; ++i) {
      const uint leaving = sampleOfRow(row, x + i), entering = sampleOfRow(row, x + i + push.span);
      drawn[i] = int(means(uvec4(sum), uvec4(leaving), uvec4(entering)).x);
      sum += entering;
      sum -= leaving;
    }
    target[(row + uint(x)) >> 2] = pack(drawn);
  }
}

uvec4 samplesOfColumns(uint plane, uint stride, int x, int position) {
  const uint entry = tables[push.strip + uint(position)];
  return uvec4(unpack(sources[entry & 1u].words[(plane + uint(x) + (entry >> 1) * stride) >> 2]));
}

void drawColumns(uint plane, uint stride, int height, int x, int first) {
  uvec4 sums = uvec4(0u);
  for (int k = first; k < first + push.span; ++k) sums += samplesOfColumns(plane, stride, x, k);
  for (int y = first; y < min(first + kStretch, height); ++y) {
    const uvec4 leaving = samplesOfColumns(plane, stride, x, y), entering = samplesOfColumns(plane, stride, x, y + push.span);
    target[(plane + uint(x) + uint(y) * stride) >> 2] = pack(ivec4(means(sums, leaving, entering)));
    sums += entering;
    sums -= leaving;
  }
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const uint stride = kGroup == 0 ? s.lumaStride : s.chromaStride;
  const int lane = int(gl_LocalInvocationID.x);
  const ivec2 group = ivec2(gl_WorkGroupID.xy);
  if (kIsAcross == 1) {
    const int y = group.y * 32 + lane, first = group.x * kStretch;
    if (y >= height) return;
    drawRow(kGroup == 0 ? s.y : s.u, stride, width, y, first);
    if (kGroup == 1) drawRow(s.v, stride, width, y, first);
  } else {
    const int x = (group.x * 32 + lane) * 4, first = group.y * kStretch;
    if (x >= width) return;
    drawColumns(kGroup == 0 ? s.y : s.u, stride, height, x, first);
    if (kGroup == 1) drawColumns(s.v, stride, height, x, first);
  }
}
