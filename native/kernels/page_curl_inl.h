// Vectors of a page that is rolled off, for the kernels of each instruction set. Included once for each of
// them.
#if defined(FRAMEWRIGHT_PAGE_CURL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FRAMEWRIGHT_PAGE_CURL_INL
#undef FRAMEWRIGHT_PAGE_CURL_INL
#else
#define FRAMEWRIGHT_PAGE_CURL_INL
#endif

#include <hwy/highway.h>

#include "kernels/page_curl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Names of its own, since sources are also built together.
namespace curl {

namespace hn = hwy::HWY_NAMESPACE;

using CurlInts = hn::ScalableTag<int32_t>;
using CurlVector = hn::Vec<CurlInts>;

HWY_INLINE CurlVector value(int32_t of) { return hn::Set(CurlInts(), of); }
HWY_INLINE CurlVector mixed(CurlVector from, CurlVector to, CurlVector weight) {
  return hn::Add(from, hn::ShiftRight<8>(hn::Mul(hn::Sub(to, from), weight)));
}
HWY_INLINE bool areAll(CurlVector a, CurlVector b) { return hn::AllTrue(CurlInts(), hn::Eq(a, b)); }

// Places on the page, in 1/256 pixels.
struct PagePoints {
  CurlVector x, y;
};

// `Samples`: see page_curl_samples.h; at() has limited places.
template <class Samples>
class CurledVectors {
 public:
  CurledVectors(const Samples& samples, const CurledPage& page)
      : samples_(samples), page_(page), words_(&page.steps->backShift), group_(page.isChroma ? 1 : 0) {}

  // As curl::CurledSamples::at(), `column` and `row` in 1/256 pixels.
  HWY_INLINE CurlVector at(CurlVector column, CurlVector row, CurlVector position, CurlVector under,
                           CurlVector flat) const {
    const auto share = hn::And(hn::ShiftRight<kCurlStepBits - 8>(position), value(255));
    const auto index = hn::ShiftRight<kCurlStepBits>(position), step = hn::Mul(index, value(kCurlStepWords));
    const auto full = value(256), zero = hn::Zero(CurlInts());
    const PagePoints here{column, row};
    const bool isWhole = hn::AllTrue(CurlInts(), hn::Lt(index, value(page_.wholeSteps)));
    const auto roll = isWhole ? full : between(step, share, kRoll);
    const PagePoints back = moved(here, between(step, share, kBackShift));
    const auto weight = hn::ShiftRight<8>(hn::Mul(coverage(back), roll));
    const bool isHidden = areAll(weight, zero);
    const auto paper = isHidden ? zero : seen(back, at(step, kBackGain), at(step, kBackOffset + group_));
    if (areAll(weight, full)) return paper;
    const auto frontShift = between(step, share, kFrontShift);
    auto below = flat;
    if (!isWhole || !areAll(frontShift, zero)) {
      const PagePoints front = moved(here, frontShift);
      const auto shown = seen(front, at(step, kFrontGain), at(step, kFrontOffset + group_));
      const auto rolled = mixed(under, shown, hn::ShiftRight<8>(hn::Mul(coverage(front), roll)));
      const auto isFlat = hn::And(hn::Eq(frontShift, zero), hn::Eq(roll, full));
      below = hn::IfThenElse(isFlat, flat, rolled);
    }
    const auto fromBlack = hn::Sub(below, value(Samples::kBlack[static_cast<size_t>(group_)]));
    below = hn::Sub(below, hn::ShiftRight<8>(hn::Mul(fromBlack, shadowAt(back, at(step, kShadow)))));
    return isHidden ? below : mixed(below, paper, weight);
  }

 private:
  // Words of a CurlStep.
  static constexpr int kBackShift = 0, kFrontShift = 1, kRoll = 2, kShadow = 3, kBackGain = 4, kFrontGain = 5,
                       kBackOffset = 6, kFrontOffset = 8;

  HWY_INLINE CurlVector at(CurlVector step, int word) const {
    return hn::GatherIndex(CurlInts(), words_ + word, step);
  }
  HWY_INLINE CurlVector between(CurlVector step, CurlVector share, int word) const {
    return mixed(at(step, word), at(step, word + kCurlStepWords), share);
  }

