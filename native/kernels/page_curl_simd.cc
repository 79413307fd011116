#include "kernels/page_curl.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/page_curl_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/bilinear_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::curlRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Ints = hn::ScalableTag<int32_t>;
using Vector = hn::Vec<Ints>;

Vector value(int32_t of) { return hn::Set(Ints(), of); }
Vector mixed(Vector from, Vector to, Vector weight) {
  return hn::Add(from, hn::ShiftRight<8>(hn::Mul(hn::Sub(to, from), weight)));
}
bool areAll(Vector a, Vector b) { return hn::AllTrue(Ints(), hn::Eq(a, b)); }

// Places on the page, in 1/256 pixels.
struct PagePoints {
  Vector x, y;
};

class CurledVectors {
 public:
  explicit CurledVectors(const CurledPage& page)
      : page_(page), words_(&page.steps->backShift), group_(page.isChroma ? 1 : 0) {}

  // As reference::CurledSamples::at(), `column` and `row` in 1/256 pixels.
  HWY_INLINE Vector at(Vector column, Vector row, Vector position, Vector under, Vector flat) const {
    const auto share = hn::And(hn::ShiftRight<kCurlStepBits - 8>(position), value(255));
    const auto index = hn::ShiftRight<kCurlStepBits>(position), step = hn::Mul(index, value(kCurlStepWords));
    const auto full = value(256), zero = hn::Zero(Ints());
    const PagePoints here{column, row};
    const bool isWhole = hn::AllTrue(Ints(), hn::Lt(index, value(page_.wholeSteps)));
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
    const auto fromBlack = hn::Sub(below, value(group_ == 0 ? 16 : 128));
    below = hn::Sub(below, hn::ShiftRight<8>(hn::Mul(fromBlack, shadowAt(back, at(step, kShadow)))));
    return isHidden ? below : mixed(below, paper, weight);
  }

 private:
  // Words of a CurlStep.
  static constexpr int kBackShift = 0, kFrontShift = 1, kRoll = 2, kShadow = 3, kBackGain = 4, kFrontGain = 5,
                       kBackOffset = 6, kFrontOffset = 8;

  HWY_INLINE Vector at(Vector step, int word) const { return hn::GatherIndex(Ints(), words_ + word, step); }
  HWY_INLINE Vector between(Vector step, Vector share, int word) const {
    return mixed(at(step, word), at(step, word + kCurlStepWords), share);
  }

  HWY_INLINE PagePoints moved(const PagePoints& from, Vector shift) const {
    return {hn::Add(from.x, hn::ShiftRight<8>(hn::Mul(shift, value(page_.normalX)))),
            hn::Add(from.y, hn::ShiftRight<8>(hn::Mul(shift, value(page_.normalY))))};
  }

  static HWY_INLINE Vector inside(Vector at, int pixels) {
    const auto nearest = hn::Min(at, hn::Sub(value(256 * pixels), at));
    return hn::Min(hn::Max(hn::Add(nearest, value(128)), hn::Zero(Ints())), value(256));
  }
  HWY_INLINE Vector coverage(const PagePoints& at) const {
    return hn::ShiftRight<8>(hn::Mul(inside(at.x, page_.width), inside(at.y, page_.height)));
  }

  HWY_INLINE Vector near(Vector at, int pixels) const {
    const auto distance = hn::Max(hn::Max(hn::Neg(at), hn::Sub(at, value(256 * pixels))), hn::Zero(Ints()));
    const auto shade = hn::Mul(hn::Min(distance, value(page_.shadowReach)), value(page_.shadowSlope));
    const auto left = hn::Sub(value(256), hn::ShiftRight<16>(shade));
    return hn::ShiftRight<8>(hn::Mul(left, left));
  }
  HWY_INLINE Vector shadowAt(const PagePoints& at, Vector darkness) const {
    const auto both = hn::ShiftRight<8>(hn::Mul(near(at.x, page_.width), near(at.y, page_.height)));
    return hn::ShiftRight<8>(hn::Mul(darkness, both));
  }

  HWY_INLINE Vector seen(const PagePoints& at, Vector gain, Vector offset) const {
    const auto toned = hn::ShiftRight<12>(hn::Add(hn::Mul(sampled(at), gain), offset));
    return hn::Min(hn::Max(toned, hn::Zero(Ints())), value(255));
  }
  HWY_INLINE Vector sampled(const PagePoints& at) const {
    const bool isChroma = group_ == 1;
    const auto x = isChroma ? hn::ShiftRight<1>(hn::Sub(at.x, value(128))) : hn::Sub(at.x, value(128)),
               y = isChroma ? hn::ShiftRight<1>(hn::Sub(at.y, value(256))) : hn::Sub(at.y, value(128));
    // Limited here as well, because places far outside exceed 16.16.
    const auto within = [](Vector place, int last) {
      return hn::ShiftLeft<8>(hn::Min(hn::Max(place, hn::Zero(Ints())), value(256 * last)));
    };
    return bilinear(Ints(), page_.plane, within(x, page_.plane.maxX), within(y, page_.plane.maxY));
  }

  const CurledPage& page_;
  const int32_t* const words_;
  const int group_;
};

}  // namespace

void curlRow(uint8_t* row, const uint8_t* flat, const CurledPage& page, int x, int y, int32_t position,
             size_t count) {
  const Ints d;
  const hn::Rebind<uint8_t, Ints> dBytes;
  const size_t lanes = hn::Lanes(d);
  const CurledVectors vectors(page);
  const int step = (page.isChroma ? 8 : 4) * page.normalX, pixel = page.isChroma ? 512 : 256;
  const auto ramp = hn::Iota(d, 0);
  const auto rowAt = value(pixel * y + pixel / 2);
  auto positions = hn::Add(value(position), hn::Mul(ramp, value(step)));
  auto columns = hn::Add(value(pixel * x + 128), hn::Mul(ramp, value(pixel)));
  const auto nextStep = value(static_cast<int>(lanes) * step),
             nextPixels = value(static_cast<int>(lanes) * pixel);
  const auto load = [&](const uint8_t* from) { return hn::PromoteTo(d, hn::LoadU(dBytes, from)); };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto drawn = vectors.at(columns, rowAt, positions, load(row + i), load(flat + i));
    hn::StoreU(hn::DemoteTo(dBytes, drawn), dBytes, row + i);
    positions = hn::Add(positions, nextStep);
    columns = hn::Add(columns, nextPixels);
  }
  const auto done = static_cast<int>(i);
  reference::curlRow(row + i, flat + i, page, x + done, y, position + done * step, count - i);
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
