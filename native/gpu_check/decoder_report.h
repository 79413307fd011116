#pragma once

#include <string>

namespace framewright {

// Whether this host's devices decode films as the processor does, and how fast beside it: lines for people,
// and the items of a JSON list. Empty where there is no node of a device, or the build has no libav.
struct DecoderReport {
  std::string lines, json;
};

// `isTimed`: with pictures of 1080p, otherwise with small ones.
DecoderReport checkDecoders(bool isTimed);

}  // namespace framewright
