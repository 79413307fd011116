#include "compositor/deep/float_image.h"

#include <algorithm>
#include <cstdlib>

namespace framewright {
namespace {

constexpr size_t kAlignment = 64;

}  // namespace

Result<FloatImage> FloatImage::create(int width, int height, bool hasAlpha) {
  FloatImage image;
  image.width_ = width;
  image.height_ = height;
  image.hasAlpha_ = hasAlpha;
  constexpr ptrdiff_t kStep = kAlignment / sizeof(float);
  image.stride_ = (width + 2 * kMargin + kStep - 1) / kStep * kStep;
  const size_t plane = static_cast<size_t>(image.stride_) * static_cast<size_t>(height);
  void* const memory =
      std::aligned_alloc(kAlignment, plane * static_cast<size_t>(image.channels()) * sizeof(float));
  if (memory == nullptr) return Error{ErrorCode::OUT_OF_MEMORY, "Not enough memory for an image.", ""};
  image.memory_ = std::shared_ptr<void>(memory, std::free);
  for (int i = 0; i < image.channels(); ++i)
    image.channel_[static_cast<size_t>(i)] =
        static_cast<float*>(memory) + static_cast<size_t>(i) * plane + kMargin;
  return image;
}

Status FloatImage::resize(int width, int height, bool hasAlpha) {
  if (memory_ != nullptr && width == width_ && height == height_ && hasAlpha == hasAlpha_) return {};
  *this = {};
  FW_ASSIGN_OR_RETURN(*this, create(width, height, hasAlpha));
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
