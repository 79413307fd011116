#pragma once

#include <string>
#include <vector>

namespace framewright {

// Whether a device of this host decodes a codec as the processor does.
struct DecoderVerdict {
  std::string name;   // "nvdec 0", "vaapi /dev/dri/renderD128"
  std::string codec;  // "h264", "hevc"
  bool available = false;
  std::string reason;  // why not
  // By the device, into main memory, and by the processor alone. 0: not timed.
  double picturesPerSecond = 0, processorsPerSecond = 0;
};

// Each is opened and proven with a clip of this size that is made on the spot; none where the host has no
// node of a device.
std::vector<DecoderVerdict> tryDecoders(bool isTimed, int width, int height);
// With a small one, untimed.
std::vector<DecoderVerdict> tryDecoders();

}  // namespace framewright
