#pragma once

#include "scenes.h"

namespace framewright::bench {

// Times per frame.
struct Comparison {
  double composeMs = 0, encodeMs = 0;
  int64_t bytes = 0;  // of all frames
};

// Composes typical frames and encodes them with x264 veryfast, alternating on one thread.
Comparison compareWithEncoder(Compositor& compositor, const std::vector<PreparedImagePtr>& images,
                              Image& frame, int frames);

}  // namespace framewright::bench
