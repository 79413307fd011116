#include "kernels/page_curl.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/page_curl_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/bilinear_inl.h"
#include "kernels/page_curl_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::curlRow;

#else

namespace {

// As reference::PageLevels, by 16.16 places.
class LevelVectors {
 public:
  static constexpr std::array<int, 2> kBlack{16, 128};
  static constexpr int kHighest = 255, kUnitBits = 0;

  explicit LevelVectors(const SamplePlane& plane) : plane_(plane) {}

  int maxX() const { return plane_.maxX; }
  int maxY() const { return plane_.maxY; }
  HWY_INLINE curl::CurlVector at(curl::CurlVector x, curl::CurlVector y) const {
    return bilinear(curl::CurlInts(), plane_, x, y);
  }

 private:
  const SamplePlane& plane_;
};

}  // namespace

void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count) {
  const LevelVectors levels(page.plane);
  const size_t drawn = curl::curlByVectors(row, flat, levels, page, x, y, position, count);
  const auto done = static_cast<int>(drawn);
  const int step = (page.isChroma ? 8 : 4) * page.normalX;
  reference::curlRow(row + drawn, flat + drawn, page, x + done, y, position + done * step, count - drawn);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(curlRow);

void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count) {
  HWY_DYNAMIC_DISPATCH(curlRow)(row, flat, page, x, y, position, count);
}

}  // namespace framewright::kernels
#endif
