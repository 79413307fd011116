#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
#include "difference_key.glsl"

// The brightness of the screen in each block from that of its brightest samples in source 0, as fitScreen() in
// plan/effects/difference_plan.cc. One workgroup, whose first invocation solves for the surface.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
  uint key;
} push;

const int kMaxBlocks = 256, kTerms = 6, kRounds = 6, kMinBlocks = 12;
const float kDarker = 0.05, kMoreLuma = 1.25, kRidge = 0.001;
shared float values[kMaxBlocks];
shared bool mayBeScreen[kMaxBlocks], isScreen[kMaxBlocks];
shared float solution[kTerms];
shared bool fits;
shared float mean, lowest, highest;

float placeOf(int index, int count) {
  precise const float place = (float(index) + 0.5) / float(count) * 2.0 - 1.0;
  return place;
}

float[kTerms] basisOf(ivec2 blocks, int block) {
  const float x = placeOf(block % blocks.x, blocks.x), y = placeOf(block / blocks.x, blocks.y);
  precise const float xx = x * x;
  precise const float xy = x * y;
  precise const float yy = y * y;
  return float[kTerms](1.0, x, y, xx, xy, yy);
}

float surfaceAt(ivec2 blocks, int block) {
  const float basis[kTerms] = basisOf(blocks, block);
  float sum = 0.0;
  for (int i = 0; i < kTerms; ++i) {
    precise const float added = sum + basis[i] * solution[i];
    sum = added;
  }
  return sum;
}

void solve(ivec2 blocks, int count, int terms) {
  float m[kTerms][kTerms + 1];
  for (int r = 0; r < kTerms; ++r) {
    for (int c = 0; c <= kTerms; ++c) m[r][c] = 0.0;
  }
  int included = 0;
  for (int i = 0; i < count; ++i) {
    if (!isScreen[i]) continue;
    ++included;
    const float basis[kTerms] = basisOf(blocks, i);
    for (int r = 0; r < terms; ++r) {
      for (int c = 0; c < terms; ++c) {
        precise const float added = m[r][c] + basis[r] * basis[c];
        m[r][c] = added;
      }
      precise const float right = m[r][kTerms] + basis[r] * values[i];
      m[r][kTerms] = right;
    }
  }
  fits = included >= kMinBlocks;
  if (!fits) return;
  for (int r = 0; r < terms; ++r) m[r][r] += kRidge;
  for (int p = 0; p < terms; ++p) {
    for (int r = p + 1; r < terms; ++r) {
      precise const float factor = m[r][p] / m[p][p];
      for (int c = p; c <= kTerms; ++c) {
        precise const float left = m[r][c] - factor * m[p][c];
        m[r][c] = left;
      }
    }
  }
  for (int r = kTerms - 1; r >= 0; --r) {
    solution[r] = 0.0;
    if (r >= terms) continue;
    float rest = m[r][kTerms];
    for (int c = r + 1; c < terms; ++c) {
      precise const float left = rest - m[r][c] * solution[c];
      rest = left;
    }
    precise const float solved = rest / m[r][r];
    solution[r] = solved;
  }
}

void main() {
  const ivec2 blocks = ivec2(gridField(push.key, 1u), gridField(push.key, 2u));
  const int part = int(gl_LocalInvocationID.x), count = blocks.x * blocks.y;
  const float minLevel = keyField(push.key, 12u);
  for (int i = part; i < count; i += 64) values[i] = uintBitsToFloat(sources[0].words[2 * i]);
  barrier();
  int brightest = 0;
  for (int i = 1; i < count; ++i) brightest = values[i] > values[brightest] ? i : brightest;
  const float largest = values[brightest], brightestLuma = uintBitsToFloat(sources[0].words[2 * brightest + 1]);
  for (int i = part; i < count; i += 64) {
    precise const float luma = uintBitsToFloat(sources[0].words[2 * i + 1]) * largest;
    precise const float limit = values[i] * brightestLuma * kMoreLuma;
    mayBeScreen[i] = isScreen[i] = values[i] >= minLevel && luma <= limit;
  }
  barrier();
  if (part == 0) {
    float sum = 0.0, known = 0.0;
    for (int i = 0; i < count; ++i) {
      if (!isScreen[i]) continue;
      precise const float added = sum + values[i];
      sum = added;
      known += 1.0;
    }
    precise const float found = sum / max(known, 1.0);
    mean = known > 0.0 ? found : 1.0;
    fits = true;
  }
  barrier();
  for (int round = 0; round < kRounds; ++round) {
    if (part == 0 && fits) solve(blocks, count, round == 0 ? 3 : kTerms);
    barrier();
    if (fits) {
      for (int i = part; i < count; i += 64) {
        precise const float limit = surfaceAt(blocks, i) - kDarker;
        isScreen[i] = mayBeScreen[i] && values[i] >= limit;
      }
    }
    barrier();
  }
  if (part == 0) {
    lowest = 2.0;
    highest = 0.0;
    for (int i = 0; i < count; ++i) {
      if (!isScreen[i]) continue;
      lowest = min(lowest, values[i]);
      highest = max(highest, values[i]);
    }
  }
  barrier();
  for (int i = part; i < count; i += 64) {
    const float level = fits && lowest <= highest ? min(max(surfaceAt(blocks, i), lowest), highest) : mean;
    target[i] = floatBitsToUint(level);
  }
}
