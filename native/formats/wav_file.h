#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

namespace framewright {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, FileCloser>;

inline constexpr int kPcmWavHeaderBytes = 44;
// A WAV file has at most this many bytes of samples, because its sizes have 32 bits.
inline constexpr int64_t kMaxWavDataBytes = UINT32_MAX - kPcmWavHeaderBytes;

// The samples of a PCM WAV file.
struct PcmLayout {
  uint32_t channels, sampleRate, bytesPerSample;
};
// Everything before the samples of a PCM WAV file.
std::array<uint8_t, kPcmWavHeaderBytes> pcmWavHeader(const PcmLayout& layout, uint32_t dataBytes);

// Writes 48 kHz stereo as 24-bit PCM WAV. Without finish() the destructor removes the file. One thread.
class WavWriter {
 public:
  ~WavWriter();

  // Fails with IO_FAILED.
  static Result<std::unique_ptr<WavWriter>> create(const std::string& path);
  // Samples beyond -1..1 are clipped. Fails with IO_FAILED, also beyond 4 GB (4.1 hours).
  Status write(const float* left, const float* right, int64_t count);
  // Completes the header and returns the file's size in bytes.
  Result<int64_t> finish();

 private:
  explicit WavWriter(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  FileHandle file_;
  std::vector<uint8_t> buffer_;
  int64_t samples_ = 0;
};

// Reads 48 kHz stereo WAV of 16-bit or 24-bit PCM or 32-bit float. One thread.
class WavReader {
 public:
  // Fails with MEDIA_UNREADABLE when the file is missing or damaged, MEDIA_UNSUPPORTED for other layouts.
  static Result<std::unique_ptr<WavReader>> open(const std::string& path);
  // Samples per channel.
  int64_t samples() const { return samples_; }
  // Continues reading at a sample, at most samples().
  Status seek(int64_t sample);
  // Reads interleaved samples; silence follows the end of the file.
  Status read(float* interleaved, int64_t count);

 private:
  WavReader() = default;

  FileHandle file_;
  bool isFloat_ = false;
  int bytesPerSample_ = 0;
  int64_t dataOffset_ = 0, samples_ = 0, position_ = 0;
  std::vector<uint8_t> buffer_;
};

}  // namespace framewright
