#include "kernels/deep/curl_rows.h"

#include <algorithm>
#include <array>

#include "kernels/deep/plane_rows.h"
#include "kernels/deep/sample_effects.h"
#include "kernels/page_curl_samples.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/curl_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/deep/code_sample_inl.h"
#include "kernels/page_curl_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

// The page, whose samples have kCodeFraction fraction bits.
class PageSamples {
 public:
  static constexpr std::array<int, 2> kBlack{kBlackSample, kNeutralSample};
  static constexpr int kHighest = kHighestSample, kUnitBits = 6;

  explicit PageSamples(const CodePlane& plane) : plane_(plane) {}

  int maxX() const { return plane_.maxX; }
  int maxY() const { return plane_.maxY; }
  int at(int x, int y) const {
    return codeSample(plane_.data, plane_, std::clamp(x, 0, 256 * maxX()) * 256,
                      std::clamp(y, 0, 256 * maxY()) * 256, kWeightBits);
  }
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  HWY_INLINE curl::CurlVector at(curl::CurlVector x, curl::CurlVector y) const {
    return codeSamples<kWeightBits>(curl::CurlInts(), plane_, x, y);
  }
#endif

 private:
  const CodePlane& plane_;
};

}  // namespace

void CurlSamples(int16_t* row, const int16_t* flat, const CodePlane& plane, const CurledPage& page, int x,
                 int y, int32_t position, size_t count) {
  const PageSamples samples(plane);
  size_t i = 0;
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  if (plane.maxX > 0) i = curl::curlByVectors(row, flat, samples, page, x, y, position, count);
#endif
  const kernels::curl::CurledSamples scalar(samples, page);
  const int step = (page.isChroma ? 8 : 4) * page.normalX;
  for (; i < count; ++i) {
    const auto column = static_cast<int>(i);
    row[i] = static_cast<int16_t>(scalar.at(x + column, y, position + column * step, row[i], flat[i]));
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(CurlSamples);

void curlSamples(int16_t* row, const int16_t* flat, const CodePlane& plane, const CurledPage& page, int x,
                 int y, int32_t position, size_t count) {
  HWY_DYNAMIC_DISPATCH(CurlSamples)(row, flat, plane, page, x, y, position, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
