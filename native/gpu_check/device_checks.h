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
// Random lists, drawn by the CPU compositor and by the device: by turns as I420 and as NV12.
ParityResult checkParity(std::shared_ptr<vulkan::Device> device, int cases);

// Why frames cannot stay on the device in memory that encoders there may be given; empty: they can.
struct SharingResult {
  std::string opaque, dmaBuf;
  int renderNode = -1;  // of the kernel; -1: the driver does not say, and VAAPI's encoder is not found by it
};
// Draws a 1080p frame into memory of each kind and has a descriptor of it given out.
SharingResult checkSharing(std::shared_ptr<vulkan::Device> device);

// Bytes per second, by the device's clock; 0 where it has none.
Result<double> measureCopies(std::shared_ptr<vulkan::Device> device);  // within its memory: read and written
Result<double> measureReadBack(std::shared_ptr<vulkan::Device> device);  // to where the host reads

struct SpeedResult {
  int width = 0, height = 0, layers = 0;
  double deviceSeconds = 0;  // to draw a frame on the device, as NV12
  double frameSeconds = 0;   // until the host can read it, several frames in flight
  double cpuSeconds = 0;     // of the CPU compositor, on one core
  double movedBytes = 0;     // that drawing must read and write: layers in the working format, one frame
  double shareOfCopy = 0;    // movedBytes over deviceSeconds, of the copy bandwidth
};
// Full-frame images with alpha over one another.
Result<SpeedResult> measureSpeed(std::shared_ptr<vulkan::Device> device, int width, int height, int layers,
                                 double copyBandwidth);

}  // namespace framewright
