#include "kernels/deep/color_curves.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compositor/deep/canvas_curves.h"
#include "core/light.h"
#include "kernels/kernel_testing.h"

namespace framewright {
namespace {

constexpr size_t kPixels = 307;  // no multiple of any vector

using Rows = std::array<std::vector<float>, 4>;

Rows randomRows() {
  std::mt19937 random(5);
  Rows rows;
  for (auto& row : rows) row.resize(kPixels);
  for (size_t i = 0; i < kPixels; ++i) {
    rows[3][i] = i % 5 == 0 ? 0 : i % 5 == 1 ? 1 : static_cast<float>(random() % 1001) / 1000;
    for (size_t channel = 0; channel < 3; ++channel)
      rows[channel][i] = static_cast<float>(random() % 1101) / 1000 * rows[3][i];
  }
  return rows;
}

kernels::FloatRow rowOf(Rows& rows) {
  return {rows[0].data(), rows[1].data(), rows[2].data(), rows[3].data()};
}

// A channel of SDR on an HDR canvas, by the formulas.
std::array<double, 3> signalsOf(const std::array<double, 3>& sdr, CanvasTransfer transfer) {
  constexpr double kMatrix[3][3] = {
      {0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}};
  std::array<double, 3> light{}, wide{}, signals{};
  for (size_t i = 0; i < 3; ++i) light[i] = std::pow(std::clamp(sdr[i], 0.0, 1.0), 2.4);
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) wide[i] += kMatrix[i][k] * light[k];
  const double luminance =
      kSdrWhiteNits / kHlgPeakNits * (0.2627 * wide[0] + 0.6780 * wide[1] + 0.0593 * wide[2]);
  for (size_t i = 0; i < 3; ++i) {
    signals[i] = transfer == CanvasTransfer::kPq
                     ? pqSignal(wide[i] * kSdrWhiteNits)
                     : hlgSignal(wide[i] * kSdrWhiteNits * hlgSceneGain(luminance));
  }
  return signals;
}

TEST_CASE("colours of a canvas are the same on all instruction sets") {
  for (const CanvasColor color :
       {CanvasColor{CanvasTransfer::kPq, false}, CanvasColor{CanvasTransfer::kHlg, false},
        CanvasColor{CanvasTransfer::kSdr, true}}) {
    const CanvasCurves curves(color);
    Rows first;
    forEachTarget([&](const std::string& target) {
      Rows own = randomRows();
      curves.fromSdr(rowOf(own), kPixels);
      if (first[0].empty()) first = own;
      CHECK_MESSAGE(own == first, target);
    });
  }
}

TEST_CASE("colours of SDR on an HDR canvas are exact to a quarter of a code") {
  for (const CanvasTransfer transfer : {CanvasTransfer::kPq, CanvasTransfer::kHlg}) {
    const CanvasCurves curves({transfer, false});
    double largest = 0;
    for (int r = 0; r <= 255; r += 3) {
      for (int g = 0; g <= 255; g += 5) {
        for (int b = 0; b <= 255; b += 17) {
          const kernels::FloatColor found = curves.fromSdr(
              Color{static_cast<uint8_t>(r), static_cast<uint8_t>(g), static_cast<uint8_t>(b), 255});
          const auto exact = signalsOf({r / 255.0, g / 255.0, b / 255.0}, transfer);
          largest = std::max({largest, std::abs(static_cast<double>(found.r) - exact[0]),
                              std::abs(static_cast<double>(found.g) - exact[1]),
                              std::abs(static_cast<double>(found.b) - exact[2])});
        }
      }
    }
    CHECK(largest * 876 < 0.25);
  }
}

TEST_CASE("transparent pixels are 0, and colours keep their share of alpha") {
  const CanvasCurves curves({CanvasTransfer::kHlg, false});
  Rows half, full;
  for (auto& row : half) row = {0.2f, 0.0f};
  half[3] = {0.5f, 0.0f};
  for (auto& row : full) row = {0.4f, 0.4f};
  full[3] = {1.0f, 1.0f};
  curves.fromSdr(rowOf(half), 2);
  curves.fromSdr(rowOf(full), 2);
  for (size_t channel = 0; channel < 3; ++channel) {
    CHECK(half[channel][0] == doctest::Approx(full[channel][0] / 2));
    CHECK(half[channel][1] == 0);
  }
}

}  // namespace
}  // namespace framewright
