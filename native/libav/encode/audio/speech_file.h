#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"

namespace framewright {

// Writes 48 kHz stereo float as a WAV file of one channel at another rate, 16 bits: what recognisers of
// speech listen to. Used by one thread. Destroyed before finish(), it leaves no file.
class SpeechFile {
 public:
  // Fails with IO_FAILED, or UNEXPECTED for a rate that cannot be.
  static Result<std::unique_ptr<SpeechFile>> create(const std::string& path, int sampleRate);
  virtual ~SpeechFile() = default;

  virtual Status write(const float* left, const float* right, int count) = 0;
  // Samples written in all.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
