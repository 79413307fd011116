#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bitstream/h264/parameter_sets.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright {

// Pictures of a file as they are coded there, in decoding order; the first is a key frame that forgets all
// before it.
struct CopiedStretch {
  struct Picture {
    PacketPtr packet;   // as in the file
    int64_t shown = 0;  // counted from the stretch's first
    bool isKey = false;
    bool isReference = false;
  };

  size_t first = 0;  // of the frames that were asked for
  std::vector<Picture> pictures;
  h264::SourceSets sets;
  CodecParametersPtr parameters;  // of the file's stream

  // The slices of a picture, which name the parameter sets `id` (Annex B); nothing else that comes with it.
  h264::Bytes slicesOf(const Picture& picture, int id) const;
  // How many of the first pictures are shown before all others, `limit` at most; 0: the limit is too low.
  size_t closedCount(size_t limit) const;
};

// The units of a packet that has their lengths before them. False when they do not fill it.
bool splitUnits(std::span<const uint8_t> packet, int lengthBytes,
                std::vector<std::span<const uint8_t>>& units);

}  // namespace framewright
