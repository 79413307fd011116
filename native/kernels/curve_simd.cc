#include "kernels/curve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/curve_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::linearCurveRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Samples = hn::ScalableTag<uint8_t>;
using Vector = hn::Vec<Samples>;

// Replaces the samples of opaque vectors by `valueAt` them, all others by `scalar(begin, count)`.
template <class ValueAt, class Scalar>
void replaceRow(uint8_t* row, const uint8_t* alpha, size_t count, const ValueAt& valueAt,
                const Scalar& scalar) {
  const Samples d;
  const size_t step = hn::Lanes(d);
  const auto full = hn::Set(d, 255);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    if (alpha != nullptr) {
      const auto a = hn::LoadU(d, alpha + i);
      if (!hn::AllTrue(d, hn::Eq(a, full))) {
        // Few samples of a layer are at its edges.
        if (!hn::AllTrue(d, hn::Eq(a, hn::Zero(d)))) scalar(i, step);
        continue;
      }
    }
    hn::StoreU(valueAt(hn::LoadU(d, row + i)), d, row + i);
  }
  scalar(i, count - i);
}

}  // namespace

namespace {

// Maps samples in words; the high half of a product has the result.
class Line {
 public:
  explicit Line(const LinearCurve& curve)
      : slope_(hn::Set(dSigned_, curve.slope)), offset_(hn::Set(dSigned_, curve.offset)) {}

  Vector at(Vector samples) const {
    static_assert(LinearCurve::kSlopeBits == 16 - 4);
#if HWY_TARGET <= HWY_AVX2
    // 256 times each sample in the order in which words are packed.
    const auto zero = hn::Zero(Samples());
    const auto low = wordAt(hn::ShiftRight<4>(hn::BitCast(d_, hn::InterleaveLower(zero, samples))));
    const auto high =
        wordAt(hn::ShiftRight<4>(hn::BitCast(d_, hn::InterleaveUpper(Samples(), zero, samples))));
#if HWY_TARGET == HWY_AVX2
    return Vector{_mm256_packus_epi16(low.raw, high.raw)};
#else
    return Vector{_mm512_packus_epi16(low.raw, high.raw)};
#endif
#else
    const auto pairs = hn::BitCast(d_, samples), mask = hn::Set(d_, uint16_t{0xFF0});
    const auto clamped = [&](auto scaled) {
      const auto value = hn::Max(wordAt(hn::And(scaled, mask)), hn::Zero(dSigned_));
      return hn::BitCast(d_, hn::Min(value, hn::Set(dSigned_, int16_t{255})));
    };
    const auto even = clamped(hn::ShiftLeft<4>(pairs)), odd = clamped(hn::ShiftRight<4>(pairs));
    return hn::BitCast(Samples(), hn::Or(even, hn::ShiftLeft<8>(odd)));
#endif
  }

 private:
  using Words = hn::RepartitionToWide<Samples>;
  using SignedWords = hn::RebindToSigned<Words>;

  // `scaled`: 16 times a sample.
  hn::Vec<SignedWords> wordAt(hn::Vec<Words> scaled) const {
    return hn::Add(hn::MulHigh(hn::BitCast(dSigned_, scaled), slope_), offset_);
  }

  static constexpr Words d_{};
  static constexpr SignedWords dSigned_{};
  hn::Vec<SignedWords> slope_, offset_;
};

}  // namespace

void linearCurveRow(uint8_t* row, const uint8_t* alpha, const LinearCurve& curve, size_t count) {
  const Line line(curve);
  replaceRow(
      row, alpha, count, [&](Vector samples) { return line.at(samples); },
      [&](size_t i, size_t rest) {
        reference::linearCurveRow(row + i, alpha != nullptr ? alpha + i : nullptr, curve, rest);
      });
}

#endif  // HWY_SCALAR

// Without wide byte shuffles one load from the table for each sample is faster.
#if HWY_TARGET > HWY_AVX2

using reference::curveRow;

#else

namespace {

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

// Looks samples up in a table of 256 values: a shuffle for each 16 of them, in both halves at once.
class Table {
 public:
  explicit Table(const uint8_t* curve) {
    // All parts up to that of a sample are combined, so that each is stored as the difference from the one
    // before.
    for (size_t i = 0; i < sizeof(parts_); ++i)
      parts_[i] = static_cast<uint8_t>(curve[i] ^ (i % 128 < 16 ? 0 : curve[i - 16]));
  }

  Vector at(Vector samples) const {
    const auto step = _mm256_set1_epi8(16);
    auto low = _mm256_setzero_si256(), high = low;
    auto index = _mm256_and_si256(samples.raw, _mm256_set1_epi8(127));
    for (size_t i = 0; i < 128; i += 16) {
      // Below the part an index is negative, which gives 0.
      low = _mm256_xor_si256(low, _mm256_shuffle_epi8(partAt(i), index));
      high = _mm256_xor_si256(high, _mm256_shuffle_epi8(partAt(128 + i), index));
      index = _mm256_sub_epi8(index, step);
    }
    return Vector{_mm256_blendv_epi8(low, high, samples.raw)};
  }

 private:
  __m256i partAt(size_t i) const {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(parts_ + i)));
  }

  alignas(16) uint8_t parts_[256];
};

#endif

}  // namespace

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  const Table table(curve);
  replaceRow(
      row, alpha, count, [&](Vector samples) { return table.at(samples); },
      [&](size_t i, size_t rest) {
        reference::curveRow(row + i, alpha != nullptr ? alpha + i : nullptr, curve, rest);
      });
}

#endif

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(curveRow);
HWY_EXPORT(linearCurveRow);

void curveRow(uint8_t* row, const uint8_t* alpha, const uint8_t* curve, size_t count) {
  HWY_DYNAMIC_DISPATCH(curveRow)(row, alpha, curve, count);
}

void linearCurveRow(uint8_t* row, const uint8_t* alpha, const LinearCurve& curve, size_t count) {
  HWY_DYNAMIC_DISPATCH(linearCurveRow)(row, alpha, curve, count);
}

}  // namespace framewright::kernels
#endif
