#include <algorithm>
#include <vector>

#include "libav/outputs/output_frame.h"

namespace framewright {
namespace {

// Premultiplied color and weight at half the size of the level before.
struct FillLevel {
  int width = 0, height = 0;
  std::vector<float> pixels;  // r, g, b, weight

  FillLevel(int columns, int rows)
      : width(columns), height(rows), pixels(static_cast<size_t>(columns) * static_cast<size_t>(rows) * 4) {}
  float* at(int x, int y) {
    return pixels.data() + 4 * (static_cast<size_t>(std::min(y, height - 1)) * static_cast<size_t>(width) +
                                static_cast<size_t>(std::min(x, width - 1)));
  }
};

FillLevel halved(FillLevel& from) {
  FillLevel to((from.width + 1) / 2, (from.height + 1) / 2);
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x) {
      const float* four[4] = {from.at(2 * x, 2 * y), from.at(2 * x + 1, 2 * y), from.at(2 * x, 2 * y + 1),
                              from.at(2 * x + 1, 2 * y + 1)};
      float* sum = to.at(x, y);
      for (int i = 0; i < 4; ++i) sum[i] = four[0][i] + four[1][i] + four[2][i] + four[3][i];
      // Weights stay at most 1, so that every pixel in reach counts alike.
      if (sum[3] > 1) {
        for (int i = 0; i < 3; ++i) sum[i] /= sum[3];
        sum[3] = 1;
      }
    }
  }
  return to;
}

// Pixels without weight get the color of the coarser level.
void fillFrom(FillLevel& fine, FillLevel& coarse) {
  for (int y = 0; y < fine.height; ++y) {
    for (int x = 0; x < fine.width; ++x) {
      float* pixel = fine.at(x, y);
      const float missing = 1 - std::min(pixel[3], 1.0f);
      if (missing <= 0) continue;
      const float* under = coarse.at(x / 2, y / 2);
      const float share = under[3] <= 0 ? 0 : missing / under[3];
      for (int i = 0; i < 4; ++i) pixel[i] += share * under[i];
    }
  }
}

}  // namespace

void fillTransparentPixels(Image& image) {
  const Plane& plane = image.plane(0);
  std::vector<FillLevel> levels;
  levels.emplace_back(plane.width, plane.height);
  bool isOpaque = true;
  for (int y = 0; y < plane.height; ++y) {
    const uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4) {
      const float weight = static_cast<float>(pixel[3]) / 255;
      float* to = levels[0].at(x, y);
      for (int i = 0; i < 3; ++i) to[i] = weight * static_cast<float>(pixel[i]);
      to[3] = weight;
      isOpaque = isOpaque && pixel[3] == 255;
    }
  }
  if (isOpaque) return;
  while (levels.back().width > 1 || levels.back().height > 1) {
    FillLevel half = halved(levels.back());
    levels.push_back(std::move(half));
  }
  for (size_t i = levels.size() - 1; i > 0; --i) fillFrom(levels[i - 1], levels[i]);
  for (int y = 0; y < plane.height; ++y) {
    uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < plane.width; ++x, pixel += 4) {
      if (pixel[3] != 0) continue;
      const float* from = levels[0].at(x, y);
      for (int i = 0; i < 3; ++i) pixel[i] = static_cast<uint8_t>(std::clamp(from[i], 0.0f, 255.0f) + 0.5f);
    }
  }
}

}  // namespace framewright
