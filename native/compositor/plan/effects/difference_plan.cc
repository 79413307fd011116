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
constexpr float kDarker = 0.05f;    // than the surface: something is before the screen
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
  const int count = grid.columns * grid.rows;
  std::array<float, kMaxScreenBlocks * kMaxScreenBlocks> values, surface;
  std::array<bool, kMaxScreenBlocks * kMaxScreenBlocks> isScreen{};
  float sum = 0, known = 0;
  const ScreenBlock brightest = *std::max_element(
      blocks, blocks + count, [](const ScreenBlock& a, const ScreenBlock& b) { return a.level < b.level; });
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    values[i] = blocks[i].level;
    isScreen[i] =
        values[i] >= minLevel && blocks[i].luma * brightest.level <= values[i] * brightest.luma * kMoreLuma;
    if (isScreen[i]) {
      sum = sum + values[i];
      known = known + 1.0f;
    }
  }
  const std::array<bool, kMaxScreenBlocks* kMaxScreenBlocks> mayBeScreen = isScreen;
  const float mean = known > 0 ? sum / known : 1.0f;
  bool fits = true;
  for (int round = 0; round < kFitRounds && fits; ++round) {
    const int terms = round == 0 ? 3 : kTerms;
    float m[kTerms][kTerms + 1] = {};
    int included = 0;
    for (int i = 0; i < count; ++i) {
      if (!isScreen[static_cast<size_t>(i)]) continue;
      ++included;
      const Basis basis = basisOf(grid, i);
      for (int r = 0; r < terms; ++r) {
        for (int c = 0; c < terms; ++c) m[r][c] = m[r][c] + basis.terms[r] * basis.terms[c];
        m[r][kTerms] = m[r][kTerms] + basis.terms[r] * values[static_cast<size_t>(i)];
      }
    }
    fits = included >= kMinBlocks;
    if (!fits) break;
    for (int r = 0; r < terms; ++r) m[r][r] = m[r][r] + kRidge;
    float solution[kTerms];
    solve(m, terms, solution);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<size_t>(i);
      surface[at] = valueAt(basisOf(grid, i), solution);
      isScreen[at] = mayBeScreen[at] && values[at] >= surface[at] - kDarker;
    }
  }
  float lowest = 2, highest = 0;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    if (!isScreen[i]) continue;
    lowest = std::min(lowest, values[i]);
    highest = std::max(highest, values[i]);
  }
  for (size_t i = 0; i < static_cast<size_t>(count); ++i)
    levels[i] = fits && lowest <= highest ? std::min(std::max(surface[i], lowest), highest) : mean;
}

}  // namespace framewright
