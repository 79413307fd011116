#include "kernels/finish.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/finish_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::grainRow;
using reference::shadeRow;
using reference::sharpenRow;
using reference::vignetteRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Ints = hn::ScalableTag<int32_t>;
using Unsigned = hn::RebindToUnsigned<Ints>;
using Bytes = hn::Rebind<uint8_t, Ints>;
using SignedBytes = hn::Rebind<int8_t, Ints>;
using Words = hn::Rebind<uint16_t, Ints>;
using Vector = hn::Vec<Ints>;

Vector load(const uint8_t* from) { return hn::PromoteTo(Ints(), hn::LoadU(Bytes(), from)); }
Vector load(const uint16_t* from) { return hn::PromoteTo(Ints(), hn::LoadU(Words(), from)); }
void store(Vector value, uint8_t* to) { hn::StoreU(hn::DemoteTo(Bytes(), value), Bytes(), to); }

// value * alpha / 255, rounded down from the middle.
Vector share(int value, Vector alpha) {
  const Ints d;
  const auto sum = hn::Add(hn::Mul(alpha, hn::Set(d, value)), hn::Set(d, 127));
  return hn::ShiftRight<8>(hn::Add(hn::Add(sum, hn::Set(d, 1)), hn::ShiftRight<8>(sum)));
}

Vector keepLegal(Vector changed, Vector before, Vector alpha) {
  return hn::Min(hn::Max(changed, hn::Min(before, share(16, alpha))), hn::Max(before, share(235, alpha)));
}

// Samples that are sharpened at a time.
constexpr size_t kSpan = 256;

// Sums of the five rows, weighted.
void addRows(uint16_t* sums, const uint8_t* const* rows, size_t at, size_t count) {
  using Wide = hn::ScalableTag<uint16_t>;
  using Samples = hn::Rebind<uint8_t, Wide>;
  const Wide d;
  const size_t step = hn::Lanes(d);
  const auto row = [&](size_t y, size_t i) {
    return hn::PromoteTo(d, hn::LoadU(Samples(), rows[y] + at + i));
  };
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto outer = hn::Add(row(0, i), row(4, i));
    const auto inner = hn::ShiftLeft<2>(hn::Add(row(1, i), row(3, i)));
    hn::StoreU(hn::Add(hn::Add(outer, inner), hn::Mul(row(2, i), hn::Set(d, 6))), d, sums + i);
  }
  for (; i < count; ++i) {
    const size_t x = at + i;
    sums[i] = static_cast<uint16_t>(rows[0][x] + rows[4][x] + 4 * (rows[1][x] + rows[3][x]) + 6 * rows[2][x]);
  }
}

Vector addColumns(const uint16_t* sums) {
  const auto outer = hn::Add(load(sums), load(sums + 4));
  const auto inner = hn::ShiftLeft<2>(hn::Add(load(sums + 1), load(sums + 3)));
  return hn::Add(hn::Add(outer, inner), hn::Mul(load(sums + 2), hn::Set(Ints(), 6)));
}

}  // namespace

void sharpenRow(uint8_t* dst, const uint8_t* const* luma, const uint8_t* const* alpha, int strength,
                size_t count) {
  const Ints d;
  const size_t step = hn::Lanes(d);
  const auto by = hn::Set(d, strength), half = hn::Set(d, 1 << (kSharpenShift - 1));
  uint16_t lumaSums[kSpan + 2 * kSharpenReach], alphaSums[kSpan + 2 * kSharpenReach];
  size_t done = 0;
  while (count - done >= step) {
    const size_t span = HWY_MIN(kSpan, (count - done) / step * step);
    addRows(lumaSums, luma, done, span + 2 * kSharpenReach);
    addRows(alphaSums, alpha, done, span + 2 * kSharpenReach);
    for (size_t i = 0; i < span; i += step) {
      const size_t at = done + i + kSharpenReach;
      const auto l = load(luma[kSharpenReach] + at), a = load(alpha[kSharpenReach] + at);
      const auto difference = hn::ShiftRight<8>(
          hn::Sub(hn::Mul(l, addColumns(alphaSums + i)), hn::Mul(a, addColumns(lumaSums + i))));
      const auto change = hn::ShiftRight<kSharpenShift>(hn::Add(hn::Mul(difference, by), half));
      store(keepLegal(hn::Add(l, change), l, a), dst + done + i);
    }
    done += span;
  }
  const uint8_t *lumaRest[kSharpenTaps], *alphaRest[kSharpenTaps];
  for (int y = 0; y < kSharpenTaps; ++y) {
    lumaRest[y] = luma[y] + done;
    alphaRest[y] = alpha[y] + done;
  }
  reference::sharpenRow(dst + done, lumaRest, alphaRest, strength, count - done);
}

