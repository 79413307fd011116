#include "compositor/plan/transitions/transition_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/planes.h"

namespace framewright {
namespace {

constexpr int kBlackLuma = 16, kLumaRange = 219;
constexpr int kSmoothedReach = 8;  // pixels to each side

// Positions between two samples along an axis, in Q8.
struct Stretch {
  int samples, pixels;

  int at(int pixel) const {
    const auto position = static_cast<int>(std::lround(((pixel + 0.5) * samples / pixels - 0.5) * 256));
    return std::clamp(position, 0, (samples - 1) * 256);
  }
};

// The luma of an image over black, from its darkest to its brightest sample.
class LumaField {
 public:
  explicit LumaField(const PlanarImage& image) : width_(image.width()), height_(image.height()) {
    int found = 0;
    const ImagePlanes& planes = image.level(0, found);
    values_.reserve(static_cast<size_t>(width_) * static_cast<size_t>(height_));
    for (int y = 0; y < height_; ++y) {
      const uint8_t* const luma = rowOf(planes.y, y);
      const uint8_t* const alpha = planes.alpha.data == nullptr ? nullptr : rowOf(planes.alpha, y);
      for (int x = 0; x < width_; ++x) {
        const int black = alpha == nullptr ? kBlackLuma : (kBlackLuma * alpha[x] + 127) / 255;
        values_.push_back(static_cast<uint8_t>(std::clamp(luma[x] - black, 0, kLumaRange)));
      }
    }
    const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
    low_ = *low;
    range_ = std::max(1, *high - *low);
  }

  // One step of the 8-bit samples.
  int step() const { return (kPatternSteps - 1) / range_; }

  void stretchTo(std::vector<uint16_t>& steps, const CanvasSize& canvas) const {
    const Stretch across{width_, canvas.width}, down{height_, canvas.height};
    steps.resize(static_cast<size_t>(canvas.width) * static_cast<size_t>(canvas.height));
    std::vector<int> columns;
    for (int x = 0; x < canvas.width; ++x) columns.push_back(across.at(x));
    uint16_t* next = steps.data();
    for (int y = 0; y < canvas.height; ++y) {
      const int row = down.at(y);
      const uint8_t *const upper = rowAt(row / 256), *const lower =
                                                         rowAt(std::min(row / 256 + 1, height_ - 1));
      for (const int column : columns) {
        const int left = column / 256, right = std::min(left + 1, width_ - 1), share = column % 256;
        const int above = upper[left] * (256 - share) + upper[right] * share;
        const int below = lower[left] * (256 - share) + lower[right] * share;
        const int64_t value = int64_t{above} * (256 - row % 256) + int64_t{below} * (row % 256);
        *next++ =
            static_cast<uint16_t>(((value - (int64_t{low_} << 16)) * (kPatternSteps - 1) / range_) >> 16);
      }
    }
  }

 private:
  const uint8_t* rowAt(int y) const {
    return values_.data() + static_cast<size_t>(y) * static_cast<size_t>(width_);
  }

  int width_, height_;
  int low_ = 0, range_ = 1;
  std::vector<uint8_t> values_;
};

// Writes the mean of the values around each one that differ from it by `limit` at most: gradients of 8-bit
// images lose their steps, and edges stay. Values are `stride` apart.
void smoothLine(uint16_t* line, size_t count, size_t stride, int limit, std::vector<uint16_t>& copy) {
  copy.resize(count);
  for (size_t k = 0; k < count; ++k) copy[k] = line[k * stride];
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  for (std::ptrdiff_t k = 0; k <= last; ++k) {
    const int own = copy[static_cast<size_t>(k)];
    const std::ptrdiff_t reach = std::min<std::ptrdiff_t>({kSmoothedReach, k, last - k});
    int sum = 0, taken = 0;
    for (std::ptrdiff_t i = k - reach; i <= k + reach; ++i) {
      const int value = copy[static_cast<size_t>(i)];
      const bool isNear = std::abs(value - own) <= limit;
      sum += isNear ? value : 0;
      taken += isNear ? 1 : 0;
    }
    line[static_cast<size_t>(k) * stride] = static_cast<uint16_t>((sum + taken / 2) / taken);
  }
}

void fillByLuma(std::vector<uint16_t>& steps, const PlanarImage& image, const CanvasSize& canvas) {
  const LumaField field(image);
  field.stretchTo(steps, canvas);
  const int limit = field.step() * 3 / 2;
  const auto width = static_cast<size_t>(canvas.width), height = static_cast<size_t>(canvas.height);
  std::vector<uint16_t> copy;
  for (size_t y = 0; y < height; ++y) smoothLine(steps.data() + y * width, width, 1, limit, copy);
  for (size_t x = 0; x < width; ++x) smoothLine(steps.data() + x, height, width, limit, copy);
}

}  // namespace

bool TransitionPattern::operator==(const TransitionPattern& other) const {
  return value_ == other.value_ && !image_.owner_before(other.image_) && !other.image_.owner_before(image_);
}

void TransitionPattern::fill(std::vector<uint16_t>& steps, const CanvasSize& canvas) const {
  if (const auto image = image_.lock()) return fillByLuma(steps, *image, canvas);
  const auto width = static_cast<float>(canvas.width), height = static_cast<float>(canvas.height);
  steps.resize(static_cast<size_t>(canvas.width) * static_cast<size_t>(canvas.height));
  uint16_t* next = steps.data();
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const float at = value_(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, width, height);
      const int step = static_cast<int>(at * kPatternSteps);
      *next++ = static_cast<uint16_t>(std::clamp(step, 0, kPatternSteps - 1));
    }
  }
}

}  // namespace framewright
