#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.h"

namespace framewright {

// Writes 48 kHz stereo float as a 16-bit mono WAV file at another sample rate, for speech recognition.
// Without finish() the destructor removes the file. Used by one thread.
class SpeechFile {
 public:
  // Fails with IO_FAILED, or UNEXPECTED for an invalid rate.
  static Result<std::unique_ptr<SpeechFile>> create(const std::string& path, int sampleRate);
  virtual ~SpeechFile() = default;

  virtual Status write(const float* left, const float* right, int count) = 0;
  // Completes the file and returns the number of samples.
  virtual Result<int64_t> finish() = 0;
};

}  // namespace framewright
