#include "core/image.h"

#include <cstdlib>

namespace framewright {
namespace {

constexpr size_t kRowAlignment = 64;

size_t alignUp(size_t bytes) { return (bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment; }

size_t bytesPerSample(PixelFormat format, int plane) {
  if (format == PixelFormat::kI420) return 1;
  if (format == PixelFormat::kNv12) return plane == 0 ? 1 : 2;
  if (format == PixelFormat::kI010) return 2;
  if (format == PixelFormat::kP010) return plane == 0 ? 2 : 4;
  if (format == PixelFormat::kRgba16Straight) return 8;
  return 4;
}

}  // namespace

Result<std::shared_ptr<Image>> Image::create(PixelFormat format, int width, int height) {
  auto image = std::shared_ptr<Image>(new Image());
  image->format_ = format;
  image->width_ = width;
  image->height_ = height;
  const int planes = image->planeCount();
  size_t offsets[3] = {0, 0, 0};
  size_t total = 0;
  for (int i = 0; i < planes; ++i) {
    Plane& plane = image->planes_[i];
    plane.width = i == 0 ? width : (width + 1) / 2;
    plane.height = i == 0 ? height : (height + 1) / 2;
    plane.stride =
        static_cast<ptrdiff_t>(alignUp(static_cast<size_t>(plane.width) * bytesPerSample(format, i)));
    offsets[i] = total;
    total += static_cast<size_t>(plane.stride) * plane.height;
  }
  // A spare row lets kernels read whole vectors past the last sample.
  total += kRowAlignment;
  void* memory = std::aligned_alloc(kRowAlignment, alignUp(total));
  if (memory == nullptr) {
    return Error{ErrorCode::OUT_OF_MEMORY, "Not enough memory for an image.", ""};
  }
  image->owner_ = std::shared_ptr<const void>(memory, std::free);
  for (int i = 0; i < planes; ++i) {
    image->planes_[i].data = static_cast<uint8_t*>(memory) + offsets[i];
  }
  return image;
}

std::shared_ptr<Image> Image::wrap(PixelFormat format, int width, int height, const Plane* planes,
                                   std::shared_ptr<const void> owner) {
  auto image = std::shared_ptr<Image>(new Image());
  image->format_ = format;
  image->width_ = width;
  image->height_ = height;
  for (int i = 0; i < image->planeCount(); ++i) {
    image->planes_[i] = planes[i];
  }
  image->owner_ = std::move(owner);
  return image;
}

std::shared_ptr<Image> Image::onDevice(int width, int height, std::shared_ptr<const DeviceMemory> memory) {
  const Plane planes[] = {{nullptr, 0, width, height}, {nullptr, 0, (width + 1) / 2, (height + 1) / 2}};
  std::shared_ptr<Image> image = wrap(PixelFormat::kNv12, width, height, planes, nullptr);
  image->deviceMemory_ = std::move(memory);
  return image;
}

std::shared_ptr<Image> Image::decodedOnDevice(PixelFormat format, int width, int height,
                                              std::shared_ptr<const DeviceMemory> memory,
                                              std::shared_ptr<const DecodedFrame> frame) {
  std::shared_ptr<Image> image = onDevice(width, height, std::move(memory));
  image->format_ = format;
  image->decodedFrame_ = std::move(frame);
  return image;
}

}  // namespace framewright
