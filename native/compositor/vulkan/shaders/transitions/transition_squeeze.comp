#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"

// Composites an image squeezed along an axis over another, as cpu/transitions. Source 0: below, 1: squeezed.
layout(local_size_x = 32, local_size_y = 4) in;
layout(constant_id = 0) const int kGroup = 0;   // 0: luma, 1: chroma
layout(constant_id = 1) const int kAcross = 0;  // 1: columns are squeezed, 0: rows
layout(push_constant) uniform Push {
  Surface surface;
  uint weights;  // Q15 weights of columns or rows, one per word
  uint samples;  // `taps` source samples per column or row
  int taps;
  int tapWeights[3];  // weight of the second and later taps against the mean so far
} push;

int tapAt(int position, int tap) { return int(tables[push.samples + uint(position * push.taps + tap)]); }

ivec4 meanAcross(uint row, int x) {
  ivec4 means;
  const int share = 65536 / push.taps + 1, count = kGroup == 0 ? push.surface.width : (push.surface.width + 1) / 2;
  for (int i = 0; i < 4; ++i) {
    int sum = push.taps / 2;
    for (int tap = 0; tap < push.taps; ++tap) sum += readSource(1u, row + uint(tapAt(min(x + i, count - 1), tap)));
    means[i] = (sum * share) >> 16;
  }
  return means;
}

ivec4 meanDown(uint plane, uint stride, int x, int y) {
  ivec4 mean;
  for (int tap = 0; tap < push.taps; ++tap) {
    const ivec4 samples = unpack(sources[1].words[(plane + uint(x) + uint(tapAt(y, tap)) * stride) >> 2]);
    mean = tap == 0 ? samples : lerp(mean, samples, ivec4(push.tapWeights[tap - 1]));
  }
  return mean;
}

void cross(uint plane, uint stride, int x, int y) {
  const ivec4 threshold = thresholdsAt(push.surface, x, y);
  const uint at = (plane + uint(x) + uint(y) * stride) >> 2;
  const ivec4 below = unpack(sources[0].words[at]);
  if (kAcross == 0) {
    target[at] = pack(overOpaque(below, meanDown(plane, stride, x, y), ivec4(tables[push.weights + uint(y)]), threshold));
    return;
  }
  const uint w = push.weights + uint(x);
  const ivec4 weights = ivec4(tables[w], tables[w + 1u], tables[w + 2u], tables[w + 3u]);
  target[at] = pack(overOpaque(below, meanAcross(plane + uint(y) * stride, x), weights, threshold));
}

void main() {
  const Surface s = push.surface;
  const int width = kGroup == 0 ? s.width : (s.width + 1) / 2, height = kGroup == 0 ? s.height : (s.height + 1) / 2;
  const int x = int(gl_GlobalInvocationID.x) * 4, y = int(gl_GlobalInvocationID.y);
  if (x >= width || y >= height) return;
  const uint stride = kGroup == 0 ? s.lumaStride : s.chromaStride;
  cross(kGroup == 0 ? s.y : s.u, stride, x, y);
  if (kGroup == 1) cross(s.v, stride, x, y);
}
