#pragma once

#include <string>

#include "gpu_check/stream_search.h"

namespace framewright {

// Segments of a movie that one process renders at once: a clip of H.264 is decoded, scaled over a colour and
// encoded, each step where the engine does it on this host.
struct RenderStreams {
  StreamRate rate;                   // count: segments at once
  std::string decoder = "software";  // "nvdec", "vaapi" or "software"
  std::string compositor;            // "vulkan" or "cpu"
  std::string interop;               // how frames reach the encoder; empty: through main memory
  int copiesPerFrame = 0;            // on the card, for the encoder: 0, or 1 if any frame is copied
};

// Measures 1, 2, 4 … segments at once as long as they render clearly more frames per second together; each
// measurement takes at least `seconds`. Writes into the folder for temporary files. Fails as the first render
// does, or with IO_FAILED.
Result<RenderStreams> measureRenderStreams(const std::string& encoder, int width, int height, double seconds);

}  // namespace framewright