void vignetteRow(uint16_t* brightness, const VignetteRow& row, const int32_t* table, size_t count) {
  const Ints d;
  const Unsigned du;
  const auto step = static_cast<uint32_t>(hn::Lanes(d));
  const auto unit = hn::Set(d, 4096), lowest = hn::Set(d, -4096), lastStep = hn::Set(d, kVignetteSteps - 1);
  const auto coordinate = [&](auto position) {
    const auto shifted = hn::ShiftRight<kVignetteBits - 12>(hn::BitCast(d, position));
    return hn::Min(hn::Max(shifted, lowest), unit);
  };
  const auto lanes = hn::Iota(du, 0);
  auto x = hn::Add(hn::Set(du, row.x), hn::Mul(lanes, hn::Set(du, row.stepX)));
  auto y = hn::Add(hn::Set(du, row.y), hn::Mul(lanes, hn::Set(du, row.stepY)));
  const auto stepX = hn::Set(du, step * row.stepX), stepY = hn::Set(du, step * row.stepY);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto u = coordinate(x), v = coordinate(y);
    const auto squared = hn::Add(hn::Mul(u, u), hn::Mul(v, v));
    const auto at = hn::Min(hn::ShiftRight<17>(squared), lastStep);
    const auto part = hn::ShiftRight<9>(hn::Sub(squared, hn::ShiftLeft<17>(at)));
    const auto from = hn::GatherIndex(d, table, at), to = hn::GatherIndex(d, table + 1, at);
    const auto value = hn::Add(from, hn::ShiftRight<8>(hn::Mul(hn::Sub(to, from), part)));
    hn::StoreU(hn::DemoteTo(Words(), value), Words(), brightness + i);
    x = hn::Add(x, stepX);
    y = hn::Add(y, stepY);
  }
  const auto done = static_cast<uint32_t>(i);
  const VignetteRow rest{row.x + done * row.stepX, row.y + done * row.stepY, row.stepX, row.stepY};
  reference::vignetteRow(brightness + i, rest, table, count - i);
}

void shadeRow(uint8_t* samples, const uint8_t* alpha, const uint16_t* brightness, int neutral,
              const RowRounding& rounding, size_t count) {
  constexpr int kBits = RowRounding::kFractionBits;
  const Ints d;
  const auto step = static_cast<int>(hn::Lanes(d));
  const auto mask = hn::Set(d, rounding.mask), base = hn::Set(d, rounding.base);
  const auto next = hn::Set(d, step * rounding.step);
  auto position = hn::Add(hn::Set(d, rounding.position), hn::Mul(hn::Iota(d, 0), hn::Set(d, rounding.step)));
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto dark = alpha != nullptr ? share(neutral, load(alpha + i)) : hn::Set(d, neutral);
    const auto scaled = hn::ShiftRight<kBrightnessBits - kBits>(
        hn::Mul(hn::Sub(load(samples + i), dark), load(brightness + i)));
    const auto threshold = hn::Or(hn::And(position, mask), base);
    store(hn::ShiftRight<kBits>(hn::Add(hn::Add(hn::ShiftLeft<kBits>(dark), scaled), threshold)),
          samples + i);
    position = hn::Add(position, next);
  }
  reference::shadeRow(samples + i, alpha != nullptr ? alpha + i : nullptr, brightness + i, neutral,
                      rounding.after(static_cast<ptrdiff_t>(i)), count - i);
}

