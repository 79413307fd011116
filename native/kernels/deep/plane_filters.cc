#include "kernels/deep/plane_filters.h"

#include <algorithm>

#include "kernels/deep/plane_rows.h"
#include "kernels/resample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/plane_filters.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/deep/code_sample_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

inline int16_t saturated(int32_t value) {
  return static_cast<int16_t>(std::min(std::max(value, -32768), 32767));
}

// Fraction bits that a sum of inputs with weights has beyond kCodeFraction.
inline int excessBits(int fractionBits) { return kWeightBits + fractionBits - kCodeFraction; }

void columnsOneByOne(int16_t* dst, const int16_t* line, const SampleColumns& columns, int shift,
                     size_t from) {
  const auto taps = static_cast<size_t>(columns.taps);
  for (size_t i = from; i < columns.count; ++i) {
    const int16_t* const samples = line + columns.firsts[i];
    const int16_t* const weights = columns.weights + i * taps;
    int32_t sum = 1 << (shift - 1);
    for (size_t t = 0; t < taps; ++t) sum += samples[t] * weights[t];
    dst[i] = saturated(sum >> shift);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The taps of a block are gathered from 32 samples by a permutation of 16-bit lanes, which Highway lacks.
// `kQuads`: the number of taps / 4, or 0.
template <int kQuads, int kShift>
void columnBlocksOf(int16_t* dst, const int16_t* line, const SampleColumns& columns) {
  const size_t blocks = (columns.count + kSampleBlock - 1) / kSampleBlock;
  const size_t step = blocks * 4 * kSampleBlock;
  const __m512i two = _mm512_set1_epi16(2), half = _mm512_set1_epi32(1 << (kShift - 1));
  const int quads = kQuads > 0 ? kQuads : columns.taps / 4;
  for (size_t block = 0; block < blocks; ++block) {
    const __m512i first = _mm512_loadu_si512(columns.blockTaps + block * 2 * kSampleBlock);
    const __m512i second = _mm512_add_epi16(first, two);
    const int16_t* from = line + columns.blockBases[block];
    const int16_t* weights = columns.blockWeights + block * 4 * kSampleBlock;
    __m512i sum = half;
    for (int quad = 0; quad < quads; ++quad, from += 4, weights += step) {
      const __m512i samples = _mm512_loadu_si512(from);
      const __m512i low = _mm512_permutexvar_epi16(first, samples);
      const __m512i high = _mm512_permutexvar_epi16(second, samples);
      sum = _mm512_add_epi32(sum, _mm512_madd_epi16(low, _mm512_loadu_si512(weights)));
      sum = _mm512_add_epi32(sum, _mm512_madd_epi16(high, _mm512_loadu_si512(weights + 2 * kSampleBlock)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + block * kSampleBlock),
                        _mm512_cvtsepi32_epi16(_mm512_srai_epi32(sum, kShift)));
  }
}

void columnBlocks(int16_t* dst, const int16_t* line, const SampleColumns& columns, int fractionBits) {
  constexpr int kCodes = kWeightBits - kCodeFraction;
  if (fractionBits == 0) {
    (columns.taps == 4 ? columnBlocksOf<1, kCodes> : columnBlocksOf<0, kCodes>)(dst, line, columns);
  } else {
    (columns.taps == 4 ? columnBlocksOf<1, kWeightBits> : columnBlocksOf<0, kWeightBits>)(dst, line, columns);
  }
}

#endif

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

// Four taps of two columns.
inline __m128i tapsOfTwo(const int16_t* a, const int16_t* b) {
  return _mm_unpacklo_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(a)),
                            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(b)));
}

inline __m256i tapsOfFour(const int16_t* line, const int32_t* firsts) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(tapsOfTwo(line + firsts[0], line + firsts[1])),
                                 tapsOfTwo(line + firsts[2], line + firsts[3]), 1);
}

inline __m256i weightsOfFour(const int16_t* weights, size_t taps) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(tapsOfTwo(weights, weights + taps)),
                                 tapsOfTwo(weights + 2 * taps, weights + 3 * taps), 1);
}

size_t columnsByEight(int16_t* dst, const int16_t* line, const SampleColumns& columns, int shift) {
  const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
  const __m128i bits = _mm_cvtsi32_si128(shift);
  const auto taps = static_cast<size_t>(columns.taps);
  size_t i = 0;
  for (; i + 8 <= columns.count; i += 8) {
    const int32_t* const firsts = columns.firsts + i;
    const int16_t* const weights = columns.weights + i * taps;
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t t = 0; t < taps; t += 4) {
      low = _mm256_add_epi32(
          low, _mm256_madd_epi16(tapsOfFour(line + t, firsts), weightsOfFour(weights + t, taps)));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(tapsOfFour(line + t, firsts + 4),
                                                      weightsOfFour(weights + 4 * taps + t, taps)));
    }
    // Sums of columns 0 1 4 5 2 3 6 7.
    const __m256i sums = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low, high), 0xD8);
    const __m256i shifted = _mm256_sra_epi32(_mm256_add_epi32(sums, half), bits);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i),
                     _mm_packs_epi32(_mm256_castsi256_si128(shifted), _mm256_extracti128_si256(shifted, 1)));
  }
  return i;
}

#else

