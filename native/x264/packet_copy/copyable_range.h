#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bitstream/h264/parameter_sets.h"
#include "core/color_tags.h"
#include "core/result.h"
#include "libav/av_handle.h"

namespace framewright::x264 {

// Consecutive coded frames of a file, in decoding order, that can be copied into a movie. The first is an IDR
// frame.
struct CopyableRange {
  struct CodedFrame {
    PacketPtr packet;          // as in the file
    int64_t displayIndex = 0;  // relative to the first frame of the range
    bool isIdr = false;
    bool isReference = false;
  };

  size_t first = 0;  // index of the requested frame that shows the IDR frame
  std::vector<CodedFrame> frames;
  h264::AvcConfig config;         // of the file's stream
  CodecParametersPtr parameters;  // of the file's stream
  ColorTags colors;               // as which the engine shows the file

  // The slices of a frame in Annex B, referring to PPS `ppsId`, without its other NAL units.
  h264::Bytes slicesOf(const CodedFrame& frame, int ppsId) const;
  // Length of the longest prefix, at most `limit`, whose frames are displayed before all others; 0 when the
  // limit is too low.
  size_t closedFrameCount(size_t limit) const;
};

// Splits a packet of length-prefixed NAL units. False when the lengths do not match the packet.
bool splitLengthPrefixed(std::span<const uint8_t> packet, int nalLengthBytes,
                         std::vector<std::span<const uint8_t>>& units);

}  // namespace framewright::x264
