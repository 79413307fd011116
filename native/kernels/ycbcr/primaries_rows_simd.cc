#include "kernels/ycbcr/primaries_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ycbcr/primaries_rows_simd.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace framewright::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

inline void primariesLumaRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& conversion,
                             size_t count) {
  reference::convertPrimariesRow(luma, from, conversion, count);
}
inline void primariesChromaRow(uint8_t* cb, uint8_t* cr, const SampleRow& from,
                               const PrimariesConversion& conversion, size_t count) {
  reference::convertPrimariesRow(cb, cr, from, conversion, count);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

namespace {

using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Bits = hn::RebindToUnsigned<Floats>;
using Words = hn::Rebind<uint16_t, Floats>;
using Bytes = hn::Rebind<uint8_t, Floats>;
using Vector = hn::Vec<Floats>;

Vector loadSamples(const uint16_t* from) {
  return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(Words(), from)));
}

// The factors of a curve for floats with their bits.
class Factors {
 public:
  explicit Factors(const float* factors);

  Vector at(hn::Vec<Bits> bits) const;
  // For results from 4^-8 on.
  Vector atLarge(hn::Vec<Bits> bits) const;

 private:
#if HWY_TARGET == HWY_AVX2
  Vector low_, high_;
#elif HWY_TARGET <= HWY_AVX3
  Vector all_;
#else
  const float* factors_;
#endif
};

#if HWY_TARGET == HWY_AVX2

Factors::Factors(const float* factors)
    : low_(hn::LoadU(Floats(), factors)), high_(hn::LoadU(Floats(), factors + 8)) {}

// Permutations look at the lowest three bits of an index.
Vector Factors::atLarge(hn::Vec<Bits> bits) const {
  return Vector{_mm256_permutevar8x32_ps(high_.raw, hn::ShiftRight<24>(bits).raw)};
}

Vector Factors::at(hn::Vec<Bits> bits) const {
  const auto index = hn::ShiftRight<24>(bits).raw;
  // The fourth bit of the index selects by its place as a sign.
  const auto isHigh = _mm256_castsi256_ps(hn::ShiftLeft<4>(bits).raw);
  return Vector{_mm256_blendv_ps(_mm256_permutevar8x32_ps(low_.raw, index),
                                 _mm256_permutevar8x32_ps(high_.raw, index), isHigh)};
}

#elif HWY_TARGET <= HWY_AVX3

Factors::Factors(const float* factors) : all_(hn::LoadU(Floats(), factors)) {}

Vector Factors::at(hn::Vec<Bits> bits) const {
  return Vector{_mm512_permutexvar_ps(hn::ShiftRight<24>(bits).raw, all_.raw)};
}

Vector Factors::atLarge(hn::Vec<Bits> bits) const { return at(bits); }

#else

Factors::Factors(const float* factors) : factors_(factors) {}

Vector Factors::at(hn::Vec<Bits> bits) const {
  const auto index = hn::And(hn::ShiftRight<24>(bits), hn::Set(Bits(), PowerCurve::kFactors - 1));
  return hn::GatherIndex(Floats(), factors_, hn::BitCast(Ints(), index));
}

Vector Factors::atLarge(hn::Vec<Bits> bits) const { return at(bits); }

#endif

class Power {
 public:
  explicit Power(const PowerCurve& curve) : curve_(curve), factors_(curve.factors) {}

  Vector at(Vector x) const {
    const auto bits = hn::BitCast(Bits(), x);
    return hn::Mul(polynomial(bits), factors_.at(bits));
  }
  // For x from 4^-8 on.
  Vector atLarge(Vector x) const {
    const auto bits = hn::BitCast(Bits(), x);
    return hn::Mul(polynomial(bits), factors_.atLarge(bits));
  }

 private:
  Vector polynomial(hn::Vec<Bits> bits) const {
    const Floats d;
    const auto mantissa = hn::And(bits, hn::Set(Bits(), 0x00FFFFFFU));
    const auto m = hn::BitCast(d, hn::Or(mantissa, hn::Set(Bits(), 0x3F000000U)));
    auto sum = hn::Set(d, curve_.coefficients[PowerCurve::kCoefficients - 1]);
    for (int i = PowerCurve::kCoefficients - 2; i >= 0; --i)
      sum = hn::Add(hn::Mul(sum, m), hn::Set(d, curve_.coefficients[i]));
    return sum;
  }

