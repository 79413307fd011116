#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/result.h"

namespace framewright {

// How close a decoded clip is to its source.
struct Quality {
  int64_t frames = 0;
  std::array<double, 3> psnr{};  // Y, U, V in dB; infinite for equal clips
  std::array<double, 3> ssim{};  // 1 for equal clips
  double ssimAll = 1;
  std::array<double, 3> xpsnr{};
  double minPsnr = 0;  // luma of the worst frame, dB
};

// Decodes a packet file and compares it, frame by frame, with the first frames of a Y4M file. A non-empty
// `decodedPath` receives the decoded frames as Y4M. Fails with DECODE_FAILED, also if the number of decoded
// frames differs from `frames` (0: all of the source), MEDIA_UNREADABLE, MEDIA_UNSUPPORTED or IO_FAILED.
Result<Quality> measureQuality(const std::string& source, int64_t frames, const std::string& encodedPath,
                               const std::string& decodedPath);

}  // namespace framewright
