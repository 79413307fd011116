#include "kernels/resample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample_simd.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::filterColumns;
using reference::filterRows;
using reference::halveRows;
using reference::sampleRow;

#else

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86

using Blocks = hn::CappedTag<uint8_t, 32>;  // one group of columns per 16-byte block
using Block = hn::CappedTag<uint8_t, 16>;

template <class D>
auto loadGroups(D d, const uint8_t* line, const int32_t* bases) {
  if constexpr (hn::MaxLanes(D()) == 32) {
    return hn::Combine(d, hn::LoadU(Block(), line + bases[1]), hn::LoadU(Block(), line + bases[0]));
  } else {
    return hn::LoadU(d, line + bases[0]);
  }
}

template <int kQuads>
void filterColumnsOf(int16_t* dst, const uint8_t* line, const ColumnFilter& filter, int quads) {
  const Blocks d;
  const hn::Repartition<int16_t, Blocks> d16;
  const hn::Repartition<int32_t, Blocks> d32;
  const hn::Rebind<int16_t, decltype(d32)> dOut;
  const int perVector = static_cast<int>(hn::Lanes(d) / 16);
  const auto zero = hn::Zero(d);
  const ptrdiff_t quadStep = static_cast<ptrdiff_t>(filter.groups) * 16;
  for (int group = 0; group < filter.groups; group += perVector) {
    const auto shuffle = hn::LoadU(d, filter.shuffles + group * 16);
    const int16_t* weights =
        filter.weights + (group - group % kGroupAlignment) * 16 + group % kGroupAlignment * 8;
    auto sum = hn::Set(d32, 128);
    auto unused = hn::Zero(d32);
    const uint8_t* from = line;
    for (int quad = 0; quad < (kQuads > 0 ? kQuads : quads); ++quad, from += 4, weights += quadStep) {
      const auto taps = hn::TableLookupBytes(loadGroups(d, from, filter.bases + group), shuffle);
      const auto low = hn::BitCast(d16, hn::InterleaveLower(d, taps, zero));
      const auto high = hn::BitCast(d16, hn::InterleaveUpper(d, taps, zero));
      sum = hn::ReorderWidenMulAccumulate(d32, low, hn::LoadU(d16, weights), sum, unused);
      sum =
          hn::ReorderWidenMulAccumulate(d32, high, hn::LoadU(d16, weights + 2 * kBlockColumns), sum, unused);
    }
    hn::StoreU(hn::DemoteTo(dOut, hn::ShiftRight<8>(sum)), dOut, dst + group * kColumnGroup);
  }
}

#if HWY_TARGET <= HWY_AVX3

// One block of columns: its taps are gathered from 32 samples by a permutation of 16-bit lanes, which Highway
// lacks.
template <int kQuads>
void filterBlocksOf(int16_t* dst, const uint8_t* line, const ColumnFilter& filter, int quads) {
  const ptrdiff_t quadStep = static_cast<ptrdiff_t>(filter.groups) * 16;
  const __m512i two = _mm512_set1_epi16(2), half = _mm512_set1_epi32(128);
  const int blocks = filter.groups / kGroupAlignment;
  const int16_t* weights = filter.weights;
  for (int block = 0; block < blocks; ++block, weights += 4 * kBlockColumns) {
    const __m512i first = _mm512_loadu_si512(filter.blockTaps + block * 2 * kBlockColumns);
    const __m512i second = _mm512_add_epi16(first, two);
    const uint8_t* from = line + filter.blockBases[block];
    const int16_t* next = weights;
    __m512i sum = half;
    for (int quad = 0; quad < (kQuads > 0 ? kQuads : quads); ++quad, from += 4, next += quadStep) {
      const __m512i samples =
          _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
      const __m512i low = _mm512_permutexvar_epi16(first, samples);
      const __m512i high = _mm512_permutexvar_epi16(second, samples);
      sum = _mm512_add_epi32(sum, _mm512_madd_epi16(low, _mm512_loadu_si512(next)));
      sum = _mm512_add_epi32(sum, _mm512_madd_epi16(high, _mm512_loadu_si512(next + 2 * kBlockColumns)));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + block * kBlockColumns),
                        _mm512_cvtsepi32_epi16(_mm512_srai_epi32(sum, 8)));
  }
}

bool filterBlocks(int16_t* dst, const uint8_t* line, const ColumnFilter& filter) {
  if (filter.blockTaps == nullptr) return false;
  if (filter.quads == 1) {
    filterBlocksOf<1>(dst, line, filter, 1);
  } else if (filter.quads == 2) {
    filterBlocksOf<2>(dst, line, filter, 2);
  } else {
    filterBlocksOf<0>(dst, line, filter, filter.quads);
  }
  return true;
}

#else
bool filterBlocks(int16_t*, const uint8_t*, const ColumnFilter&) { return false; }
#endif  // HWY_AVX3

