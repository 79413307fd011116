#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <hwy/highway.h>

namespace framewright {

// Runs `body` with every instruction set of this CPU.
template <typename Body>
void forEachTarget(Body body) {
  const int64_t all = hwy::SupportedTargets() & HWY_TARGETS;  // the compiled ones
  for (int64_t left = all; left != 0; left &= left - 1) {
    const int64_t target = left & -left;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    const std::string name = hwy::TargetName(target);
    CAPTURE(name);
    body(name);
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

// Random samples between guard values that must not change. `offset` unaligns the first sample.
template <typename T>
class Guarded {
 public:
  Guarded(size_t count, size_t offset, std::mt19937& random, unsigned max)
      : count_(count), start_(kGuard + offset), samples_(count + offset + 2 * kGuard) {
    for (T& sample : samples_) sample = static_cast<T>(random() % (max + 1));
    before_ = samples_;
  }

  T* data() { return samples_.data() + start_; }
  const T* data() const { return samples_.data() + start_; }
  bool guardsHold() const {
    for (size_t i = 0; i < samples_.size(); ++i) {
      if ((i < start_ || i >= start_ + count_) && samples_[i] != before_[i]) return false;
    }
    return true;
  }
  bool operator==(const Guarded& other) const { return samples_ == other.samples_; }

 private:
  static constexpr size_t kGuard = 96;
  size_t count_, start_;
  std::vector<T> samples_, before_;
};

// Prints the time of one call of `body` on `samples` samples.
template <typename Body>
void printTime(const char* kernel, const std::string& target, size_t samples, Body body) {
  using Clock = std::chrono::steady_clock;
  body();
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    constexpr int kCalls = 200;
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) body();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count() / kCalls;
    if (seconds < best) best = seconds;
  }
  std::printf("kernel %-22s %-7s %7.3f ns/sample  %6.3f ms per 1080p plane\n", kernel, target.c_str(),
              best / static_cast<double>(samples) * 1e9, best / static_cast<double>(samples) * 2073600 * 1e3);
}

}  // namespace framewright
