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
const float kLowest = 0.6, kHighest = 1.5, kFirstDarker = 0.15, kDarker = 0.05, kBrighter = 0.15, kMoreLuma = 1.25, kRidge = 0.001;
shared float values[kMaxBlocks];
shared bool mayBeScreen[kMaxBlocks], isScreen[kMaxBlocks];
shared float solution[kTerms];
shared bool fits;
shared float usual, lowest, highest;

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

bool isUsual(float level, float minLevel, float low, float high) { return level >= minLevel && level >= low && level <= high; }

void main() {
  const ivec2 blocks = ivec2(gridField(push.key, 1u), gridField(push.key, 2u));
  const int part = int(gl_LocalInvocationID.x), count = blocks.x * blocks.y;
  const float minLevel = keyField(push.key, 12u);
  for (int i = part; i < count; i += 64) values[i] = uintBitsToFloat(sources[0].words[2 * i]);
  if (part == 0) {
    usual = 1.0;
    fits = true;
  }
  barrier();
  int known = 0;
  for (int i = 0; i < count; ++i) known += values[i] >= minLevel ? 1 : 0;
  for (int i = part; i < count; i += 64) {
    if (values[i] < minLevel) continue;
    int below = 0;
    for (int k = 0; k < count; ++k)
      below += values[k] >= minLevel && (values[k] < values[i] || (values[k] == values[i] && k < i)) ? 1 : 0;
    if (below == known / 2) usual = values[i];
  }
  barrier();
  precise const float low = usual * kLowest;
  precise const float high = usual * kHighest;
  int brightest = -1;
  for (int i = 0; i < count; ++i) {
    if (!isUsual(values[i], minLevel, low, high)) continue;
    if (brightest < 0 || values[i] > values[brightest]) brightest = i;
  }
  const float brightestLevel = brightest < 0 ? 0.0 : values[brightest];
  const float brightestLuma = brightest < 0 ? 0.0 : uintBitsToFloat(sources[0].words[2 * brightest + 1]);
  for (int i = part; i < count; i += 64) {
    precise const float luma = uintBitsToFloat(sources[0].words[2 * i + 1]) * brightestLevel;
    precise const float limit = values[i] * brightestLuma * kMoreLuma;
    mayBeScreen[i] = isScreen[i] = isUsual(values[i], minLevel, low, high) && luma <= limit;
  }
  barrier();
  for (int round = 0; round < kRounds; ++round) {
    if (part == 0 && fits) solve(blocks, count, round == 0 ? 3 : kTerms);
    barrier();
    if (fits) {
      for (int i = part; i < count; i += 64) {
        const float level = surfaceAt(blocks, i);
        precise const float low = level - (round == 0 ? kFirstDarker : kDarker);
        precise const float high = level + kBrighter;
        isScreen[i] = mayBeScreen[i] && values[i] >= low && values[i] <= high;
      }
    }
    barrier();
  }
  if (part == 0) {
    lowest = high;
    highest = 0.0;
    for (int i = 0; i < count; ++i) {
      if (!isScreen[i]) continue;
      lowest = min(lowest, values[i]);
      highest = max(highest, values[i]);
    }
  }
  barrier();
  for (int i = part; i < count; i += 64) {
    const float level = fits && lowest <= highest ? min(max(surfaceAt(blocks, i), lowest), highest) : usual;
    target[i] = floatBitsToUint(level);
  }
}
