#pragma once

#include "scenes.h"

namespace framewright::bench {

// What is timed. `bytes` must be read and written at least, counted once for each image that is seen, and
// twice where the frame is read to be written.
struct Case {
  const char* name;
  std::function<std::vector<Layer>(int frame)> layers;
  double bytes = 0;
  // Frames that are drawn one after another into used buffers, rather than each from nothing.
  bool sequence = false;
};
std::vector<Case> allCases();

// Median milliseconds of CPU time for a frame.
double timeCase(Compositor& compositor, const std::vector<PreparedImagePtr>& images, const Case& one);

}  // namespace framewright::bench