namespace {

// The strongest grain that cannot leave black and white: not even the strongest noise, -128, moves a sample
// as far as they are, of which white is at most 220 levels from it.
constexpr int kMildGrain = (1 << 12) - 1;
static_assert(128 * 220 * kMildGrain < 1 << kGrainShift);

template <bool kIsMild, bool kIsOpaque>
void addGrain(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count) {
  // Even and odd samples apart, in words.
  const hn::ScalableTag<uint8_t> dBytes;
  const hn::RepartitionToWide<decltype(dBytes)> d;
  const hn::RebindToSigned<decltype(d)> ds;
  const hn::RebindToSigned<decltype(dBytes)> dNoise;
  const size_t step = hn::Lanes(dBytes);
  const auto low = hn::Set(d, uint16_t{0xFF});
  // Four bits more on one factor, or two on both, and the high half of their product is the gain.
  static_assert(kGrainShift - 15 == 16 - 4);
  const auto by = hn::Set(d, static_cast<uint16_t>(strength << (kIsMild ? 4 : 2)));
  const auto shareOf = [&](int value, auto a) {
    const auto sum = hn::Add(hn::Mul(a, hn::Set(d, static_cast<uint16_t>(value))), hn::Set(d, uint16_t{128}));
    return hn::ShiftRight<8>(hn::Add(sum, hn::ShiftRight<8>(hn::Sub(sum, hn::Set(d, uint16_t{1})))));
  };
  const auto grained = [&](auto l, auto n, auto dark, auto bright) {
    auto midtone = hn::Mul(hn::SaturatedSub(l, dark), hn::SaturatedSub(bright, l));
    if constexpr (!kIsMild) midtone = hn::ShiftLeft<2>(midtone);
    const auto gain = hn::BitCast(ds, hn::MulHigh(midtone, by));
    auto changed = hn::Add(hn::BitCast(ds, l), hn::MulFixedPoint15(n, gain));
    if constexpr (!kIsMild) {
      const auto lowest = hn::BitCast(ds, hn::Min(l, dark)), highest = hn::BitCast(ds, hn::Max(l, bright));
      changed = hn::Min(hn::Max(changed, lowest), highest);
    }
    return hn::BitCast(d, changed);
  };
  auto evenDark = hn::Set(d, uint16_t{16}), evenBright = hn::Set(d, uint16_t{235});
  auto oddDark = evenDark, oddBright = evenBright;
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto l = hn::BitCast(d, hn::LoadU(dBytes, luma + i));
    const auto n = hn::BitCast(ds, hn::LoadU(dNoise, noise + i));
    if constexpr (!kIsOpaque) {
      const auto a = hn::BitCast(d, hn::LoadU(dBytes, alpha + i));
      const auto evenAlpha = hn::And(a, low), oddAlpha = hn::ShiftRight<8>(a);
      evenDark = shareOf(16, evenAlpha);
      evenBright = shareOf(235, evenAlpha);
      oddDark = shareOf(16, oddAlpha);
      oddBright = shareOf(235, oddAlpha);
    }
    const auto even = grained(hn::And(l, low), hn::ShiftRight<8>(hn::ShiftLeft<8>(n)), evenDark, evenBright);
    const auto odd = grained(hn::ShiftRight<8>(l), hn::ShiftRight<8>(n), oddDark, oddBright);
    hn::StoreU(hn::BitCast(dBytes, hn::Or(even, hn::ShiftLeft<8>(odd))), dBytes, luma + i);
  }
  reference::grainRow(luma + i, kIsOpaque ? nullptr : alpha + i, noise + i, strength, count - i);
}

}  // namespace

void grainRow(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count) {
  const bool isMild = strength <= kMildGrain;
  if (alpha == nullptr) {
    (isMild ? addGrain<true, true> : addGrain<false, true>)(luma, alpha, noise, strength, count);
  } else {
    (isMild ? addGrain<true, false> : addGrain<false, false>)(luma, alpha, noise, strength, count);
  }
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(sharpenRow);
HWY_EXPORT(vignetteRow);
HWY_EXPORT(shadeRow);
HWY_EXPORT(grainRow);

void sharpenRow(uint8_t* dst, const uint8_t* const* luma, const uint8_t* const* alpha, int strength,
                size_t count) {
  HWY_DYNAMIC_DISPATCH(sharpenRow)(dst, luma, alpha, strength, count);
}

void vignetteRow(uint16_t* brightness, const VignetteRow& row, const int32_t* table, size_t count) {
  HWY_DYNAMIC_DISPATCH(vignetteRow)(brightness, row, table, count);
}

void shadeRow(uint8_t* samples, const uint8_t* alpha, const uint16_t* brightness, int neutral,
              const RowRounding& rounding, size_t count) {
  HWY_DYNAMIC_DISPATCH(shadeRow)(samples, alpha, brightness, neutral, rounding, count);
}

void grainRow(uint8_t* luma, const uint8_t* alpha, const int8_t* noise, int strength, size_t count) {
  HWY_DYNAMIC_DISPATCH(grainRow)(luma, alpha, noise, strength, count);
}

}  // namespace framewright::kernels
#endif
