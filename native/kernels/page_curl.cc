#include "kernels/page_curl.h"

#include <algorithm>

#include "kernels/page_curl_samples.h"

namespace framewright::kernels::reference {
namespace {

// Samples of the page, which are limited to those that exist.
class PageLevels {
 public:
  // Black of luma and chroma, the highest level, and the fraction bits of samples.
  static constexpr std::array<int, 2> kBlack{16, 128};
  static constexpr int kHighest = 255, kUnitBits = 0;

  explicit PageLevels(const SamplePlane& plane) : plane_(plane) {}

  // Between samples, in 1/256 of them.
  int at(int x, int y) const {
    const int column = std::clamp(x, 0, plane_.maxX * 256), row = std::clamp(y, 0, plane_.maxY * 256);
    const int left = column >> 8, right = std::min(left + 1, plane_.maxX), across = column & 255;
    const auto rowAt = [&](int index) { return plane_.data + ptrdiff_t{index} * plane_.stride; };
    const uint8_t *const upper = rowAt(row >> 8), *const lower = rowAt(std::min((row >> 8) + 1, plane_.maxY));
    const int above = upper[left] * 256 + (upper[right] - upper[left]) * across;
    const int below = lower[left] * 256 + (lower[right] - lower[left]) * across;
    return (above * 256 + (below - above) * (row & 255) + 32768) >> 16;
  }

 private:
  const SamplePlane& plane_;
};

}  // namespace

void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count) {
  const PageLevels levels(page.plane);
  const curl::CurledSamples samples(levels, page);
  const int step = (page.isChroma ? 8 : 4) * page.normalX;
  for (size_t i = 0; i < count; ++i, position += step)
    row[i] = static_cast<uint8_t>(samples.at(x + static_cast<int>(i), y, position, row[i], flat[i]));
}

}  // namespace framewright::kernels::reference
