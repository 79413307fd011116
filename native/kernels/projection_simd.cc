#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/projection.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/projection_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/bilinear_inl.h"

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::sampleProjected;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<int32_t, kProjectionStep>;

namespace {

#if HWY_TARGET <= HWY_AVX3

// Samples parts of a row from the few source rows that they cross, without gathers: 32 samples, or two
// positions of each of 16.
class Window {
 public:
  Window(const SamplePlane& plane, const ProjectedRow& row)
      : plane_(plane), row_(row), isDouble_(row.across > 1) {}

  // Entries that are sampled at a time.
  size_t entries() const { return isDouble_ ? 2 : 4; }

  // False if positions are outside of the plane or too far apart.
  bool begin(size_t entry) {
    start_ = load(row_.here + 2 * entry);
    step_ = _mm256_srai_epi32(_mm256_sub_epi32(load(row_.here + 2 * entry + 2), start_), kProjectionShift);
    down_ = _mm256_sub_epi32(load(row_.below + 2 * entry), start_);
    const __m256i last = _mm256_add_epi32(start_, _mm256_sub_epi32(_mm256_slli_epi32(step_, 3), step_));
    const __m256i beside = _mm256_add_epi32(_mm256_abs_epi32(partOf(step_, 0, row_.across)),
                                            _mm256_abs_epi32(partOf(down_, 0, row_.down)));
    const __m256i low = _mm256_sub_epi32(_mm256_min_epi32(start_, last), beside),
                  high = _mm256_add_epi32(_mm256_max_epi32(start_, last), beside);
    // x and y of all entries.
    __m128i first = _mm_min_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)),
            end = _mm_max_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
    first = _mm_min_epi32(first, _mm_unpackhi_epi64(first, first));
    end = _mm_max_epi32(end, _mm_unpackhi_epi64(end, end));
    const int left = _mm_cvtsi128_si32(first) >> 16, right = _mm_cvtsi128_si32(end) >> 16;
    top_ = _mm_extract_epi32(first, 1) >> 16;
    bottom_ = (_mm_extract_epi32(end, 1) >> 16) + 1;
    if (left < plane_.minX || right >= plane_.maxX || top_ < plane_.minY || bottom_ > plane_.maxY)
      return false;
    left_ = left;
    isNarrow_ = right - left < kNarrow;
    return right - left < kWide && bottom_ - top_ <= kMaxRows &&
           ptrdiff_t{bottom_} * plane_.stride + left_ + kRead <= plane_.lastOffset + 4;
  }

  void draw(uint8_t* dst, int shift) const {
    __m512i sum = _mm512_setzero_si512();
    for (int k = 0; k < row_.down; ++k) {
      for (int i = 0; i < row_.across; i += isDouble_ ? 2 : 1) {
        sum = _mm512_add_epi16(sum, isNarrow_ ? samples<true>(i, k) : samples<false>(i, k));
      }
    }
    // pack() interleaves blocks of four samples, here those of both positions.
    if (isDouble_) sum = _mm512_add_epi16(sum, _mm512_shuffle_epi32(sum, _MM_PERM_BADC));
    sum = _mm512_add_epi16(sum, _mm512_set1_epi16(static_cast<int16_t>(row_.across * row_.down / 2)));
    const __m512i mean = _mm512_srl_epi16(sum, _mm_cvtsi32_si128(shift));
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m256i bytes = _mm512_cvtepi16_epi8(_mm512_permutexvar_epi64(order, mean));
    if (isDouble_) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(dst), _mm256_castsi256_si128(bytes));
    } else {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), bytes);
    }
  }

 private:
  // Columns that one or two shuffles of 64 bytes reach, and the bytes that are read of a row.
  static constexpr int kNarrow = 62, kWide = 126, kMaxRows = 8, kRead = 129;

  // Positions along an axis from the window's start: whole samples, and the Q8 part between them.
  struct Positions {
    __m512i whole, part;
  };

  static __m512i pack(__m512i first, __m512i second) { return _mm512_packs_epi32(first, second); }

  // x and y of four entries, or twice of two.
  __m256i load(const int32_t* from) const {
    return isDouble_ ? _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)))
                     : _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }

  // partOfStep().
  static __m256i partOf(__m256i step, int i, int n) {
    if (n == 1) return _mm256_setzero_si256();
    return _mm256_mullo_epi32(_mm256_srai_epi32(step, n == 2 ? 2 : 3), _mm256_set1_epi32(2 * i + 1 - n));
  }

  // `first` and `second`: starts of the entries for both halves of the samples.
  Positions positions(__m256i first, __m256i second, int axis, int origin) const {
    const __m512i ramp = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
    const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2);
    const __m512i base = _mm512_set1_epi32(origin << 16), byte = _mm512_set1_epi32(0xFF);
    const auto half = [&](__m256i start, int entry) {
      const __m512i from = _mm512_add_epi32(lanes, _mm512_set1_epi32(axis + 2 * entry));
      const __m512i steps = _mm512_permutexvar_epi32(from, _mm512_castsi256_si512(step_));
      const __m512i starts = _mm512_permutexvar_epi32(from, _mm512_castsi256_si512(start));
      return _mm512_sub_epi32(_mm512_add_epi32(starts, _mm512_mullo_epi32(ramp, steps)), base);
    };
    const __m512i low = half(first, 0), high = half(second, isDouble_ ? 0 : 2);
    return {pack(_mm512_srli_epi32(low, 16), _mm512_srli_epi32(high, 16)),
            pack(_mm512_and_si512(_mm512_srli_epi32(low, 8), byte),
                 _mm512_and_si512(_mm512_srli_epi32(high, 8), byte))};
  }

  // Bilinear samples at part (i, k) of each, and the next one if there are two positions, in the order of
  // pack().
  template <bool kIsNarrow>
  __m512i samples(int i, int k) const {
    const __m256i below = _mm256_add_epi32(start_, partOf(down_, k, row_.down));
    const __m256i first = _mm256_add_epi32(below, partOf(step_, i, row_.across)),
                  second = isDouble_ ? _mm256_add_epi32(below, partOf(step_, i + 1, row_.across)) : first;
    const Positions x = positions(first, second, 0, left_), y = positions(first, second, 1, top_);
    const __m512i pair = _mm512_srli_epi16(x.whole, 1);
    const __mmask32 isOdd = _mm512_test_epi16_mask(x.whole, _mm512_set1_epi16(1));
    __m512i upper = _mm512_setzero_si512(), lower = upper;
    const uint8_t* from = plane_.data + ptrdiff_t{top_} * plane_.stride + left_;
    __mmask32 isAbove = 0;
    for (int row = 0; row <= bottom_ - top_; ++row, from += plane_.stride) {
      const auto words = [&](const uint8_t* at) {
        const __m512i start = _mm512_loadu_si512(at);
        return kIsNarrow ? _mm512_permutexvar_epi16(pair, start)
                         : _mm512_permutex2var_epi16(start, pair, _mm512_loadu_si512(at + 64));
      };
      const __m512i both = _mm512_mask_blend_epi16(isOdd, words(from), words(from + 1));
      const __mmask32 is = _mm512_cmpeq_epi16_mask(y.whole, _mm512_set1_epi16(static_cast<int16_t>(row)));
      upper = _mm512_mask_mov_epi16(upper, is, both);
      lower = _mm512_mask_mov_epi16(lower, isAbove, both);
      isAbove = is;
    }
    const __m512i top = mixed(upper, x.part), bottom = mixed(lower, x.part);
    const __m512i share = _mm512_sub_epi16(_mm512_set1_epi16(256), y.part);
    // mixed() moves values into the signed range, which takes half of the unit from the sum.
    const __m512i half = _mm512_set1_epi32((32768 << 8) + 32768);
    const __m512i low = _mm512_madd_epi16(_mm512_unpacklo_epi16(top, bottom),
                                          _mm512_unpacklo_epi16(share, y.part)),
                  high = _mm512_madd_epi16(_mm512_unpackhi_epi16(top, bottom),
                                           _mm512_unpackhi_epi16(share, y.part));
    return pack(_mm512_srli_epi32(_mm512_add_epi32(low, half), 16),
                _mm512_srli_epi32(_mm512_add_epi32(high, half), 16));
  }

  // Two neighbours, in a word, by the Q8 part between them; less 32768.
  static __m512i mixed(__m512i pair, __m512i part) {
    const __m512i left = _mm512_and_si512(pair, _mm512_set1_epi16(0xFF)), right = _mm512_srli_epi16(pair, 8);
    const __m512i sum =
        _mm512_add_epi16(_mm512_slli_epi16(left, 8), _mm512_mullo_epi16(_mm512_sub_epi16(right, left), part));
    return _mm512_xor_si512(sum, _mm512_set1_epi16(INT16_MIN));
  }

  const SamplePlane& plane_;
  const ProjectedRow& row_;
  const bool isDouble_;
  __m256i start_, step_, down_;
  bool isNarrow_ = false;
  int left_ = 0, top_ = 0, bottom_ = 0;
};

