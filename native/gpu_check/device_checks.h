#pragma once

#include <string>
#include <vector>

#include "compositor/vulkan/vulkan_compositor.h"

namespace framewright {

// Seconds until the first frame, which every render's process spends anew.
struct OpeningResult {
  double instance = 0;    // loading the drivers
  double device = 0;      // opening the device
  double firstFrame = 0;  // compiling shaders and drawing a frame of several layers
};
// Draws a frame with a new compositor; sets `firstFrame`.
Status measureFirstFrame(std::shared_ptr<vulkan::Device> device, OpeningResult& opening);

// Comparison of the device with the CPU compositor.
struct ParityResult {
  int cases = 0, wrong = 0;  // wrong: a sample differs by more than 2 levels, or drawing failed
  int largestDifference = 0;
  double minSimilarity = 1;
  std::string firstFailure;
};
// Draws random lists with the CPU compositor and the device, alternately as I420 and NV12.
ParityResult checkParity(std::shared_ptr<vulkan::Device> device, int cases);

// Comparison of frames of 10 bits.
struct DeepParityResult {
  int cases = 0, wrong = 0;     // wrong: luma differs by more than 2 codes, or drawing failed
  int hostFrames = 0;           // of the cases, drawn by the CPU because the device lacks what they show
  int largestDifference = 0;    // of luma, in codes
  double chromaDifference = 0;  // mean, in codes
  std::string firstFailure;
};
// Draws random lists, without what devices leave to the CPU and without blend modes, on canvases of SDR and
// PQ.
DeepParityResult checkDeepParity(std::shared_ptr<vulkan::Device> device, int cases);

// Why the device cannot share frames with encoders, by memory type; empty: it can.
struct SharingResult {
  std::string opaque, timeline, dmaBuf;  // timeline: opaque, with a semaphore
  int renderNode = -1;  // minor number; -1: unknown to the driver, so that VAAPI's device cannot be matched
};
// Draws a 1080p frame into memory of each type and exports its descriptor.
SharingResult checkSharing(std::shared_ptr<vulkan::Device> device);

// Bandwidth of copies in bytes per second, by the device's timestamps; 0 without timestamps.
// Within device memory: bytes read plus bytes written.
Result<double> measureCopies(std::shared_ptr<vulkan::Device> device);
// From device memory to host memory.
Result<double> measureReadBack(std::shared_ptr<vulkan::Device> device);

// Times per frame: NV12, or P010 with 10 bits.
struct SpeedResult {
  int width = 0, height = 0, layers = 0;
  int bits = 8;
  double deviceSeconds = 0;   // drawing on the device
  double frameSeconds = 0;    // until the host can read the frame, with several in flight
  double cpuSeconds = 0;      // CPU compositor on one core
  double joulesPerFrame = 0;  // of the device, with several frames in flight; 0: unknown
  double movedBytes = 0;      // minimum memory traffic: layers in the working format and the frame
  double shareOfCopy = 0;     // movedBytes / deviceSeconds, relative to the copy bandwidth
};
// Draws `layers` stacked full-frame images with alpha, in 8 or 10 bits.
Result<SpeedResult> measureSpeed(std::shared_ptr<vulkan::Device> device, int width, int height, int layers,
                                 int bits, double copyBandwidth);

}  // namespace framewright
