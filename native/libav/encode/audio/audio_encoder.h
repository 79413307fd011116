#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"

namespace framewright {

// Number of samples that the encoder inserts before the first input sample.
inline constexpr int kAacPriming = 1024;

// Encodes 48 kHz stereo float as AAC into a packet file on several threads. Used by one thread at a time.
// Without finish() the destructor removes the file.
class AudioEncoder {
 public:
  // The output does not depend on `threads`; 0: one per core, at most 4. Fails with ENCODER_UNAVAILABLE or
  // IO_FAILED.
  static Result<std::unique_ptr<AudioEncoder>> open(int bitrate, const std::string& path,
                                                    unsigned threads = 0);
  virtual ~AudioEncoder() = default;

  // Encodes any number of samples.
  virtual Status encode(const float* left, const float* right, int64_t count) = 0;
  // Drains the encoder, completes the file and returns its size in bytes.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