size_t columnsByEight(int16_t*, const int16_t*, const SampleColumns&, int) { return 0; }

#endif

void rowsOneByOne(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t from,
                  size_t count) {
  for (size_t i = from; i < count; ++i) {
    int32_t sum = 1 << (kWeightBits - 1);
    for (int t = 0; t < taps; ++t) sum += rows[t][i] * weights[t];
    dst[i] = saturated(sum >> kWeightBits);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

template <int kTaps>
size_t rowsByVectors(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps,
                     size_t count) {
  const hn::ScalableTag<int16_t> d;
  const hn::Repartition<int32_t, decltype(d)> d32;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    auto low = hn::Set(d32, 1 << (kWeightBits - 1)), high = low;
    for (int t = 0; t < (kTaps > 0 ? kTaps : taps); t += 2) {
      const auto pair = hn::Set(
          d32, static_cast<int32_t>(static_cast<uint16_t>(weights[t]) |
                                    static_cast<uint32_t>(static_cast<uint16_t>(weights[t + 1])) << 16));
      const auto a = hn::LoadU(d, rows[t] + i), b = hn::LoadU(d, rows[t + 1] + i);
      low = hn::Add(low, pairProducts(d32, hn::BitCast(d32, hn::InterleaveLower(d, a, b)), pair));
      high = hn::Add(high, pairProducts(d32, hn::BitCast(d32, hn::InterleaveUpper(d, a, b)), pair));
    }
    hn::StoreU(hn::ReorderDemote2To(d, hn::ShiftRight<kWeightBits>(low), hn::ShiftRight<kWeightBits>(high)),
               d, dst + i);
  }
  return i;
}

template <int kShift>
size_t samplesByVectors(int16_t* dst, const CodePlane& plane, const CodeWalk& walk, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<int16_t, decltype(d)> dOut;
  const size_t lanes = hn::Lanes(d);
  if (plane.maxX == plane.minX) return 0;  // a pair of samples would reach beyond the row
  const auto ramp = hn::Iota(d, 0);
  auto u = hn::Add(hn::Set(d, walk.x), hn::Mul(ramp, hn::Set(d, walk.stepX)));
  auto v = hn::Add(hn::Set(d, walk.y), hn::Mul(ramp, hn::Set(d, walk.stepY)));
  const auto strideX = hn::Set(d, advanced(0, walk.stepX, static_cast<int32_t>(lanes)));
  const auto strideY = hn::Set(d, advanced(0, walk.stepY, static_cast<int32_t>(lanes)));
  size_t i = 0;
  for (; i + lanes <= count; i += lanes, u = hn::Add(u, strideX), v = hn::Add(v, strideY)) {
    hn::StoreU(hn::DemoteTo(dOut, codeSamples<kShift>(d, plane, u, v)), dOut, dst + i);
  }
  return i;
}

#else

template <int kTaps>
size_t rowsByVectors(int16_t*, const int16_t* const*, const int16_t*, int, size_t) {
  return 0;
}
template <int kShift>
size_t samplesByVectors(int16_t*, const CodePlane&, const CodeWalk&, size_t) {
  return 0;
}

#endif

}  // namespace

void FilterColumns(int16_t* dst, const int16_t* line, const SampleColumns& columns, int fractionBits) {
  const int shift = excessBits(fractionBits);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if (columns.blockTaps != nullptr) {
    columnBlocks(dst, line, columns, fractionBits);
    return;
  }
#endif
  columnsOneByOne(dst, line, columns, shift, columnsByEight(dst, line, columns, shift));
}

void FilterRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  const auto byVectors = taps == 4 ? rowsByVectors<4> : rowsByVectors<0>;
  rowsOneByOne(dst, rows, weights, taps, byVectors(dst, rows, weights, taps, count), count);
}

void SampleCodes(int16_t* dst, const CodePlane& plane, const CodeWalk& walk, size_t count) {
  const size_t done = plane.fractionBits == 0
                          ? samplesByVectors<kWeightBits - kCodeFraction>(dst, plane, walk, count)
                          : samplesByVectors<kWeightBits>(dst, plane, walk, count);
  for (size_t i = done; i < count; ++i) {
    dst[i] =
        codeSample(plane.data, plane, advanced(walk.x, walk.stepX, static_cast<int32_t>(i)),
                   advanced(walk.y, walk.stepY, static_cast<int32_t>(i)), excessBits(plane.fractionBits));
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {
namespace {

HWY_EXPORT(FilterColumns);
HWY_EXPORT(FilterRows);
HWY_EXPORT(SampleCodes);

}  // namespace

void filterSampleColumns(int16_t* dst, const int16_t* line, const SampleColumns& columns, int fractionBits) {
  HWY_DYNAMIC_DISPATCH(FilterColumns)(dst, line, columns, fractionBits);
}

void filterSampleRows(int16_t* dst, const int16_t* const* rows, const int16_t* weights, int taps,
                      size_t count) {
  HWY_DYNAMIC_DISPATCH(FilterRows)(dst, rows, weights, taps, count);
}

void sampleCodes(int16_t* dst, const CodePlane& plane, const CodeWalk& walk, size_t count) {
  HWY_DYNAMIC_DISPATCH(SampleCodes)(dst, plane, walk, count);
}

}  // namespace framewright::kernels
#endif  // HWY_ONCE
