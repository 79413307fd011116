#pragma once

#include <string>
#include <vector>

#include "compositor/vulkan/vulkan_compositor.h"

namespace framewright {

struct ParityResult {
  int cases = 0, wrong = 0;  // wrong: more than two levels apart anywhere, or not drawn
  int largestDifference = 0;
  double leastSimilarity = 1;
  std::string firstFailure;
};
// Random lists, drawn by the CPU compositor and by the device.
ParityResult checkParity(std::shared_ptr<vulkan::Device> device, int cases);

// Bytes per second that the device reads and writes when it copies within its own memory; 0 where it has no
// clock.
Result<double> measureCopyBandwidth(std::shared_ptr<vulkan::Device> device);

struct SpeedResult {
  int width = 0, height = 0, layers = 0;
  double deviceSeconds = 0;  // to draw a frame on the device
  double frameSeconds = 0;   // with the way there and back, several frames in flight
  double cpuSeconds = 0;     // of the CPU compositor, on one core
  double movedBytes = 0;     // that drawing must read and write: layers in the working format, one frame
  double shareOfCopy = 0;    // movedBytes over deviceSeconds, of the copy bandwidth
};
// Full-frame pictures with alpha over one another.
Result<SpeedResult> measureSpeed(std::shared_ptr<vulkan::Device> device, int width, int height, int layers,
                                 double copyBandwidth);

}  // namespace framewright
