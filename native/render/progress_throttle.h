#pragma once

#include <chrono>
#include <cstdint>

#include "render/render.h"

namespace framewright {

// Forwards progress at most 20 times a second. One thread.
class ProgressThrottle {
 public:
  explicit ProgressThrottle(const ProgressSink& sink) : sink_(sink) {}

  void report(int64_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    finish(done);
  }
  // Forwards unconditionally: for the first and the last report.
  void finish(int64_t done) {
    if (sink_) sink_(done);
  }

 private:
  const ProgressSink& sink_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace framewright
