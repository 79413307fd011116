#include "render/outputs/frame_schedule.h"

namespace framewright {
namespace {

// Number of frames of the file before `frames` canvas frames have passed. The rates are limited to terms of
// 10^6 and 2^40 frames, so 128 bits hold the products.
int64_t framesBefore(const OutputFile& file, int64_t frames) {
  const auto numerator = static_cast<__int128>(frames) * file.fps.num * file.canvasFps.den;
  const auto denominator = static_cast<__int128>(file.fps.den) * file.canvasFps.num;
  return static_cast<int64_t>((numerator + denominator - 1) / denominator);
}

}  // namespace

int64_t shownCount(const OutputFile& file, int64_t frame) {
  if (frame < file.first || frame >= file.end) return 0;
  if (isAudioFormat(file.format)) return 0;
  const int64_t local = frame - file.first;
  if (isStillFormat(file.format) && !file.isSequence) return local == 0 ? 1 : 0;
  return framesBefore(file, local + 1) - framesBefore(file, local);
}

}  // namespace framewright
