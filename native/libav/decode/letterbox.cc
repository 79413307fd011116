#include "libav/decode/letterbox.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace framewright {
namespace {

constexpr double kAspectTolerance = 0.02;  // coded sizes are rounded to whole blocks
constexpr double kMaxLetterboxAspect = 4;  // a greater difference is damage
constexpr int kMaxLetterboxSide = 16384;

// Black by plane, of 8 bits; video has limited range.
uint8_t blackOf(PixelFormat format, int plane) {
  if (format == PixelFormat::kRgbaStraight || format == PixelFormat::kRgbaPremultiplied) return 0;
  return plane == 0 ? 16 : 128;
}

int bytesPerSample(PixelFormat format, int plane) {
  if (format == PixelFormat::kI420) return 1;
  if (format == PixelFormat::kNv12) return plane == 0 ? 1 : 2;
  if (format == PixelFormat::kI010) return 2;
  return 4;
}

void fillBlack(uint8_t* line, PixelFormat format, int plane, size_t bytes) {
  if (format == PixelFormat::kI010) {
    std::fill_n(reinterpret_cast<uint16_t*>(line), bytes / 2,
                static_cast<uint16_t>(4 * blackOf(format, plane)));
  } else {
    std::memset(line, blackOf(format, plane), bytes);
  }
}

}  // namespace

bool isLetterboxed(double aspect) {
  const bool isFar = aspect > 1 + kAspectTolerance || aspect < 1 - kAspectTolerance;
  return isFar && aspect > 1 / kMaxLetterboxAspect && aspect < kMaxLetterboxAspect;
}

Result<ImagePtr> letterbox(ImagePtr image, double aspect) {
  if (!isLetterboxed(aspect) || image->deviceMemory() != nullptr) return image;
  // Even bars keep chroma samples on their luma samples.
  const auto bar = [](int side, double factor) {
    return static_cast<int>(std::lround(side * (factor - 1) / 4)) * 2;
  };
  const int left = aspect > 1 ? bar(image->width(), aspect) : 0;
  const int top = aspect < 1 ? bar(image->height(), 1 / aspect) : 0;
  if (image->width() + 2 * left > kMaxLetterboxSide || image->height() + 2 * top > kMaxLetterboxSide)
    return image;
  const PixelFormat format = image->format();
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> padded,
                      Image::create(format, image->width() + 2 * left, image->height() + 2 * top));
  padded->siting = image->siting;
  for (int i = 0; i < image->planeCount(); ++i) {
    const Plane& from = image->plane(i);
    const Plane& to = padded->plane(i);
    const auto sample = static_cast<size_t>(bytesPerSample(format, i));
    const int shift = i > 0 ? 1 : 0;
    for (int row = 0; row < to.height; ++row) {
      uint8_t* line = to.data + row * to.stride;
      fillBlack(line, format, i, static_cast<size_t>(to.width) * sample);
      const int source = row - (top >> shift);
      if (source < 0 || source >= from.height) continue;
      std::memcpy(line + static_cast<size_t>(left >> shift) * sample, from.data + source * from.stride,
                  static_cast<size_t>(from.width) * sample);
    }
  }
  return ImagePtr(padded);
}

}  // namespace framewright
