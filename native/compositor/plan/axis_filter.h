#pragma once

#include <cstdint>
#include <vector>

namespace framewright {

// kCatmullRom for drawing in every frame and for images with alpha, kLanczos3 for opaque stills that are
// downscaled once.
enum class FilterKernel { kCatmullRom, kLanczos3 };

// Maps outputs along one axis to source samples: output k, whose centre is k + 0.5, reads at
// scale * (k + 0.5) + offset.
struct AxisMapping {
  double scale = 1;
  double offset = 0;
};

// Maximum number of source samples per output.
inline constexpr double kMaxFilterScale = 4;

// A polyphase filter: the taps of each output and their weights. Taps outside the source repeat its edge.
struct AxisFilter {
  int count = 0;                 // outputs
  int taps = 0;                  // per output; a multiple of 4
  std::vector<int32_t> firsts;   // first tap of each output
  std::vector<int16_t> weights;  // `taps` Q14 weights for each output, which sum to 1
};

// Builds the filter of outputs first … first + count - 1. The kernel widens smoothly with |scale| (at most
// kMaxFilterScale), so that zooms show no switch of filters. Positions far outside [low, high] are clamped.
void buildAxisFilter(AxisFilter& filter, AxisMapping mapping, int first, int count, int low, int high,
                     FilterKernel kernel);

}  // namespace framewright
