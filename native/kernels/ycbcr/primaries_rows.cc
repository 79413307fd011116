#include "kernels/ycbcr/primaries_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace framewright::kernels {

PowerCurve powerCurve(double exponent) {
  constexpr size_t kCount = PowerCurve::kCoefficients;
  // Newton's interpolation at Chebyshev's points.
  std::array<double, kCount> points{}, divided{};
  for (size_t i = 0; i < kCount; ++i) {
    points[i] = 1.25 + 0.75 * std::cos((2.0 * static_cast<double>(i) + 1) * 3.14159265358979 / (2 * kCount));
    divided[i] = std::pow(points[i], exponent);
  }
  for (size_t order = 1; order < kCount; ++order) {
    for (size_t i = kCount - 1; i >= order; --i)
      divided[i] = (divided[i] - divided[i - 1]) / (points[i] - points[i - order]);
  }
  std::array<double, kCount> polynomial{};
  for (size_t i = kCount; i-- > 0;) {
    for (size_t k = kCount - 1; k > 0; --k) polynomial[k] = polynomial[k - 1] - points[i] * polynomial[k];
    polynomial[0] = divided[i] - points[i] * polynomial[0];
  }
  PowerCurve curve;
  for (size_t i = 0; i < kCount; ++i) curve.coefficients[i] = static_cast<float>(polynomial[i]);
  for (int i = 0; i < PowerCurve::kFactors; ++i)
    curve.factors[i] = static_cast<float>(std::pow(4.0, exponent * (i + 1 - PowerCurve::kFactors)));
  return curve;
}

namespace reference {
namespace {

float powerAt(const PowerCurve& curve, float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const float m = std::bit_cast<float>((bits & 0x00FFFFFFU) | 0x3F000000U);
  const float* const c = curve.coefficients;
  float sum = c[PowerCurve::kCoefficients - 1];
  for (int i = PowerCurve::kCoefficients - 2; i >= 0; --i) sum = sum * m + c[i];
  return sum * curve.factors[(bits >> 24) & (PowerCurve::kFactors - 1)];
}

std::array<float, 3> convertedSignals(float y, float cb, float cr, const PrimariesConversion& c) {
  std::array<float, 3> light{}, signals{};
  for (size_t i = 0; i < 3; ++i) {
    const float* const weights = c.signals[i];
    const float chroma = weights[1] * cb + (weights[2] * cr + weights[3]);
    const float signal = weights[0] * y + chroma;
    light[i] = powerAt(c.toLight, std::min(std::max(signal, c.kMinSignal), 1.0F));
  }
  for (size_t i = 0; i < 3; ++i) {
    const float* const weights = c.light[i];
    const float sum = (weights[0] * light[0] + weights[1] * light[1]) + weights[2] * light[2];
    signals[i] = powerAt(c.toSignal, std::min(std::max(sum, c.kMinLight), 1.0F));
  }
  return signals;
}

// Rounds to the nearest integer, as the lowest bits of a float of 2^23 and more.
constexpr float kRounding = 1 << 23;
uint32_t rounded(float value) { return std::bit_cast<uint32_t>(value + kRounding) & 0xFFFF; }

uint8_t sampleOf(const std::array<float, 3>& signals, const float* weights) {
  const float sum =
      (weights[0] * signals[0] + weights[1] * signals[1]) + (weights[2] * signals[2] + weights[3]);
  return static_cast<uint8_t>(rounded(sum));
}

// A colour in the units of a table, and its cell.
struct Place {
  float y, cb, cr;
  size_t cell;
};

Place placeOf(const RatioTable& table, float y, float cb, float cr) {
  constexpr float kLast = RatioTable::kSide - 1;
  const float luma = std::max(y * table.y[0] + table.y[1], 1.0F), each = 1.0F / luma;
  const float blue = cb * table.cb[0] + table.cb[1], red = cr * table.cr[0] + table.cr[1];
  const float column = blue * each + table.originCb, row = red * each + table.originCr;
  const size_t x = rounded(std::min(std::max(column, 0.0F), kLast)),
               z = rounded(std::min(std::max(row, 0.0F), kLast));
  return {luma, blue, red, z * RatioTable::kSide + x};
}

bool isIn(int32_t cell, const Place& place) { return place.y <= static_cast<float>(cell & 0xFFFF); }

uint8_t changed(const RatioTable::Result& result, const Place& place, int32_t cell) {
  const float change = static_cast<float>(cell >> RatioTable::kChangeBits);
  const float scale = change * result.fromChange + result.fromY;
  const float chroma = place.cb * result.fromCb + (place.cr * result.fromCr + result.offset);
  return static_cast<uint8_t>(rounded(place.y * scale + chroma));
}

}  // namespace

void convertPrimariesRow(uint8_t* luma, const SampleRow& from, const PrimariesConversion& c, size_t count) {
  const RatioTable& table = c.ratios;
  for (size_t i = 0; i < count; ++i) {
    const float y = from.y[i], cb = from.cb[i], cr = from.cr[i];
    const Place place = placeOf(table, y, cb, cr);
    const int32_t cell = table.luma[place.cell];
    luma[i] = isIn(cell, place) ? changed(table.results[0], place, cell)
                                : sampleOf(convertedSignals(y, cb, cr, c), c.ycbcr[0]);
  }
}

void convertPrimariesRow(uint8_t* cb, uint8_t* cr, const SampleRow& from, const PrimariesConversion& c,
                         size_t count) {
  const RatioTable& table = c.ratios;
  for (size_t i = 0; i < count; ++i) {
    const float y = from.y[i], blue = from.cb[i], red = from.cr[i];
    const Place place = placeOf(table, y, blue, red);
    const int32_t* const cells = table.chroma + 2 * place.cell;
    if (isIn(cells[0], place)) {
      cb[i] = changed(table.results[1], place, cells[0]);
      cr[i] = changed(table.results[2], place, cells[1]);
    } else {
      const std::array<float, 3> signals = convertedSignals(y, blue, red, c);
      cb[i] = sampleOf(signals, c.ycbcr[1]);
      cr[i] = sampleOf(signals, c.ycbcr[2]);
    }
  }
}

}  // namespace reference
}  // namespace framewright::kernels
