#include "compositor/plan/image_sampling.h"

#include <algorithm>
#include <cmath>

#include "compositor/plan/axis_filter.h"

namespace framewright {
namespace {

constexpr int kMaxWalkableSize = 32000;  // limit of 16.16 fixed point
constexpr double kMaxPosition = 32400;   // leaves room for the steps of a walk
constexpr double kSnap = 1.0 / 256;      // samples; offsets closer than this to a whole number are copied

// Levels have a range of [1, 2); close to 2 the next level is blended in, so that zooms are continuous.
LevelChoice chooseLevels(double shrink, double blendFrom) {
  LevelChoice choice;
  if (shrink <= blendFrom) return choice;
  choice.level = static_cast<int>(std::floor(std::log2(shrink)));
  const double rest = shrink / std::exp2(choice.level);
  choice.towardsNext = toWeight((rest - blendFrom) / (2 - blendFrom));
  return choice;
}

}  // namespace

std::optional<ImageSampling> planSampling(const Rect& crop, const Affine& toCanvas, int imageWidth,
                                          int imageHeight) {
  const double determinant = toCanvas.xx * toCanvas.yy - toCanvas.xy * toCanvas.yx;
  if (crop.width <= 0 || crop.height <= 0 || std::abs(determinant) < 1e-9) return std::nullopt;
  const Affine map = unitSquareTo(crop) * inverse(toCanvas);
  const double shrink = std::max(std::hypot(map.xx, map.yx), std::hypot(map.xy, map.yy));
  if (toCanvas.isAxisAligned()) return ImageSampling{map, true, chooseLevels(shrink / 1.15, 1.8)};
  ImageSampling sampling{map, false, chooseLevels(shrink / 1.2, 1.0)};
  while (std::max(imageWidth, imageHeight) >> sampling.levels.level > kMaxWalkableSize)
    ++sampling.levels.level;
  return sampling;
}

Affine limitedToFilters(Affine map) {
  map.xx = std::clamp(map.xx, -kMaxFilterScale, kMaxFilterScale);
  map.yy = std::clamp(map.yy, -kMaxFilterScale, kMaxFilterScale);
  return map;
}

Affine filterMapping(PlaneGroup group, const Affine& imageFromCanvas, double chromaOffset, int level) {
  return limitedToFilters(planeMapping(group, imageFromCanvas, chromaOffset, level));
}

std::optional<int> copyOffset(double scale, double offset, int first, int count, int low, int high) {
  const double rounded = std::round(offset);
  if (std::abs(scale - 1) * (first + count) > kSnap || std::abs(offset - rounded) > kSnap)
    return std::nullopt;
  const int whole = static_cast<int>(rounded);
  if (first + whole < low || first + count - 1 + whole > high) return std::nullopt;
  return whole;
}

int32_t toFixedPosition(double value) {
  return static_cast<int32_t>(std::lround(std::clamp(value, -kMaxPosition, kMaxPosition) * 65536));
}

}  // namespace framewright