  const PowerCurve& curve_;
  const Factors factors_;
};

struct Colors {
  Vector r, g, b;
};

Vector weighted(const float* weights, const Colors& colors) {
  const Floats d;
  const auto product = [&](int i, Vector value) { return hn::Mul(hn::Set(d, weights[i]), value); };
  return hn::Add(hn::Add(product(0, colors.r), product(1, colors.g)), product(2, colors.b));
}

// The same with an offset.
Vector moved(const float* weights, const Colors& colors) {
  const Floats d;
  const auto product = [&](int i, Vector value) { return hn::Mul(hn::Set(d, weights[i]), value); };
  return hn::Add(hn::Add(product(0, colors.r), product(1, colors.g)),
                 hn::Add(product(2, colors.b), hn::Set(d, weights[3])));
}

Colors loadColors(const SampleRow& from, size_t i) {
  return {loadSamples(from.y + i), loadSamples(from.cb + i), loadSamples(from.cr + i)};
}

Vector clipped(Vector value, float lowest, float highest) {
  const Floats d;
  return hn::Min(hn::Max(value, hn::Set(d, lowest)), hn::Set(d, highest));
}

// Converts YCbCr to signals of the other primaries.
class Converter {
 public:
  explicit Converter(const PrimariesConversion& conversion)
      : c_(conversion), toLight_(conversion.toLight), toSignal_(conversion.toSignal) {}

  Colors signals(const Colors& samples) const {
    const Floats d;
    const auto lightOf = [&](int color) {
      const float* const weights = c_.signals[color];
      const auto product = [&](int i, Vector value) { return hn::Mul(hn::Set(d, weights[i]), value); };
      auto chroma = hn::Add(product(2, samples.b), hn::Set(d, weights[3]));
      chroma = hn::Add(product(1, samples.g), chroma);
      const auto signal = hn::Add(product(0, samples.r), chroma);
      return toLight_.atLarge(clipped(signal, c_.kMinSignal, 1));
    };
    const Colors light{lightOf(0), lightOf(1), lightOf(2)};
    const auto signalOf = [&](int color) {
      return toSignal_.at(clipped(weighted(c_.light[color], light), c_.kMinLight, 1));
    };
    return {signalOf(0), signalOf(1), signalOf(2)};
  }

 private:
  const PrimariesConversion& c_;
  const Power toLight_, toSignal_;
};

// Rounds to the nearest integer, as the lowest bits of a float of 2^23 and more.
hn::Vec<Bits> rounded(Vector value) {
  return hn::BitCast(Bits(), hn::Add(value, hn::Set(Floats(), 1 << 23)));
}

void storeRounded(uint8_t* to, Vector value) {
  const auto bits = hn::And(rounded(value), hn::Set(Bits(), 0xFFU));
  hn::StoreU(hn::DemoteTo(Bytes(), hn::BitCast(Ints(), bits)), Bytes(), to);
}

// Colours in the units of a table, and their cells.
struct Places {
  Vector y, cb, cr;
  hn::Vec<Ints> cells;
};

Places placesOf(const RatioTable& table, const Colors& samples) {
  const Floats d;
  const auto moved = [&](Vector value, const float* weights) {
    return hn::Add(hn::Mul(value, hn::Set(d, weights[0])), hn::Set(d, weights[1]));
  };
  const auto one = hn::Set(d, 1.0F), luma = hn::Max(moved(samples.r, table.y), one);
  const auto each = hn::Div(one, luma);
  const auto blue = moved(samples.g, table.cb), red = moved(samples.b, table.cr);
  const auto placed = [&](Vector value, float origin) {
    const auto cell = hn::Add(hn::Mul(value, each), hn::Set(d, origin));
    return rounded(clipped(cell, 0, RatioTable::kSide - 1));
  };
  // Of a row's bits the exponent's are shifted out.
  static_assert(RatioTable::kSideBits == 9);
  const auto column = hn::And(placed(blue, table.originCb), hn::Set(Bits(), RatioTable::kSide - 1U));
  const auto row = hn::ShiftLeft<RatioTable::kSideBits>(placed(red, table.originCr));
  return {luma, blue, red, hn::BitCast(Ints(), hn::Or(row, column))};
}

