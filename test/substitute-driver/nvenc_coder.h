#pragma once

#include <memory>
#include <vector>

#include "substitute.h"

namespace substitute {

struct CoderSettings {
  int width = 0, height = 0;
  uint32_t frameRateNum = 0, frameRateDen = 1, gopLength = 0;
  int bFrames = 0;
  int quality = 23;  // constant rate factor
  bool repeatsHeaders = false, isFullRange = false, hasColors = false;
  int primaries = 2, transfer = 2, matrix = 2;
};

// NV12, both planes with the same pitch.
struct CoderInput {
  uint8_t* luma = nullptr;
  uint8_t* chroma = nullptr;
  int pitch = 0;
  int64_t pts = 0;
  bool isIdr = false;
};

struct CodedPicture {
  std::vector<uint8_t> bytes;
  int64_t pts = 0;
  NV_ENC_PIC_TYPE type = NV_ENC_PIC_TYPE_UNKNOWN;
};

// The software encoder behind an NVENC session. Writes Annex B.
class Coder {
 public:
  virtual ~Coder() = default;
  virtual std::vector<uint8_t> headers() = 0;
  // Reads a picture, or drains with null; whether a picture comes out.
  virtual bool encode(const CoderInput* input, CodedPicture& out) = 0;
};

// x264, and pictures of samples without loss (libav cannot open one encoder within another); null if the
// settings are refused.
std::unique_ptr<Coder> createH264Coder(const CoderSettings& settings);
std::unique_ptr<Coder> createHevcCoder(const CoderSettings& settings);

}  // namespace substitute
