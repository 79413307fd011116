#pragma once

#include <cstdint>
#include <vector>

#include "codec/pcm_slice.h"

namespace substitute {

struct HevcVideo {
  int width = 0, height = 0;
  int maxReorder = 0;  // pictures that precede another one in the stream and follow it in time
  bool isFullRange = false, hasColors = false;
  uint32_t primaries = 2, transfer = 2, matrix = 2;
};

// The three parameter sets in Annex B format.
std::vector<uint8_t> hevcParameterSets(const HevcVideo& video);

// Appends a picture whose blocks are samples (pcm_flag), of which decoders output exactly the frame. `order`:
// its place in time since the last IDR picture, which has 0.
void appendHevcPcm(std::vector<uint8_t>& stream, const HevcVideo& video, const Nv12& frame, bool isIdr,
                   uint32_t order);

}  // namespace substitute
