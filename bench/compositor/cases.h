#pragma once

#include "scenes.h"

namespace framewright::bench {

// A benchmark case. `bytes`: minimum memory traffic, counted once for each visible image, and twice where the
// frame is read and written.
struct Case {
  const char* name;
  std::function<std::vector<Layer>(int frame)> layers;
  double bytes = 0;
  // Draws consecutive frames into reused buffers instead of unrelated frames.
  bool sequence = false;
  // Timed instead of composing the layers.
  std::function<void(int frame)> work = nullptr;
};
std::vector<Case> allCases();

// Median CPU time of a frame in milliseconds.
double timeCase(Compositor& compositor, const std::vector<PreparedImagePtr>& images, const Case& one);

}  // namespace framewright::bench
