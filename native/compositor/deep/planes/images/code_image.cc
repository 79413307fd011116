#include "compositor/deep/planes/images/code_image.h"

#include <algorithm>
#include <utility>

#include "core/aligned_vector.h"
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

void widenRow(int16_t* to, const Plane& plane, int y) {
  kernels::widenCodes(to, rowOf(plane, y), static_cast<size_t>(plane.width));
}

// A kI420 image as codes of 10 bits.
Result<ImagePtr> widenedImage(const Image& image) {
  FW_ASSIGN_OR_RETURN(auto codes, Image::create(PixelFormat::kI010, image.width(), image.height()));
  codes->siting = image.siting;
  for (int p = 0; p < 3; ++p) {
    for (int y = 0; y < image.plane(p).height; ++y)
      widenRow(reinterpret_cast<int16_t*>(rowOf(codes->plane(p), y)), image.plane(p), y);
  }
  return ImagePtr(std::move(codes));
}

class WidenedRows final : public CodeRows {
 public:
  explicit WidenedRows(ImagePtr image) : image_(std::move(image)) {
    for (auto& row : rows_) row.resize(static_cast<size_t>(image_->width()));
  }
  const int16_t* row(int plane, int y) override {
    AlignedVector<int16_t>& row = rows_[static_cast<size_t>(plane)];
    widenRow(row.data(), image_->plane(plane), y);
    return row.data();
  }

 private:
  const ImagePtr image_;
  std::array<AlignedVector<int16_t>, 3> rows_;
};

}  // namespace

CodeImage::CodeImage(int width, int height, int firstLevel, CodeLevel first)
    : width_(width),
      height_(height),
      firstLevel_(firstLevel),
      chromaOffset_(first.image->siting == ChromaSiting::kLeft ? 0.25 : 0),
      made_(firstLevel + 1) {
  levels_[static_cast<size_t>(firstLevel)] = std::move(first);
}

CodeImage::CodeImage(ImagePtr eightBits)
    : eightBits_(std::move(eightBits)),
      width_(eightBits_->width()),
      height_(eightBits_->height()),
      firstLevel_(0),
      chromaOffset_(eightBits_->siting == ChromaSiting::kLeft ? 0.25 : 0),
      made_(0) {}

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
  if (made_ == 0) {
    FW_ASSIGN_OR_RETURN(levels_[0].image, widenedImage(*eightBits_));
    made_ = 1;
  }
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

Result<CodeLevel> CodeImage::levelForRows(int level, int& found) const {
  if (eightBits_ == nullptr || level > 0) return this->level(level, found);
  found = 0;
  return CodeLevel{nullptr, 0, std::make_shared<WidenedRows>(eightBits_)};
}

}  // namespace framewright
