#include "kernels/deep/light_rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/deep/light_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// The loops are vectorized by the compiler, for each instruction set anew.
HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {
namespace {

// How far R', G' and B' are above luma by a code of chroma, in units of luma codes with kLightFraction and
// kWeightBits fraction bits. Luma has 876 codes, chroma 896.
constexpr int kWeightBits = 11, kChromaZero = 512;
constexpr int16_t weightOf(double factor) {
  const double weight = factor * 876 / 896 * (1 << (kLightFraction + kWeightBits));
  return static_cast<int16_t>(weight < 0 ? weight - 0.5 : weight + 0.5);
}
constexpr int16_t kRedCr = weightOf(1.4746), kBlueCb = weightOf(1.8814);
constexpr int16_t kGreenCb = weightOf(-0.164553), kGreenCr = weightOf(-0.571353);

// 16 bits are enough for all sums.
inline int16_t sum(int16_t a, int16_t b) { return static_cast<int16_t>(a + b); }
inline int16_t doubled(int16_t a) { return static_cast<int16_t>(a * 2); }

// In the form that compilers recognise as one instruction.
inline int16_t weighted(int16_t chroma, int16_t weight) {
  return static_cast<int16_t>(static_cast<int32_t>(chroma) * weight >> 16);
}

// How far the largest of R', G' and B' is above luma: at least 0.
inline int16_t chromaPeak(int16_t blue, int16_t red) {
  constexpr int kScale = 1 << (16 - kWeightBits);
  const auto cb = static_cast<int16_t>((blue - kChromaZero) * kScale),
             cr = static_cast<int16_t>((red - kChromaZero) * kScale);
  const int16_t green = sum(weighted(cb, kGreenCb), weighted(cr, kGreenCr));
  const int16_t peak = std::max(std::max(weighted(cr, kRedCr), weighted(cb, kBlueCb)), green);
  return std::max(peak, int16_t{0});
}

inline int16_t codeOf(int16_t luma, int16_t peak, int16_t site) {
  const auto grey = static_cast<int16_t>(luma * (1 << kLightFraction));
  return std::min(std::min(sum(grey, peak), std::max(site, grey)), int16_t{kMaxLightCode});
}

// Luma of two rows filtered as chroma is, in units of luma codes with kLightFraction fraction bits.
inline int16_t siteLuma(int16_t left, int16_t here, int16_t right) {
  static_assert(kLightFraction == 2);
  return static_cast<int16_t>(sum(sum(left, right), doubled(here)) >> 1);
}

// The sites [first, end), whose samples and neighbours exist.
void CodesOfSites(int16_t* __restrict top, int16_t* __restrict bottom, const LightRows& rows, size_t first,
                  size_t end) {
  const auto* __restrict upper = reinterpret_cast<const int16_t*>(rows.top);
  const auto* __restrict lower = reinterpret_cast<const int16_t*>(rows.bottom);
  const auto* __restrict cb = reinterpret_cast<const int16_t*>(rows.cb);
  const auto* __restrict cr = reinterpret_cast<const int16_t*>(rows.cr);
  for (size_t i = first; i < end; ++i) {
    const int16_t peak = chromaPeak(cb[i], cr[i]);
    const int16_t site =
        sum(siteLuma(sum(upper[2 * i - 1], lower[2 * i - 1]), sum(upper[2 * i], lower[2 * i]),
                     sum(upper[2 * i + 1], lower[2 * i + 1])),
            peak);
    top[2 * i] = codeOf(upper[2 * i], peak, site);
    top[2 * i + 1] = codeOf(upper[2 * i + 1], peak, site);
    bottom[2 * i] = codeOf(lower[2 * i], peak, site);
    bottom[2 * i + 1] = codeOf(lower[2 * i + 1], peak, site);
  }
}

// A site at an edge, where samples are repeated.
void codesOfEdge(int16_t* top, int16_t* bottom, const LightRows& rows, size_t i, size_t count) {
  const int16_t peak = chromaPeak(static_cast<int16_t>(rows.cb[i]), static_cast<int16_t>(rows.cr[i]));
  const size_t here = 2 * i, left = here == 0 ? 0 : here - 1, right = std::min(here + 1, count - 1);
  const auto both = [&](size_t x) { return static_cast<int16_t>(rows.top[x] + rows.bottom[x]); };
  const int16_t site = sum(siteLuma(both(left), both(here), both(right)), peak);
  for (size_t x = here; x <= right; ++x) {
    top[x] = codeOf(static_cast<int16_t>(rows.top[x]), peak, site);
    bottom[x] = codeOf(static_cast<int16_t>(rows.bottom[x]), peak, site);
  }
}

}  // namespace

void LightCodes(uint16_t* topCodes, uint16_t* bottomCodes, const LightRows& rows, size_t count) {
  if (count == 0) return;
  auto *top = reinterpret_cast<int16_t*>(topCodes), *bottom = reinterpret_cast<int16_t*>(bottomCodes);
  const size_t whole = count / 2;
  codesOfEdge(top, bottom, rows, 0, count);
  if (whole > 1) CodesOfSites(top, bottom, rows, 1, whole);
  if (count % 2 != 0 && count > 1) codesOfEdge(top, bottom, rows, whole, count);
}

void AddLight(LightSum& light, const uint16_t* __restrict codes, const LightTable& table, size_t count) {
  // The light of a run fits an int32_t.
  constexpr size_t kRun = 4096;
  uint16_t peak = light.peak;
  for (size_t i = 0; i < count; ++i) peak = std::max(peak, codes[i]);
  light.peak = peak;
  for (size_t first = 0; first < count; first += kRun) {
    const size_t end = std::min(count, first + kRun);
    int32_t sum = 0;
    for (size_t i = first; i < end; ++i) sum += table[codes[i]];
    light.sum += sum;
  }
}

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(LightCodes);
HWY_EXPORT(AddLight);

void lightCodes(uint16_t* top, uint16_t* bottom, const LightRows& rows, size_t count) {
  HWY_DYNAMIC_DISPATCH(LightCodes)(top, bottom, rows, count);
}

void addLight(LightSum& light, const uint16_t* codes, const LightTable& table, size_t count) {
  HWY_DYNAMIC_DISPATCH(AddLight)(light, codes, table, count);
}

}  // namespace framewright::kernels
#endif
