#include "compositor/plan/coverage.h"

#include <algorithm>
#include <cmath>

namespace framewright {
namespace {

constexpr double kSnap = 1.0 / 512;  // edges this close to a pixel border are moved onto it

double snapped(double edge) {
  const double whole = std::round(edge);
  return std::abs(edge - whole) < kSnap ? whole : edge;
}

// An interval over pixels 0 … pixels - 1. The last pixel of an odd canvas is repeated, so that its chroma
// sample can be covered completely.
class Interval {
 public:
  Interval(double from, double to, int pixels) : from_(from), to_(to), last_(pixels - 1) {}

  double pixel(int k) const {
    const int inside = std::min(k, last_);
    return std::clamp(std::min(to_, inside + 1.0) - std::max(from_, static_cast<double>(inside)), 0.0, 1.0);
  }

  double sample(int k, int pixelsPerSample) const {
    return pixelsPerSample == 1 ? pixel(k) : (pixel(2 * k) + pixel(2 * k + 1)) / 2;
  }

 private:
  double from_, to_;
  int last_;
};

void findFull(AxisCoverage& coverage) {
  const auto isFull = [&](int k) { return coverage.at(k) == kernels::kFullWeight; };
  coverage.fullFirst = coverage.first;
  while (coverage.fullFirst < coverage.end && !isFull(coverage.fullFirst)) ++coverage.fullFirst;
  coverage.fullEnd = coverage.fullFirst;
  while (coverage.fullEnd < coverage.end && isFull(coverage.fullEnd)) ++coverage.fullEnd;
}

}  // namespace

uint16_t toWeight(double fraction) {
  return static_cast<uint16_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * kernels::kFullWeight));
}

void coverAxis(AxisCoverage& coverage, double from, double to, int pixels, int pixelsPerSample) {
  const double left = std::clamp(snapped(from), 0.0, static_cast<double>(pixels));
  const double right = std::clamp(snapped(to), 0.0, static_cast<double>(pixels));
  coverage.weights.clear();
  coverage.first = coverage.end = coverage.fullFirst = coverage.fullEnd = 0;
  if (right <= left) return;
  const Interval interval(left, right, pixels);
  const int samples = (pixels + pixelsPerSample - 1) / pixelsPerSample;
  const int start = static_cast<int>(left) / pixelsPerSample;
  const int stop = std::min(samples, static_cast<int>(std::ceil(right)) / pixelsPerSample + 1);
  coverage.first = start;
  // Range of completely covered samples.
  const int innerFirst = std::clamp(static_cast<int>(std::ceil(left / pixelsPerSample)), start, stop);
  const int innerEnd = std::clamp(static_cast<int>(std::floor(right / pixelsPerSample)), innerFirst, stop);
  const auto add = [&](int from, int end) {
    for (int k = from; k < end; ++k) {
      const uint16_t weight = toWeight(interval.sample(k, pixelsPerSample));
      if (weight > 0) {
        coverage.weights.push_back(weight);
      } else if (coverage.weights.empty()) {
        coverage.first = k + 1;
      }
    }
  };
  add(start, innerFirst);
  coverage.weights.insert(coverage.weights.end(), static_cast<size_t>(innerEnd - innerFirst),
                          kernels::kFullWeight);
  add(innerEnd, stop);
  coverage.end = coverage.first + static_cast<int>(coverage.weights.size());
  findFull(coverage);
}

void AxisCoverage::trim(int low, int high) {
  const int from = std::clamp(low, first, end), to = std::clamp(high, from, end);
  if (from == first && to == end) return;
  weights.erase(weights.begin() + (to - first), weights.end());
  weights.erase(weights.begin(), weights.begin() + (from - first));
  first = from;
  end = to;
  findFull(*this);
}

void RectCoverage::cover(const Rect& rect, const CanvasSize& canvas, PlaneGroup group) {
  const int pixelsPerSample = group == PlaneGroup::kLuma ? 1 : 2;
  coverAxis(columns, rect.x, rect.right(), canvas.width, pixelsPerSample);
  coverAxis(rows, rect.y, rect.bottom(), canvas.height, pixelsPerSample);
}

void RectCoverage::trim(const PixelRect& part, PlaneGroup group) {
  const SampleRange across = samplesOf(part.left, part.right, group),
                    down = samplesOf(part.top, part.bottom, group);
  columns.trim(across.first, across.end);
  rows.trim(down.first, down.end);
}

}  // namespace framewright