void filterColumns(int16_t* dst, const uint8_t* line, const ColumnFilter& filter) {
  if (filterBlocks(dst, line, filter)) return;
  if (filter.quads == 1) return filterColumnsOf<1>(dst, line, filter, 1);
  if (filter.quads == 2) return filterColumnsOf<2>(dst, line, filter, 2);
  filterColumnsOf<0>(dst, line, filter, filter.quads);
}

#else
using reference::filterColumns;
#endif  // HWY_ARCH_X86

template <int kTaps, class D>
size_t filterRowsSome(D d, uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps,
                      size_t i, size_t count) {
  const hn::Rebind<uint8_t, D> dOut;
  const auto bias = hn::Set(d, 16);
  if constexpr (kTaps == 4) {
    const auto w0 = hn::Set(d, weights[0]), w1 = hn::Set(d, weights[1]);
    const auto w2 = hn::Set(d, weights[2]), w3 = hn::Set(d, weights[3]);
    const int16_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
      const auto outer = hn::Add(hn::MulFixedPoint15(hn::LoadU(d, r0 + i), w0),
                                 hn::MulFixedPoint15(hn::LoadU(d, r3 + i), w3));
      const auto inner = hn::Add(hn::MulFixedPoint15(hn::LoadU(d, r1 + i), w1),
                                 hn::MulFixedPoint15(hn::LoadU(d, r2 + i), w2));
      const auto sum = hn::Add(hn::Add(outer, inner), bias);
      hn::StoreU(hn::DemoteTo(dOut, hn::ShiftRight<5>(sum)), dOut, dst + i);
    }
  } else {
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
      auto sum = bias;
      for (int t = 0; t < taps; ++t) {
        sum = hn::Add(sum, hn::MulFixedPoint15(hn::LoadU(d, rows[t] + i), hn::Set(d, weights[t])));
      }
      hn::StoreU(hn::DemoteTo(dOut, hn::ShiftRight<5>(sum)), dOut, dst + i);
    }
  }
  return i;
}

template <int kTaps>
void filterRowsOf(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  size_t i = filterRowsSome<kTaps>(hn::ScalableTag<int16_t>(), dst, rows, weights, taps, 0, count);
  i = filterRowsSome<kTaps>(hn::CappedTag<int16_t, 8>(), dst, rows, weights, taps, i, count);
  for (; i < count; ++i) {
    int sum = 16;
    for (int t = 0; t < taps; ++t) sum += (rows[t][i] * weights[t] + 0x4000) >> 15;
    dst[i] = static_cast<uint8_t>(sum < 0 ? 0 : (sum >> 5) > 255 ? 255 : sum >> 5);
  }
}

void filterRows(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  if (taps == 4) return filterRowsOf<4>(dst, rows, weights, taps, count);
  filterRowsOf<0>(dst, rows, weights, taps, count);
}

// Loads two bytes at each offset as low and high byte of 16 bits. Near the end of the plane it loads four
// bytes from further left and shifts them into place.
template <class D32, class V>
auto gatherPairs(D32 d, const SamplePlane& plane, V offsets) {
  const auto safe = hn::Min(offsets, hn::Set(d, plane.lastOffset));
  const auto shift = hn::ShiftLeft<3>(hn::Sub(offsets, safe));
  const hn::RebindToUnsigned<D32> du;
  // Byte offsets: the base is read as 4-byte lanes.
  const auto quads = hn::GatherOffset(d, reinterpret_cast<const int32_t*>(plane.data), safe);
  return hn::BitCast(d, hn::Shr(hn::BitCast(du, quads), hn::BitCast(du, shift)));
}

// A rotated walk visits many source rows, which hardware prefetchers do not predict.
inline void fetchAhead(const SamplePlane& plane, const SampleWalk& walk, int32_t done) {
  const int32_t u = advanced(advanced(walk.x, walk.stepX, done), walk.aheadX, 1) >> 16;
  const int32_t v = advanced(advanced(walk.y, walk.stepY, done), walk.aheadY, 1) >> 16;
  const int32_t x = u < plane.minX ? plane.minX : u > plane.maxX ? plane.maxX : u;
  const int32_t y = v < plane.minY ? plane.minY : v > plane.maxY ? plane.maxY : v;
  hwy::Prefetch(plane.data + static_cast<ptrdiff_t>(y) * plane.stride + x);
}

