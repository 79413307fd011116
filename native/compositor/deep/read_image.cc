#include "compositor/deep/read_image.h"

#include <algorithm>

#include "core/planes.h"

namespace framewright {

namespace {

bool isOpaqueDeep(const Plane& plane) {
  for (int y = 0; y < plane.height; ++y) {
    const auto* const row = reinterpret_cast<const uint16_t*>(rowOf(plane, y));
    uint16_t alpha = 0xFFFF;
    for (int x = 0; x < plane.width; ++x) alpha &= row[4 * x + 3];
    if (alpha != 0xFFFF) return false;
  }
  return true;
}

// Straight pixels of 16 bits to premultiplied 0..1.
void floatsOfRgba16(const kernels::FloatRow& to, const uint16_t* rgba, size_t count) {
  constexpr float kUnit = 1 / 65535.0f;
  for (size_t x = 0; x < count; ++x) {
    const float alpha = static_cast<float>(rgba[4 * x + 3]) * kUnit, scale = alpha * kUnit;
    to.r[x] = static_cast<float>(rgba[4 * x]) * scale;
    to.g[x] = static_cast<float>(rgba[4 * x + 1]) * scale;
    to.b[x] = static_cast<float>(rgba[4 * x + 2]) * scale;
    if (to.a != nullptr) to.a[x] = alpha;
  }
}

}  // namespace

bool isOpaque(const Image& image) {
  if (image.format() == PixelFormat::kRgba16Straight) return isOpaqueDeep(image.plane(0));
  const bool isRgba =
      image.format() == PixelFormat::kRgbaStraight || image.format() == PixelFormat::kRgbaPremultiplied;
  if (!isRgba) return true;
  const Plane& plane = image.plane(0);
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* const row = rowOf(plane, y);
    uint8_t alpha = 255;
    for (int x = 0; x < plane.width; ++x) alpha &= row[4 * x + 3];
    if (alpha != 255) return false;
  }
  return true;
}

RowReader::RowReader(const Image& image, const CanvasCurves& curves, int fractionBits)
    : image_(image), curves_(curves) {
  const bool isDeep = image.format() == PixelFormat::kI010;
  scale_ = kernels::ycbcrScale(isDeep ? 10 + fractionBits : 8, isDeep && curves.color().isHdr());
}

template <typename Sample>
void RowReader::readYcbcr(int y, const kernels::FloatRow& row) {
  const Plane& chroma = image_.plane(1);
  const auto half = static_cast<size_t>(chroma.width), width = static_cast<size_t>(image_.width());
  mixed_.resize(half);
  cb_.resize(width + 2);
  cr_.resize(width + 2);
  // Chroma is always between the rows of a pair.
  const int near = y / 2, far = std::clamp(y % 2 == 0 ? near - 1 : near + 1, 0, chroma.height - 1);
  const auto samples = [](const Plane& plane, int line) {
    return reinterpret_cast<const Sample*>(plane.data + line * plane.stride);
  };
  for (int p = 1; p < 3; ++p) {
    kernels::mixSamples(mixed_.data(), samples(image_.plane(p), near), samples(image_.plane(p), far), half);
    kernels::widenFloats((p == 1 ? cb_ : cr_).data(), mixed_.data(), image_.siting == ChromaSiting::kLeft,
                         width);
  }
  kernels::signalsOfYcbcr(row, samples(image_.plane(0), y), cb_.data(), cr_.data(), scale_, width);
}

void RowReader::read(int y, const kernels::FloatRow& row) {
  const auto count = static_cast<size_t>(image_.width());
  if (image_.format() == PixelFormat::kI010) {
    readYcbcr<uint16_t>(y, row);
    curves_.fromSignals(row, count);
    return;
  }
  if (image_.format() == PixelFormat::kRgba16Straight) {
    floatsOfRgba16(row, reinterpret_cast<const uint16_t*>(rowOf(image_.plane(0), y)), count);
    if (image_.isHdr) return curves_.fromSignals(row, count);
  } else if (image_.format() == PixelFormat::kI420) {
    readYcbcr<uint8_t>(y, row);
  } else {
    kernels::floatsOfRgba(row, rowOf(image_.plane(0), y), image_.format() == PixelFormat::kRgbaStraight,
                          count);
  }
  curves_.fromSdr(row, count);
}

}  // namespace framewright