#elif HWY_TARGET <= HWY_AVX2

// Samples two entries at a time, each from the few source rows that it crosses, without gathers.
class Window {
 public:
  Window(const SamplePlane& plane, const ProjectedRow& row) : plane_(plane), row_(row) {}

  // Entries that are sampled at a time.
  size_t entries() const { return 2; }

  // False if positions are outside of the plane or too far apart.
  bool begin(size_t entry) {
    rows_ = 0;
    return parts_[0].begin(plane_, row_, entry, rows_) && parts_[1].begin(plane_, row_, entry + 1, rows_);
  }

  void draw(uint8_t* dst, int shift) const {
    const auto [first, second] = parts_;
    const __m256i x = starts(first.walk.x - (first.left << 16), second.walk.x - (second.left << 16)),
                  y = starts(first.walk.y - (first.top << 16), second.walk.y - (second.top << 16));
    const __m256i stepX = starts(first.walk.stepX, second.walk.stepX),
                  stepY = starts(first.walk.stepY, second.walk.stepY);
    const __m256i downX = starts(first.walk.downX, second.walk.downX),
                  downY = starts(first.walk.downY, second.walk.downY);
    const __m256i ramp = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
    const __m256i u = _mm256_add_epi32(x, _mm256_mullo_epi32(ramp, stepX)),
                  v = _mm256_add_epi32(y, _mm256_mullo_epi32(ramp, stepY));
    __m256i sum = _mm256_set1_epi16(static_cast<int16_t>(row_.across * row_.down / 2));
    for (int k = 0; k < row_.down; ++k) {
      const __m256i belowX = partOf(downX, k, row_.down), belowY = partOf(downY, k, row_.down);
      for (int i = 0; i < row_.across; ++i) {
        const __m256i atX = _mm256_add_epi32(belowX, partOf(stepX, i, row_.across)),
                      atY = _mm256_add_epi32(belowY, partOf(stepY, i, row_.across));
        sum = _mm256_add_epi16(sum, samples(positions(_mm256_add_epi32(u, atX), stepX),
                                            positions(_mm256_add_epi32(v, atY), stepY)));
      }
    }
    const __m256i mean = _mm256_srl_epi16(sum, _mm_cvtsi32_si128(shift));
    const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(mean, mean), _MM_SHUFFLE(3, 1, 2, 0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst), _mm256_castsi256_si128(bytes));
  }

 private:
  // Columns that a shuffle of 16 bytes reaches with their right neighbours.
  static constexpr int kColumns = 15, kMaxRows = 8, kRead = 16;

  struct Part {
    ProjectedWalk walk;
    int left, top;

    // Raises `rows` to the number of source rows that the entry crosses.
    bool begin(const SamplePlane& plane, const ProjectedRow& row, size_t entry, int& rows) {
      walk = projectedWalk(plane, row, entry);
      if (walk.isOutside) return false;
      const auto range = [&](int32_t start, int32_t step, int32_t down) {
        const int32_t last = start + (kProjectionStep - 1) * step;
        const int32_t beside = std::abs(partOfStep(step, 0, row.across)) * (row.across > 1) +
                               std::abs(partOfStep(down, 0, row.down)) * (row.down > 1);
        return std::pair{(std::min(start, last) - beside) >> 16, (std::max(start, last) + beside) >> 16};
      };
      const auto [x, right] = range(walk.x, walk.stepX, walk.downX);
      const auto [y, bottom] = range(walk.y, walk.stepY, walk.downY);
      left = x;
      top = y;
      rows = std::max(rows, bottom - top + 2);
      return left >= plane.minX && right < plane.maxX && top >= plane.minY && top + rows - 1 <= plane.maxY &&
             right - left < kColumns && rows <= kMaxRows &&
             ptrdiff_t{top + rows - 1} * plane.stride + left + kRead <= plane.lastOffset + 4;
    }
  };

  // Positions along an axis from the windows' starts: whole samples, and the Q8 part between them.
  struct Positions {
    __m256i whole, part;
  };

  static __m256i starts(int32_t first, int32_t second) {
    return _mm256_setr_epi32(first, first, first, first, second, second, second, second);
  }

  // partOfStep().
  static __m256i partOf(__m256i step, int i, int n) {
    if (n == 1) return _mm256_setzero_si256();
    return _mm256_mullo_epi32(_mm256_srai_epi32(step, n == 2 ? 2 : 3), _mm256_set1_epi32(2 * i + 1 - n));
  }

  // `low`: the first four samples of both entries.
  static Positions positions(__m256i low, __m256i step) {
    const __m256i high = _mm256_add_epi32(low, _mm256_slli_epi32(step, 2)), byte = _mm256_set1_epi32(0xFF);
    return {_mm256_packs_epi32(_mm256_srli_epi32(low, 16), _mm256_srli_epi32(high, 16)),
            _mm256_packs_epi32(_mm256_and_si256(_mm256_srli_epi32(low, 8), byte),
                               _mm256_and_si256(_mm256_srli_epi32(high, 8), byte))};
  }

  __m256i samples(const Positions& x, const Positions& y) const {
    // Bytes of each sample and of its right neighbour.
    const __m256i bytes =
        _mm256_add_epi16(_mm256_mullo_epi16(x.whole, _mm256_set1_epi16(0x0101)), _mm256_set1_epi16(0x0100));
    __m256i upper = _mm256_setzero_si256(), lower = upper, isAbove = upper;
    const uint8_t* from[2];
    for (size_t i = 0; i < 2; ++i)
      from[i] = plane_.data + ptrdiff_t{parts_[i].top} * plane_.stride + parts_[i].left;
    const auto load = [](const uint8_t* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
    for (int row = 0; row < rows_; ++row) {
      const ptrdiff_t offset = ptrdiff_t{row} * plane_.stride;
      const __m256i both =
          _mm256_inserti128_si256(_mm256_castsi128_si256(load(from[0] + offset)), load(from[1] + offset), 1);
      const __m256i pairs = _mm256_shuffle_epi8(both, bytes);
      const __m256i is = _mm256_cmpeq_epi16(y.whole, _mm256_set1_epi16(static_cast<int16_t>(row)));
      upper = _mm256_blendv_epi8(upper, pairs, is);
      lower = _mm256_blendv_epi8(lower, pairs, isAbove);
      isAbove = is;
    }
    const __m256i top = mixed(upper, x.part), bottom = mixed(lower, x.part);
    const __m256i share = _mm256_sub_epi16(_mm256_set1_epi16(256), y.part);
    // mixed() moves values into the signed range, which takes half of the unit from the sum.
    const __m256i half = _mm256_set1_epi32((32768 << 8) + 32768);
    const __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(top, bottom),
                                          _mm256_unpacklo_epi16(share, y.part)),
                  high = _mm256_madd_epi16(_mm256_unpackhi_epi16(top, bottom),
                                           _mm256_unpackhi_epi16(share, y.part));
    return _mm256_packs_epi32(_mm256_srli_epi32(_mm256_add_epi32(low, half), 16),
                              _mm256_srli_epi32(_mm256_add_epi32(high, half), 16));
  }

  // Two neighbours, in a word, by the Q8 part between them; less 32768.
  static __m256i mixed(__m256i pair, __m256i part) {
    const __m256i left = _mm256_and_si256(pair, _mm256_set1_epi16(0xFF)), right = _mm256_srli_epi16(pair, 8);
    const __m256i sum =
        _mm256_add_epi16(_mm256_slli_epi16(left, 8), _mm256_mullo_epi16(_mm256_sub_epi16(right, left), part));
    return _mm256_xor_si256(sum, _mm256_set1_epi16(INT16_MIN));
  }

  const SamplePlane& plane_;
  const ProjectedRow& row_;
  Part parts_[2];
  int rows_ = 0;
};

