#pragma once

#include <string>
#include <vector>

#include "libav/hardware/decode/frame_decoder.h"

namespace framewright {

// Whether a device of this host decodes a format bit-exactly.
struct DecoderProbeResult {
  std::string name;  // "nvdec 0", "vaapi /dev/dri/renderD128"
  DecodeFormat format;
  bool available = false;
  std::string reason;  // why not
  // Speed of the device including download, and of software decoding. 0: not timed.
  double framesPerSecond = 0, softwareFramesPerSecond = 0;
};

// Probes every device and format with a generated clip of this size; empty when the host has no device node.
std::vector<DecoderProbeResult> probeDecoders(bool isTimed, int width, int height);
// Probes with a small clip, without timing.
std::vector<DecoderProbeResult> probeDecoders();

// Whether frames that a device of this host decodes stay on it for the compositor.
struct DecodeInteropProbe {
  std::string name;  // "nvdec 0"
  bool available = false;
  std::string reason;  // why not; when available, the path: "cuda", "vaapi"
};

// Probes the path from every decoding device to the target with a small clip.
std::vector<DecodeInteropProbe> probeDecodeInterops(const DecodeTarget& target);

}  // namespace framewright