  HWY_INLINE PagePoints moved(const PagePoints& from, CurlVector shift) const {
    return {hn::Add(from.x, hn::ShiftRight<8>(hn::Mul(shift, value(page_.normalX)))),
            hn::Add(from.y, hn::ShiftRight<8>(hn::Mul(shift, value(page_.normalY))))};
  }

  static HWY_INLINE CurlVector inside(CurlVector at, int pixels) {
    const auto nearest = hn::Min(at, hn::Sub(value(256 * pixels), at));
    return hn::Min(hn::Max(hn::Add(nearest, value(128)), hn::Zero(CurlInts())), value(256));
  }
  HWY_INLINE CurlVector coverage(const PagePoints& at) const {
    return hn::ShiftRight<8>(hn::Mul(inside(at.x, page_.width), inside(at.y, page_.height)));
  }

  HWY_INLINE CurlVector near(CurlVector at, int pixels) const {
    const auto distance =
        hn::Max(hn::Max(hn::Neg(at), hn::Sub(at, value(256 * pixels))), hn::Zero(CurlInts()));
    const auto shade = hn::Mul(hn::Min(distance, value(page_.shadowReach)), value(page_.shadowSlope));
    const auto left = hn::Sub(value(256), hn::ShiftRight<16>(shade));
    return hn::ShiftRight<8>(hn::Mul(left, left));
  }
  HWY_INLINE CurlVector shadowAt(const PagePoints& at, CurlVector darkness) const {
    const auto both = hn::ShiftRight<8>(hn::Mul(near(at.x, page_.width), near(at.y, page_.height)));
    return hn::ShiftRight<8>(hn::Mul(darkness, both));
  }

  HWY_INLINE CurlVector seen(const PagePoints& at, CurlVector gain, CurlVector offset) const {
    const auto toned =
        hn::ShiftRight<12>(hn::Add(hn::Mul(sampled(at), gain), hn::ShiftLeft<Samples::kUnitBits>(offset)));
    return hn::Min(hn::Max(toned, hn::Zero(CurlInts())), value(Samples::kHighest));
  }
  HWY_INLINE CurlVector sampled(const PagePoints& at) const {
    const bool isChroma = group_ == 1;
    const auto x = isChroma ? hn::ShiftRight<1>(hn::Sub(at.x, value(128))) : hn::Sub(at.x, value(128)),
               y = isChroma ? hn::ShiftRight<1>(hn::Sub(at.y, value(256))) : hn::Sub(at.y, value(128));
    // Limited here as well, because places far outside exceed 16.16.
    const auto within = [](CurlVector place, int last) {
      return hn::ShiftLeft<8>(hn::Min(hn::Max(place, hn::Zero(CurlInts())), value(256 * last)));
    };
    return samples_.at(within(x, samples_.maxX()), within(y, samples_.maxY()));
  }

  const Samples& samples_;
  const CurledPage& page_;
  const int32_t* const words_;
  const int group_;
};

// Draws a row; returns how many samples, since whole vectors are drawn.
template <class Sample, class Samples>
size_t curlByVectors(Sample* row, const Sample* flat, const Samples& samples, const CurledPage& page, int x,
                     int y, int32_t position, size_t count) {
  const CurlInts d;
  const hn::Rebind<Sample, CurlInts> stored;
  const size_t lanes = hn::Lanes(d);
  const CurledVectors<Samples> vectors(samples, page);
  const int step = (page.isChroma ? 8 : 4) * page.normalX, pixel = page.isChroma ? 512 : 256;
  const auto ramp = hn::Iota(d, 0);
  const auto rowAt = value(pixel * y + pixel / 2);
  auto positions = hn::Add(value(position), hn::Mul(ramp, value(step)));
  auto columns = hn::Add(value(pixel * x + 128), hn::Mul(ramp, value(pixel)));
  const auto nextStep = value(static_cast<int>(lanes) * step),
             nextPixels = value(static_cast<int>(lanes) * pixel);
  const auto load = [&](const Sample* from) { return hn::PromoteTo(d, hn::LoadU(stored, from)); };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto drawn = vectors.at(columns, rowAt, positions, load(row + i), load(flat + i));
    hn::StoreU(hn::DemoteTo(stored, drawn), stored, row + i);
    positions = hn::Add(positions, nextStep);
    columns = hn::Add(columns, nextPixels);
  }
  return i;
}

}  // namespace curl

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
