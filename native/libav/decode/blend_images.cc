#include "libav/decode/blend_images.h"

#include <cmath>

#include "core/planes.h"
#include "kernels/blend/blend.h"

namespace framewright {
namespace {

// Colours count by their alpha, so that those of transparent pixels are not seen.
void blendStraightRow(uint8_t* out, const uint8_t* from, const uint8_t* to, int pixels, int weight) {
  constexpr int kFull = kernels::kFullWeight;
  for (int x = 0; x < pixels; ++x, out += 4, from += 4, to += 4) {
    const int64_t old = int64_t{from[3]} * (kFull - weight), next = int64_t{to[3]} * weight,
                  both = old + next;
    for (int c = 0; c < 3; ++c)
      out[c] = both == 0 ? 0 : static_cast<uint8_t>((from[c] * old + to[c] * next + both / 2) / both);
    out[3] = static_cast<uint8_t>((both + kFull / 2) / kFull);
  }
}

void blendDeepRow(uint8_t* out, const uint8_t* from, const uint8_t* to, int samples, int weight) {
  constexpr int kFull = kernels::kFullWeight;
  auto* const row = reinterpret_cast<uint16_t*>(out);
  const auto* const old = reinterpret_cast<const uint16_t*>(from);
  const auto* const next = reinterpret_cast<const uint16_t*>(to);
  for (int x = 0; x < samples; ++x)
    row[x] = static_cast<uint16_t>((old[x] * (kFull - weight) + next[x] * weight + kFull / 2) / kFull);
}

}  // namespace

Result<ImagePtr> blendImages(const ImagePtr& from, const ImagePtr& to, double share) {
  const bool isSame = from->format() == to->format() && from->width() == to->width() &&
                      from->height() == to->height() && from->siting == to->siting;
  if (!isSame || from == to) return from;
  FW_ASSIGN_OR_RETURN(const std::shared_ptr<Image> blended,
                      Image::create(from->format(), from->width(), from->height()));
  blended->siting = from->siting;
  blended->hasGradient = from->hasGradient || to->hasGradient;
  const auto weight = static_cast<uint16_t>(std::lround(share * kernels::kFullWeight));
  const bool isStraight = from->format() == PixelFormat::kRgbaStraight;
  for (int p = 0; p < from->planeCount(); ++p) {
    const Plane& plane = blended->plane(p);
    const int samples = from->format() == PixelFormat::kI420   ? 1
                        : from->format() == PixelFormat::kNv12 ? p + 1
                                                               : 4;
    for (int y = 0; y < plane.height; ++y) {
      const uint8_t *const old = rowOf(from->plane(p), y), *const next = rowOf(to->plane(p), y);
      if (isStraight) {
        blendStraightRow(rowOf(plane, y), old, next, plane.width, weight);
      } else if (from->format() == PixelFormat::kI010) {
        blendDeepRow(rowOf(plane, y), old, next, plane.width, weight);
      } else {
        kernels::lerpRow(rowOf(plane, y), old, next, static_cast<size_t>(plane.width * samples), weight);
      }
    }
  }
  return ImagePtr(blended);
}

}  // namespace framewright