hn::Mask<Floats> isMissing(hn::Vec<Ints> cells, const Places& places) {
  return hn::Gt(places.y, hn::ConvertTo(Floats(), hn::And(cells, hn::Set(Ints(), 0xFFFF))));
}

Vector changed(const RatioTable::Result& result, const Places& places, hn::Vec<Ints> cells) {
  const Floats d;
  const auto change = hn::ConvertTo(d, hn::ShiftRight<RatioTable::kChangeBits>(cells));
  const auto scale = hn::Add(hn::Mul(change, hn::Set(d, result.fromChange)), hn::Set(d, result.fromY));
  auto chroma = hn::Add(hn::Mul(places.cr, hn::Set(d, result.fromCr)), hn::Set(d, result.offset));
  chroma = hn::Add(hn::Mul(places.cb, hn::Set(d, result.fromCb)), chroma);
  return hn::Add(hn::Mul(places.y, scale), chroma);
}

}  // namespace

void primariesLumaRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& c, size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  const Converter converter(c);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const Colors samples = loadColors(from, i);
    const Places places = placesOf(c.ratios, samples);
    const auto cells = hn::GatherIndex(Ints(), c.ratios.luma, places.cells);
    const auto missing = isMissing(cells, places);
    auto levels = changed(c.ratios.results[0], places, cells);
    if (!hn::AllFalse(d, missing))
      levels = hn::IfThenElse(missing, moved(c.ycbcr[0], converter.signals(samples)), levels);
    storeRounded(luma + i, levels);
  }
  reference::convertPrimariesRow(luma + i, {from.y + i, from.cb + i, from.cr + i}, c, count - i);
}

void primariesChromaRow(uint8_t* cb, uint8_t* cr, const SampleRow& from, const PrimariesConversion& c,
                        size_t count) {
  const Floats d;
  const size_t step = hn::Lanes(d);
  const Converter converter(c);
  size_t i = 0;
  for (; i + step <= count; i += step) {
    const Colors samples = loadColors(from, i);
    const Places places = placesOf(c.ratios, samples);
    const auto twice = hn::Add(places.cells, places.cells);
    const auto blueCells = hn::GatherIndex(Ints(), c.ratios.chroma, twice),
               redCells = hn::GatherIndex(Ints(), c.ratios.chroma + 1, twice);
    const auto missing = isMissing(blueCells, places);
    auto blue = changed(c.ratios.results[1], places, blueCells);
    auto red = changed(c.ratios.results[2], places, redCells);
    if (!hn::AllFalse(d, missing)) {
      const Colors signals = converter.signals(samples);
      blue = hn::IfThenElse(missing, moved(c.ycbcr[1], signals), blue);
      red = hn::IfThenElse(missing, moved(c.ycbcr[2], signals), red);
    }
    storeRounded(cb + i, blue);
    storeRounded(cr + i, red);
  }
  reference::convertPrimariesRow(cb + i, cr + i, {from.y + i, from.cb + i, from.cr + i}, c, count - i);
}

#endif  // HWY_SCALAR

}  // namespace framewright::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace framewright::kernels {

HWY_EXPORT(primariesLumaRow);
HWY_EXPORT(primariesChromaRow);

void convertPrimariesRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& conversion,
                         size_t count) {
  HWY_DYNAMIC_DISPATCH(primariesLumaRow)(luma, from, conversion, count);
}

void convertPrimariesRow(uint8_t* cb, uint8_t* cr, const SampleRow& from,
                         const PrimariesConversion& conversion, size_t count) {
  HWY_DYNAMIC_DISPATCH(primariesChromaRow)(cb, cr, from, conversion, count);
}

}  // namespace framewright::kernels
#endif
