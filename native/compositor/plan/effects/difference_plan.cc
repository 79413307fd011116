#include "compositor/plan/effects/difference_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compositor/plan/color.h"

namespace framewright {
namespace {

constexpr double kMinChroma = 24;
constexpr int kMinBlock = 4;

// What a tolerance from 0 to 1 means.
struct Tolerance {
  double low, high, wedge, minLevel;
};

double between(double value, double from, double to) { return from + (to - from) * value; }

// Up to the usual tolerance the key widens from one colour to a screen with light and shadow, then to every
// hue.
Tolerance toleranceOf(double t) {
  constexpr double kOneColor = 0.01, kUsual = 0.25, kHalf = 0.5;
  if (t <= kUsual) {
    const double part = std::max(0.0, (t - kOneColor) / (kUsual - kOneColor));
    return {between(std::min(1.0, part * 1.25), 0.85, 0.02), between(part, 0.98, 0.93),
            between(part, 2, 0.45), between(part, 0.97, 0.35)};
  }
  const double part = std::min(1.0, (t - kUsual) / (kHalf - kUsual));
  const double beyond = std::max(0.0, (t - kHalf) / (1 - kHalf));
  // Far enough for every colour, also with the lowest chroma of a key.
  const double shift = 20 * beyond * beyond * beyond;
  return {between(part, 0.02, 0) - shift, between(part, 0.93, 0.6) - shift,
          between(part, 0.45, 0.3) * (1 - beyond), 0.35};
}

constexpr int kTerms = 6;  // 1, x, y, x * x, x * y, y * y
constexpr int kFitRounds = 6, kMinBlocks = 12;
// Beyond these shares of the median a block shows something else than the screen.
constexpr float kLowest = 0.6f, kHighest = 1.5f;
// Likewise if it differs from the surface by more. The first surface is rough.
constexpr float kFirstDarker = 0.15f, kDarker = 0.05f, kBrighter = 0.15f;
constexpr float kMoreLuma = 1.25f;  // than the brightest block has for its chroma: likewise
constexpr float kRidge = 0.001f;    // keeps the solution finite

struct Basis {
  float terms[kTerms];
};

Basis basisOf(const ScreenGrid& grid, int block) {
  const auto place = [](int index, int count) {
    return (static_cast<float>(index) + 0.5f) / static_cast<float>(count) * 2.0f - 1.0f;
  };
  const float x = place(block % grid.columns, grid.columns), y = place(block / grid.columns, grid.rows);
  return {{1.0f, x, y, x * x, x * y, y * y}};
}

// Solves the first `terms` equations, the right side in the last column, by elimination.
void solve(float (&m)[kTerms][kTerms + 1], int terms, float* solution) {
  for (int p = 0; p < terms; ++p) {
    for (int r = p + 1; r < terms; ++r) {
      const float factor = m[r][p] / m[p][p];
      for (int c = p; c <= kTerms; ++c) m[r][c] = m[r][c] - factor * m[p][c];
    }
  }
  for (int r = kTerms - 1; r >= 0; --r) {
    solution[r] = 0;
    if (r >= terms) continue;
    float rest = m[r][kTerms];
    for (int c = r + 1; c < terms; ++c) rest = rest - m[r][c] * solution[c];
    solution[r] = rest / m[r][r];
  }
}

// The median of the levels from `minLevel` on; 1 if there are none.
float medianLevel(const ScreenBlock* blocks, size_t count, float minLevel) {
  std::array<float, kMaxScreenBlocks * kMaxScreenBlocks> levels;
  size_t known = 0;
  for (size_t i = 0; i < count; ++i) {
    if (blocks[i].level >= minLevel) levels[known++] = blocks[i].level;
  }
  if (known == 0) return 1;
  const auto middle = levels.begin() + static_cast<ptrdiff_t>(known / 2);
  std::nth_element(levels.begin(), middle, levels.begin() + static_cast<ptrdiff_t>(known));
  return *middle;
}

float valueAt(const Basis& basis, const float* solution) {
  float sum = 0;
  for (int i = 0; i < kTerms; ++i) sum = sum + basis.terms[i] * solution[i];
  return sum;
}

}  // namespace

bool isColourful(const ChromaKey& key) {
  const auto yuv = yuvOf(key.color);
  return std::hypot(yuv[1] - 128.0, yuv[2] - 128.0) >= kMinChroma;
}

DifferencePlan planDifferenceKey(const ChromaKey& key) {
  const auto yuv = yuvOf(key.color);
  const double u = yuv[1] - 128.0, v = yuv[2] - 128.0, chroma = std::hypot(u, v);
  const Tolerance tolerance = toleranceOf(key.tolerance / 100);
  const double middle = (tolerance.low + tolerance.high) / 2;
  const double half = std::max(0.01, (tolerance.high - tolerance.low) * key.softness);
  const double choke = std::min(key.choke, 0.99);
  DifferencePlan plan;
  kernels::DifferenceKey& made = plan.key;
  made.luma = static_cast<float>(yuv[0] - 16);
  made.u = static_cast<float>(u);
  made.v = static_cast<float>(v);
  made.unitU = static_cast<float>(u / chroma);
  made.unitV = static_cast<float>(v / chroma);
  made.perChroma = static_cast<float>(1 / chroma);
  made.wedge = static_cast<float>(tolerance.wedge);
  made.low = static_cast<float>(middle - half);
  made.steepness = static_cast<float>(1 / (2 * half));
  made.choke = static_cast<float>(choke);
  made.chokeScale = static_cast<float>(1 / (1 - choke));
  made.despill = static_cast<float>(key.despill);
  made.showsMatte = key.view == KeyView::kMatte;
  made.showsSpill = key.view == KeyView::kSpill;
  plan.minLevel = static_cast<float>(tolerance.minLevel);
  return plan;
}

ScreenGrid screenGrid(int chromaWidth, int chromaHeight) {
  const int longer = std::max(chromaWidth, chromaHeight);
  const int block = std::max(kMinBlock, (longer + kMaxScreenBlocks - 1) / kMaxScreenBlocks);
  return {block, (chromaWidth + block - 1) / block, (chromaHeight + block - 1) / block};
}

void fitScreen(const ScreenGrid& grid, const ScreenBlock* blocks, float minLevel, float* levels) {
  const auto count = static_cast<size_t>(grid.columns * grid.rows);
  const float usual = medianLevel(blocks, count, minLevel);
  const auto isUsual = [&](const ScreenBlock& block) {
    return block.level >= minLevel && block.level >= usual * kLowest && block.level <= usual * kHighest;
  };
  ScreenBlock brightest;
  for (size_t i = 0; i < count; ++i) {
    if (isUsual(blocks[i]) && blocks[i].level > brightest.level) brightest = blocks[i];
  }
  std::array<float, kMaxScreenBlocks * kMaxScreenBlocks> surface{};
  std::array<bool, kMaxScreenBlocks * kMaxScreenBlocks> mayBeScreen{};
  for (size_t i = 0; i < count; ++i) {
    mayBeScreen[i] = isUsual(blocks[i]) &&
                     blocks[i].luma * brightest.level <= blocks[i].level * brightest.luma * kMoreLuma;
  }
  std::array<bool, kMaxScreenBlocks* kMaxScreenBlocks> isScreen = mayBeScreen;
  bool fits = true;
  for (int round = 0; round < kFitRounds; ++round) {
    const int terms = round == 0 ? 3 : kTerms;
    float m[kTerms][kTerms + 1] = {};
    int included = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!isScreen[i]) continue;
      ++included;
      const Basis basis = basisOf(grid, static_cast<int>(i));
      for (int r = 0; r < terms; ++r) {
        for (int c = 0; c < terms; ++c) m[r][c] = m[r][c] + basis.terms[r] * basis.terms[c];
        m[r][kTerms] = m[r][kTerms] + basis.terms[r] * blocks[i].level;
      }
    }
    fits = included >= kMinBlocks;
    if (!fits) break;
    for (int r = 0; r < terms; ++r) m[r][r] = m[r][r] + kRidge;
    float solution[kTerms];
    solve(m, terms, solution);
    const float darker = round == 0 ? kFirstDarker : kDarker;
    for (size_t i = 0; i < count; ++i) {
      surface[i] = valueAt(basisOf(grid, static_cast<int>(i)), solution);
      isScreen[i] = mayBeScreen[i] && blocks[i].level >= surface[i] - darker &&
                    blocks[i].level <= surface[i] + kBrighter;
    }
  }
  float lowest = usual * kHighest, highest = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!isScreen[i]) continue;
    lowest = std::min(lowest, blocks[i].level);
    highest = std::max(highest, blocks[i].level);
  }
  for (size_t i = 0; i < count; ++i)
    levels[i] = fits && lowest <= highest ? std::min(std::max(surface[i], lowest), highest) : usual;
}

}  // namespace framewright
