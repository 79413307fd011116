#include "kernels/curve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/curve_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

// Without wide byte shuffles one load from the table for each sample is faster.
#if HWY_TARGET > HWY_AVX2

using reference::curveRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Samples = hn::ScalableTag<uint8_t>;
using Vector = hn::Vec<Samples>;

#if HWY_TARGET <= HWY_AVX3

// Looks samples up in a table of 256 values: pairs of them by two shuffles of 64 words each.
class Table {
 public:
  explicit Table(const uint8_t* curve) {
    for (size_t i = 0; i < 4; ++i) parts_[i] = _mm512_loadu_si512(curve + 64 * i);
  }

  Vector at(Vector samples) const {
    const auto low = _mm512_set1_epi16(0xFF);
    const __m512i even = wordAt(_mm512_and_si512(samples.raw, low)),
                  odd = wordAt(_mm512_srli_epi16(samples.raw, 8));
    return Vector{_mm512_mask_mov_epi8(even, 0xAAAAAAAAAAAAAAAA, _mm512_slli_epi16(odd, 8))};
  }

 private:
  // The values for words below 256, in the low byte.
  __m512i wordAt(__m512i samples) const {
    const __m512i pair = _mm512_srli_epi16(samples, 1);
    const __mmask32 isHigh = _mm512_test_epi16_mask(samples, _mm512_set1_epi16(128));
    const __m512i values =
        _mm512_mask_blend_epi16(isHigh, _mm512_permutex2var_epi16(parts_[0], pair, parts_[1]),
                                _mm512_permutex2var_epi16(parts_[2], pair, parts_[3]));
    const __m512i isOdd = _mm512_and_si512(samples, _mm512_set1_epi16(1));
    return _mm512_srlv_epi16(values, _mm512_slli_epi16(isOdd, 3));
  }

  __m512i parts_[4];
};

#else

// Looks samples up in a table of 256 values: a shuffle for each 16 of them.
class Table {
 public:
  explicit Table(const uint8_t* curve) : curve_(curve) {}

  Vector at(Vector samples) const {
    const Samples d;
    // Indices beyond a part get the top bit and give 0.
    const auto beyond = hn::Set(d, 0x70), step = hn::Set(d, 16);
    auto result = hn::Zero(d), index = samples;
    for (size_t i = 0; i < 16; ++i) {
      const auto part = hn::LoadDup128(d, curve_ + 16 * i);
      result = hn::Or(result, hn::TableLookupBytesOr0(part, hn::SaturatedAdd(index, beyond)));
      index = hn::Sub(index, step);
    }
    return result;
  }

 private:
  const uint8_t* curve_;
};

#endif

}  // namespace

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  const Samples d;
  const size_t step = hn::Lanes(d);
  const Table table(curve);
  const auto full = hn::Set(d, 255);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    if (alpha != nullptr) {
      const auto a = hn::LoadU(d, alpha + i);
      if (!hn::AllTrue(d, hn::Eq(a, full))) {
        // Few samples of a layer are at its edges.
        if (!hn::AllTrue(d, hn::Eq(a, hn::Zero(d)))) reference::curveRow(row + i, alpha + i, curve, step);
        continue;
      }
    }
    hn::StoreU(table.at(hn::LoadU(d, row + i)), d, row + i);
  }
  reference::curveRow(row + i, alpha != nullptr ? alpha + i : nullptr, curve, count - i);
}

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(curveRow);

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  HWY_DYNAMIC_DISPATCH(curveRow)(row, alpha, curve, count);
}

}  // namespace framewright::kernels
#endif
