#pragma once

#include <array>
#include <cstdint>

namespace framewright {

// The display on which a PQ video was graded (SMPTE ST 2086). By default P3 primaries, D65 and 0.0001 to 1000
// cd/m², as in HDR10 files usually.
struct MasteringDisplay {
  static constexpr int kChromaticityUnit = 50000, kLightUnit = 10000;
  using Chromaticity = std::array<int, 2>;

  // x and y by kChromaticityUnit.
  Chromaticity red{34000, 16000}, green{13250, 34500}, blue{7500, 3000}, white{15635, 16450};
  // cd/m² by kLightUnit.
  int64_t maxLight = 10'000'000, minLight = 1;

  // x and y of red, green, blue and white, then the largest and the smallest light.
  using Values = std::array<int64_t, 10>;
  Values values() const {
    return {red[0], red[1], green[0], green[1], blue[0], blue[1], white[0], white[1], maxLight, minLight};
  }
  static MasteringDisplay of(const Values& values) {
    const auto point = [&](size_t at) {
      return Chromaticity{static_cast<int>(values[at]), static_cast<int>(values[at + 1])};
    };
    return {point(0), point(2), point(4), point(6), values[8], values[9]};
  }
  bool operator==(const MasteringDisplay&) const = default;
};

}  // namespace framewright
