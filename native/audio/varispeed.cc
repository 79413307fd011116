#include "audio/varispeed.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace framewright {
namespace {

constexpr int kLobes = 16;            // of the sinc, on each side
constexpr int kPhases = 512;          // table entries per lobe
constexpr int64_t kFillSize = 4096;   // samples read at once
constexpr int64_t kUsedSize = 65536;  // samples that are not needed any more before they are dropped

// One side of a sinc with a Blackman window.
std::vector<float> sincTable() {
  std::vector<float> table(kLobes * kPhases + 2, 0.0f);
  for (int i = 0; i <= kLobes * kPhases; ++i) {
    const double x = std::numbers::pi * i / kPhases;
    const double w = x / kLobes;
    table[static_cast<size_t>(i)] = static_cast<float>((i == 0 ? 1 : std::sin(x) / x) *
                                                       (0.42 + 0.5 * std::cos(w) + 0.08 * std::cos(2 * w)));
  }
  return table;
}

}  // namespace

Varispeed::Varispeed(TimeWarp warp) : warp_(std::move(warp)), kernel_(sincTable()) {}

Result<int64_t> Varispeed::read(float* left, float* right, int64_t count, const SampleSource& source) {
  int64_t done = 0;
  double position = warp_(static_cast<double>(made_));
  for (; done < count; ++done) {
    const double next = warp_(static_cast<double>(made_ + 1));
    // Above normal speed a wider kernel removes the frequencies that would alias.
    const double speed = std::max(1.0, next - position);
    FW_RETURN_IF_ERROR(fill(std::llround(position + kLobes * speed) + 2, source));
    if (hasEnded_ && position >= static_cast<double>(first_ + static_cast<int64_t>(left_.size()))) break;
    interpolate(position, speed, left[done], right[done]);
    position = next;
    ++made_;
  }
  return done;
}

// Reads the input up to sample `end` and drops what lies too far before it.
Status Varispeed::fill(int64_t end, const SampleSource& source) {
  while (!hasEnded_ && first_ + static_cast<int64_t>(left_.size()) < end) {
    const size_t at = left_.size();
    left_.resize(at + kFillSize);
    right_.resize(left_.size());
    FW_ASSIGN_OR_RETURN(const int64_t got, source(left_.data() + at, right_.data() + at, kFillSize));
    hasEnded_ = got < kFillSize;
    left_.resize(at + static_cast<size_t>(got));
    right_.resize(left_.size());
  }
  constexpr int64_t kMaxReach = 2 * kLobes * 20 + 4;
  const int64_t used = std::min(end - kMaxReach - first_, static_cast<int64_t>(left_.size()));
  if (used < kUsedSize) return {};
  left_.erase(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(used));
  right_.erase(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(used));
  first_ += used;
  return {};
}

void Varispeed::interpolate(double position, double speed, float& left, float& right) const {
  const double reach = kLobes * speed;
  const auto size = static_cast<int64_t>(left_.size());
  const int64_t from = std::max<int64_t>(0, static_cast<int64_t>(std::ceil(position - reach)) - first_);
  const int64_t to = std::min(size - 1, static_cast<int64_t>(std::floor(position + reach)) - first_);
  double sumLeft = 0, sumRight = 0;
  for (int64_t i = from; i <= to; ++i) {
    const double x = std::abs(static_cast<double>(first_ + i) - position) / speed * kPhases;
    const auto entry = static_cast<size_t>(x);
    const double part = x - static_cast<double>(entry);
    const double weight = kernel_[entry] + (kernel_[entry + 1] - kernel_[entry]) * part;
    sumLeft += weight * left_[static_cast<size_t>(i)];
    sumRight += weight * right_[static_cast<size_t>(i)];
  }
  left = static_cast<float>(sumLeft / speed);
  right = static_cast<float>(sumRight / speed);
}

}  // namespace framewright
