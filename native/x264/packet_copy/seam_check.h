#pragma once

#include <vector>

#include "core/cancel_token.h"
#include "x264/packet_copy/copyable_range.h"

namespace framewright::x264 {

// Frames of the movie's own encoder, from an IDR frame on, in decoding order.
struct EncodedFrames {
  std::vector<PacketPtr> packets;  // Annex B; pts in frames
  CodecParametersPtr parameters;
};

// Whether a strict decoder accepts the range between encoded frames without an error, outputs every frame
// once and in order, and decodes the copied frames to the same samples as from the file. Checks the beginning
// of the range and everything from its last IDR frame on, not the frames between.
bool checkSeams(const CopyableRange& range, const EncodedFrames& encoded, const CancelToken& cancel);

}  // namespace framewright::x264