void sampleRow(uint8_t* dst, const SamplePlane& plane, const SampleWalk& walk, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const hn::Rebind<uint8_t, decltype(d)> dOut;
  const size_t lanes = hn::Lanes(d);
  const auto ramp = hn::Iota(d, 0);
  auto u = hn::Add(hn::Set(d, walk.x), hn::Mul(ramp, hn::Set(d, walk.stepX)));
  auto v = hn::Add(hn::Set(d, walk.y), hn::Mul(ramp, hn::Set(d, walk.stepY)));
  const auto strideX = hn::Set(d, advanced(0, walk.stepX, static_cast<int32_t>(lanes)));
  const auto strideY = hn::Set(d, advanced(0, walk.stepY, static_cast<int32_t>(lanes)));
  const auto minX = hn::Set(d, plane.minX), maxX = hn::Set(d, plane.maxX);
  const auto minY = hn::Set(d, plane.minY), maxY = hn::Set(d, plane.maxY);
  const auto one = hn::Set(d, 1), byte = hn::Set(d, 0xFF), stride = hn::Set(d, plane.stride);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes, u = hn::Add(u, strideX), v = hn::Add(v, strideY)) {
    fetchAhead(plane, walk, static_cast<int32_t>(i));
    const auto cu = hn::Max(hn::Min(u, hn::ShiftLeft<16>(maxX)), hn::ShiftLeft<16>(minX));
    const auto cv = hn::Max(hn::Min(v, hn::ShiftLeft<16>(maxY)), hn::ShiftLeft<16>(minY));
    const auto x = hn::Max(hn::Min(hn::ShiftRight<16>(cu), hn::Sub(maxX, one)), minX);
    const auto y = hn::Max(hn::Min(hn::ShiftRight<16>(cv), hn::Sub(maxY, one)), minY);
    const auto fx = hn::ShiftRight<8>(hn::Sub(cu, hn::ShiftLeft<16>(x)));
    const auto fy = hn::ShiftRight<8>(hn::Sub(cv, hn::ShiftLeft<16>(y)));
    const auto below = hn::Min(hn::Add(y, one), maxY);
    const auto row0 = gatherPairs(d, plane, hn::Add(hn::Mul(y, stride), x));
    const auto row1 = gatherPairs(d, plane, hn::Add(hn::Mul(below, stride), x));
    const auto a = hn::And(row0, byte), b = hn::And(hn::ShiftRight<8>(row0), byte);
    const auto c = hn::And(row1, byte), e = hn::And(hn::ShiftRight<8>(row1), byte);
    const auto top = hn::Add(hn::ShiftLeft<8>(a), hn::Mul(hn::Sub(b, a), fx));
    const auto bottom = hn::Add(hn::ShiftLeft<8>(c), hn::Mul(hn::Sub(e, c), fx));
    const auto sum = hn::Add(hn::ShiftLeft<8>(top), hn::Mul(hn::Sub(bottom, top), fy));
    const auto rounded = hn::ShiftRight<16>(hn::Add(sum, hn::Set(d, 32768)));
    hn::StoreU(hn::DemoteTo(dOut, rounded), dOut, dst + i);
  }
  const int32_t done = static_cast<int32_t>(i);
  const SampleWalk rest{advanced(walk.x, walk.stepX, done), advanced(walk.y, walk.stepY, done), walk.stepX,
                        walk.stepY};
  reference::sampleRow(dst + i, plane, rest, count - i);
}

template <class D>
size_t halveSome(D d, uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t i, size_t count) {
  const hn::Repartition<uint16_t, D> d16;
  const hn::RebindToSigned<decltype(d16)> di;
  const hn::Rebind<uint8_t, decltype(d16)> dOut;
  const auto byte = hn::Set(d16, 0xFF);
  const size_t step = hn::Lanes(d16);
  for (; i + step <= count; i += step) {
    const auto t = hn::BitCast(d16, hn::LoadU(d, top + 2 * i)),
               b = hn::BitCast(d16, hn::LoadU(d, bottom + 2 * i));
    const auto evens = hn::Add(hn::And(t, byte), hn::And(b, byte));
    const auto odds = hn::Add(hn::ShiftRight<8>(t), hn::ShiftRight<8>(b));
    const auto mean = hn::ShiftRight<2>(hn::Add(hn::Add(evens, odds), hn::Set(d16, 2)));
    hn::StoreU(hn::DemoteTo(dOut, hn::BitCast(di, mean)), dOut, dst + i);
  }
  return i;
}

void halveRows(uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t count) {
  size_t i = halveSome(hn::ScalableTag<uint8_t>(), dst, top, bottom, 0, count);
  i = halveSome(hn::CappedTag<uint8_t, 16>(), dst, top, bottom, i, count);
  reference::halveRows(dst + i, top + 2 * i, bottom + 2 * i, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(filterColumns);
HWY_EXPORT(filterRows);
HWY_EXPORT(sampleRow);
HWY_EXPORT(halveRows);

void filterColumns(int16_t* dst, const uint8_t* line, const ColumnFilter& filter) {
  HWY_DYNAMIC_DISPATCH(filterColumns)(dst, line, filter);
}

void filterRows(uint8_t* dst, const int16_t* const* rows, const int16_t* weights, int taps, size_t count) {
  HWY_DYNAMIC_DISPATCH(filterRows)(dst, rows, weights, taps, count);
}

void sampleRow(uint8_t* dst, const SamplePlane& plane, const SampleWalk& walk, size_t count) {
  HWY_DYNAMIC_DISPATCH(sampleRow)(dst, plane, walk, count);
}

void halveRows(uint8_t* dst, const uint8_t* top, const uint8_t* bottom, size_t count) {
  HWY_DYNAMIC_DISPATCH(halveRows)(dst, top, bottom, count);
}

}  // namespace framewright::kernels
#endif
