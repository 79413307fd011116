#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"

namespace framewright {

// Integrated loudness of 48 kHz stereo audio by EBU R128. Not thread-safe.
class LoudnessMeter {
 public:
  // Fails with OUT_OF_MEMORY.
  static Result<std::unique_ptr<LoudnessMeter>> create();
  virtual ~LoudnessMeter() = default;

  virtual Status add(const float* left, const float* right, int64_t count) = 0;
  // LUFS of all samples so far; minus infinity for silence and for less than 0.4 s.
  virtual Result<double> integrated() const = 0;
};

}  // namespace framewright
