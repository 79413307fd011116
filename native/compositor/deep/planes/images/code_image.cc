#include "compositor/deep/planes/images/code_image.h"

#include <algorithm>
#include <utility>

#include "core/planes.h"
#include "kernels/deep/plane_rows.h"

namespace framewright {
kernels::CodePlane codePlaneOf(const Plane& plane, const SampleBounds& bounds, int fractionBits) {
  return {reinterpret_cast<const int16_t*>(plane.data),
          static_cast<int32_t>(plane.stride / static_cast<ptrdiff_t>(sizeof(int16_t))),
          bounds.left,
          bounds.right,
          bounds.top,
          bounds.bottom,
          fractionBits};
}

void halvePlane(const Plane& to, const Plane& from, int fractionBits) {
  const auto samples = [](const Plane& plane, int y) { return reinterpret_cast<int16_t*>(rowOf(plane, y)); };
  const auto pairs = static_cast<size_t>(from.width / 2);
  for (int y = 0; y < to.height; ++y) {
    const int16_t* const top = samples(from, std::min(2 * y, from.height - 1));
    const int16_t* const bottom = samples(from, std::min(2 * y + 1, from.height - 1));
    int16_t* const row = samples(to, y);
    kernels::halveSamples(row, top, bottom, fractionBits, pairs);
    if (from.width % 2 == 0) continue;
    const int16_t ends[4] = {top[2 * pairs], top[2 * pairs], bottom[2 * pairs], bottom[2 * pairs]};
    kernels::halveSamples(row + pairs, ends, ends + 2, fractionBits, 1);
  }
}

namespace {

Result<CodeLevel> halved(const CodeLevel& from) {
  FW_ASSIGN_OR_RETURN(auto image, Image::create(PixelFormat::kI010, (from.image->width() + 1) / 2,
                                                (from.image->height() + 1) / 2));
  for (int p = 0; p < 3; ++p) halvePlane(image->plane(p), from.image->plane(p), from.fractionBits);
  return CodeLevel{std::move(image), kernels::kCodeFraction};
}

}  // namespace

CodeImage::CodeImage(int width, int height, int firstLevel, CodeLevel first)
    : width_(width),
      height_(height),
      firstLevel_(firstLevel),
      chromaOffset_(first.image->siting == ChromaSiting::kLeft ? 0.25 : 0),
      made_(firstLevel + 1) {
  levels_[static_cast<size_t>(firstLevel)] = std::move(first);
}

CodeImage::CodeImage(int width, int height, std::shared_ptr<CodeRows> rows)
    : width_(width), height_(height), firstLevel_(0), chromaOffset_(0.25), made_(1) {
  levels_[0] = {nullptr, kernels::kCodeFraction, std::move(rows)};
}

Plane CodeImage::sizeOf(const CodeLevel& level, int plane) const {
  if (level.image != nullptr) return level.image->plane(plane);
  const int divisor = plane == 0 ? 1 : 2;
  return {nullptr, 0, (width_ + divisor - 1) / divisor, (height_ + divisor - 1) / divisor};
}

Result<CodeLevel> CodeImage::level(int level, int& found) const {
  const std::lock_guard lock(making_);
  const int wanted = std::clamp(level, firstLevel_, kMaxLevels - 1);
  while (made_ <= wanted) {
    const CodeLevel& last = levels_[static_cast<size_t>(made_ - 1)];
    if (last.rows != nullptr || (last.image->width() == 1 && last.image->height() == 1)) break;
    FW_ASSIGN_OR_RETURN(levels_[static_cast<size_t>(made_)], halved(last));
    ++made_;
  }
  found = std::min(wanted, made_ - 1);
  return levels_[static_cast<size_t>(found)];
}

Result<ImagePtr> widenedImage(const Image& image) {
  FW_ASSIGN_OR_RETURN(auto codes, Image::create(PixelFormat::kI010, image.width(), image.height()));
  codes->siting = image.siting;
  for (int p = 0; p < 3; ++p) {
    const Plane& plane = image.plane(p);
    for (int y = 0; y < plane.height; ++y)
      kernels::widenCodes(reinterpret_cast<int16_t*>(rowOf(codes->plane(p), y)), rowOf(plane, y),
                          static_cast<size_t>(plane.width));
  }
  return ImagePtr(std::move(codes));
}

}  // namespace framewright