#endif

// The samples from one exact position to the next.
HWY_INLINE void sampleEntry(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t entry,
                            int shift) {
  const Lanes d;
  const hn::Rebind<uint8_t, Lanes> dOut;
  const size_t lanes = hn::Lanes(d);
  const ProjectedWalk walk = projectedWalk(plane, row, entry);
  if (walk.isOutside) {
    std::memset(dst, 0, kProjectionStep);
    return;
  }
  for (size_t lane = 0; lane < kProjectionStep; lane += lanes) {
    const auto ramp = hn::Iota(d, static_cast<int32_t>(lane));
    const auto u = hn::Add(hn::Set(d, walk.x), hn::Mul(ramp, hn::Set(d, walk.stepX)));
    const auto v = hn::Add(hn::Set(d, walk.y), hn::Mul(ramp, hn::Set(d, walk.stepY)));
    auto sum = hn::Set(d, row.across * row.down / 2);
    for (int k = 0; k < row.down; ++k) {
      for (int i = 0; i < row.across; ++i) {
        const int32_t x = partOfStep(walk.stepX, i, row.across) + partOfStep(walk.downX, k, row.down);
        const int32_t y = partOfStep(walk.stepY, i, row.across) + partOfStep(walk.downY, k, row.down);
        sum = hn::Add(sum, bilinear(d, plane, hn::Add(u, hn::Set(d, x)), hn::Add(v, hn::Set(d, y))));
      }
    }
    hn::StoreU(hn::DemoteTo(dOut, hn::ShiftRightSame(sum, shift)), dOut, dst + lane);
  }
}

}  // namespace

void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count) {
  const int parts = row.across * row.down;
  int shift = 0;
  while (1 << shift < parts) ++shift;
  const size_t done = count / kProjectionStep, whole = done * kProjectionStep;
  size_t entry = 0;
#if HWY_TARGET <= HWY_AVX2
  Window window(plane, row);
  for (; entry + window.entries() <= done; entry += window.entries()) {
    uint8_t* const to = dst + entry * kProjectionStep;
    if (window.begin(entry)) {
      window.draw(to, shift);
      continue;
    }
    for (size_t i = 0; i < window.entries(); ++i)
      sampleEntry(to + i * kProjectionStep, plane, row, entry + i, shift);
  }
#endif
  for (; entry < done; ++entry) sampleEntry(dst + entry * kProjectionStep, plane, row, entry, shift);
  reference::sampleProjected(
      dst + whole, plane, {row.here + 2 * done, row.below + 2 * done, row.across, row.down}, count - whole);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(sampleProjected);

void sampleProjected(uint8_t* dst, const SamplePlane& plane, const ProjectedRow& row, size_t count) {
  HWY_DYNAMIC_DISPATCH(sampleProjected)(dst, plane, row, count);
}

}  // namespace framewright::kernels
#endif
