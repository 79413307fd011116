#include "compositor/deep/planes/images/alpha_image.h"

#include <algorithm>

#include "compositor/deep/planes/images/code_image.h"
#include "core/planes.h"
#include "kernels/deep/alpha_samples.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
namespace {

AlphaLevel emptyLevel(int width, int height) {
  AlphaLevel level;
  const size_t samples = static_cast<size_t>(width) * static_cast<size_t>(height);
  level.samples.resize(4 * samples);
  for (size_t p = 0; p < 4; ++p)
    level.planes[p] = {reinterpret_cast<uint8_t*>(level.samples.data() + p * samples),
                       static_cast<ptrdiff_t>(sizeof(int16_t)) * width, width, height};
  return level;
}

}  // namespace

AlphaImage::AlphaImage(int width, int height, int firstLevel, const FloatImage& first,
                       const kernels::YcbcrScale& scale)
    : width_(width), height_(height), firstLevel_(firstLevel), made_(firstLevel + 1) {
  AlphaLevel& level = levels_[static_cast<size_t>(firstLevel)];
  level = emptyLevel(first.width(), first.height());
  for (int y = 0; y < first.height(); ++y) {
    int16_t* rows[4];
    for (size_t p = 0; p < 4; ++p) rows[p] = reinterpret_cast<int16_t*>(rowOf(level.planes[p], y));
    kernels::premultipliedSamples(rows, first.at(0, y), scale, static_cast<size_t>(first.width()));
  }
}

const AlphaLevel& AlphaImage::level(int level, int& found) const {
  const std::lock_guard lock(making_);
  const int wanted = std::clamp(level, firstLevel_, kMaxLevels - 1);
  while (made_ <= wanted) {
    const AlphaLevel& last = levels_[static_cast<size_t>(made_ - 1)];
    const Plane& size = last.planes[0];
    if (size.width == 1 && size.height == 1) break;
    AlphaLevel next = emptyLevel((size.width + 1) / 2, (size.height + 1) / 2);
    for (size_t p = 0; p < 4; ++p) halvePlane(next.planes[p], last.planes[p], kernels::kCodeFraction);
    levels_[static_cast<size_t>(made_)] = std::move(next);
    ++made_;
  }
  found = std::min(wanted, made_ - 1);
  return levels_[static_cast<size_t>(found)];
}

}  // namespace framewright
