#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"

namespace framewright {

// Samples that the encoder puts before the first one it was given.
inline constexpr int kAacPriming = 1024;

// Encodes 48 kHz stereo float as AAC into a packet file, on threads of its own. Used by one thread at a time.
// Without finish() the file is removed again.
class AudioEncoder {
 public:
  // The file is the same whatever the number of threads; 0: as many as there are cores, up to a few. Fails
  // with ENCODER_UNAVAILABLE or IO_FAILED.
  static Result<std::unique_ptr<AudioEncoder>> open(int bitrate, const std::string& path,
                                                    unsigned threads = 0);
  virtual ~AudioEncoder() = default;

  // The next samples, any number.
  virtual Status encode(const float* left, const float* right, int64_t count) = 0;
  // Drains the encoder and closes the file; its size in bytes.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
