#pragma once

#include <string>

namespace framewright {

// What libav finds on this host: lines for people, and the items of a JSON list. Empty where the build has no
// libav.
struct CodecReport {
  std::string lines, json;
};

// Every encoder that the engine knows, each really opened and given an image; of those that cannot be had,
// the library's or driver's words.
CodecReport checkEncoders();

// Whether this host's devices decode films as the processor does, and how fast beside it. Empty where there
// is no node of a device. `isTimed`: with images of 1080p, otherwise with small ones.
CodecReport checkDecoders(bool isTimed);

}  // namespace framewright
