#pragma once

#include <string>
#include <vector>

#include "libav/encode/video/encoder_probe.h"

namespace framewright {

// Whether frames that a graphics device draws reach its encoders without passing through main memory.
struct HandoverVerdict {
  std::string name;  // "cuda" or "vaapi"
  bool available = false;
  std::string reason;  // of one that is available: the encoder that it was proven with
};

// Each is proven with small pictures, where this host has a device that draws and, by `encoders`, an encoder
// that the way serves; where it lacks one, nothing is opened.
std::vector<HandoverVerdict> tryHandovers(const std::vector<EncoderProbeResult>& encoders);

}  // namespace framewright
