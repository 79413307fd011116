#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/result.h"

namespace framewright {

struct Quality {
  int64_t frames = 0;
  std::array<double, 3> psnr{};  // Y, U, V in dB; infinite where nothing differs
  std::array<double, 3> ssim{};  // 1: nothing differs
  double ssimAll = 1;
  std::array<double, 3> xpsnr{};
  double leastPsnr = 0;  // of the luma of the worst picture
};

// Decodes a packet file and compares it, picture by picture, with the first pictures of a Y4M file. With
// `decodedPath` what was decoded is left there as Y4M. Fails with DECODE_FAILED, also where the numbers of
// pictures differ from `frames` (0: all of the source), MEDIA_UNREADABLE, MEDIA_UNSUPPORTED or IO_FAILED.
Result<Quality> measureQuality(const std::string& source, int64_t frames, const std::string& encodedPath,
                               const std::string& decodedPath);

}  // namespace framewright
