#pragma once

#include <span>
#include <vector>

#include "core/cancel_token.h"
#include "x264/packet_copy/copied_stretch.h"

namespace framewright {

// Pictures of the film's own encoder, as they stand before and behind a stretch: from a key frame on, in
// decoding order.
struct EncodedPictures {
  std::vector<PacketPtr> packets;  // Annex B, pts counted in frames
  CodecParametersPtr parameters;
};

// Whether a decoder gets through a stretch between pictures of our own encoder with no word of complaint,
// shows each picture once and in order, and sees in the copied ones what it sees in the file. Decodes the
// stretch's beginning and its last key frame with all that follows, not what lies between.
bool seamsHold(const CopiedStretch& stretch, const EncodedPictures& own, const CancelToken& cancel);

}  // namespace framewright
