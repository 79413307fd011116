#include "formats/gif/index_mapper.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace framewright::gif {
namespace {

// Bayer matrix: thresholds of 8 x 8 pixels, 0 to 63.
constexpr uint8_t kThresholds[8][8] = {{0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
                                       {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
                                       {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
                                       {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21}};
constexpr int kShares = 64;
// Squared distance of two palette colors up to which they are mixed; farther apart the pattern is visible.
constexpr float kMaxMixDistance = 32.0f * 32.0f;
// Below this one the step between both is hardly visible, and the pattern would only cost bytes.
constexpr float kMinMixDistance = 14.0f * 14.0f;
// Below this share of the way to the other color the nearest one is used, which keeps flat areas flat.
constexpr float kMinMixShare = 0.2f;
constexpr size_t kCacheBits = 16;
// Largest difference of a channel to the pixels left and above in smooth areas, where bands would be visible.
// Detail hides them, and dithering it costs bytes and sharpness.
constexpr int kMaxSmoothStep = 1;

int stepBetween(const uint8_t* pixel, const uint8_t* neighbor) {
  return std::max(
      {std::abs(pixel[0] - neighbor[0]), std::abs(pixel[1] - neighbor[1]), std::abs(pixel[2] - neighbor[2])});
}

}  // namespace

int contrastAt(const Image& image, int x, int y) {
  const Plane& plane = image.plane(0);
  const uint8_t* const pixel = plane.data + y * plane.stride + x * 4;
  const int left = x == 0 ? 0 : stepBetween(pixel, pixel - 4);
  const int above = y == 0 ? 0 : stepBetween(pixel, pixel - plane.stride);
  return std::max(left, above);
}

IndexMapper::IndexMapper(const std::vector<Color>& palette, uint8_t transparent)
    : transparent_(transparent), cache_(size_t{1} << kCacheBits) {
  for (const Color& color : palette) palette_.push_back(perceived(color.r, color.g, color.b));
}

IndexMapper::Mix IndexMapper::findMix(uint32_t color) const {
  const Perceived at = perceived(static_cast<float>(color & 255), static_cast<float>(color >> 8 & 255),
                                 static_cast<float>(color >> 16 & 255));
  const size_t first = nearestColor(palette_, at);
  Mix mix{color, static_cast<uint8_t>(first), static_cast<uint8_t>(first), 0};
  // The best partner leaves the least error when mixed by its share.
  float minError = squaredDistance(palette_[first], at);
  for (size_t i = 0; i < palette_.size(); ++i) {
    const float length = squaredDistance(palette_[i], palette_[first]);
    if (length < kMinMixDistance || length > kMaxMixDistance) continue;
    float along = 0;
    for (size_t k = 0; k < 3; ++k)
      along += (at[k] - palette_[first][k]) * (palette_[i][k] - palette_[first][k]);
    const float share = std::clamp(along / length, 0.0f, 0.5f);
    if (share < kMinMixShare) continue;
    Perceived mixed;
    for (size_t k = 0; k < 3; ++k)
      mixed[k] = palette_[first][k] + share * (palette_[i][k] - palette_[first][k]);
    const float error = squaredDistance(mixed, at);
    if (error >= minError) continue;
    minError = error;
    mix.other = static_cast<uint8_t>(i);
    mix.share = static_cast<uint8_t>(std::lround(share * kShares));
  }
  return mix;
}

float IndexMapper::distance(uint8_t index, const uint8_t* pixel) const {
  return std::sqrt(squaredDistance(palette_[index], perceived(pixel[0], pixel[1], pixel[2])));
}

const IndexMapper::Mix& IndexMapper::mixOf(uint32_t color) {
  constexpr uint32_t kHashFactor = 2654435761u;
  Mix& cached = cache_[(color * kHashFactor) >> (32 - kCacheBits)];
  if (cached.color != color) cached = findMix(color);
  return cached;
}

void IndexMapper::map(const Image& image, std::vector<uint8_t>& indices) {
  const Plane& plane = image.plane(0);
  indices.resize(static_cast<size_t>(plane.width) * static_cast<size_t>(plane.height));
  uint8_t* to = indices.data();
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4, ++to) {
      if (pixel[3] < kOpaqueAlpha) {
        *to = transparent_;
        continue;
      }
      const Mix& mix =
          mixOf(pixel[0] | static_cast<uint32_t>(pixel[1]) << 8 | static_cast<uint32_t>(pixel[2]) << 16);
      const bool isSmooth = mix.share > 0 && contrastAt(image, x, y) <= kMaxSmoothStep;
      *to = isSmooth && kThresholds[y % 8][x % 8] < mix.share ? mix.other : mix.nearest;
    }
  }
}

}  // namespace framewright::gif
