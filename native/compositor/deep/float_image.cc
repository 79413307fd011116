#include "compositor/deep/float_image.h"

#include <algorithm>
#include <cstdlib>

namespace framewright {
namespace {

constexpr size_t kAlignment = 64;

}  // namespace

void FloatImage::shape(int width, int height, bool hasAlpha) {
  width_ = width;
  height_ = height;
  hasAlpha_ = hasAlpha;
  constexpr ptrdiff_t kStep = kAlignment / sizeof(float);
  stride_ = (width + 2 * kMargin + kStep - 1) / kStep * kStep;
}

void FloatImage::place() {
  for (int i = 0; i < channels(); ++i)
    channel_[static_cast<size_t>(i)] =
        static_cast<float*>(memory_.get()) + static_cast<size_t>(i) * planeSize() + kMargin;
}

Result<FloatImage> FloatImage::create(int width, int height, bool hasAlpha) {
  FloatImage image;
  image.shape(width, height, hasAlpha);
  image.capacity_ = image.planeSize() * static_cast<size_t>(image.channels());
  void* const memory = std::aligned_alloc(kAlignment, image.capacity_ * sizeof(float));
  if (memory == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "Not enough memory for an image.", ""};
  image.memory_ = std::shared_ptr<void>(memory, std::free);
  image.place();
  return image;
}

Status FloatImage::resize(int width, int height, bool hasAlpha) {
  if (memory_ != nullptr && width == width_ && height == height_ && hasAlpha == hasAlpha_) return {};
  shape(width, height, hasAlpha);
  if (memory_.use_count() == 1 && planeSize() * static_cast<size_t>(channels()) <= capacity_) {
    place();
  } else {
    *this = {};
    FW_ASSIGN_OR_RETURN(*this, create(width, height, hasAlpha));
  }
  // Values that are not finite would survive a weight of 0.
  clear();
  return {};
}

void FloatImage::clear() {
  for (int channel = 0; channel < channels(); ++channel) {
    for (int y = 0; y < height_; ++y) std::fill_n(row(channel, y), width_, 0.0f);
  }
}

}  // namespace framewright
