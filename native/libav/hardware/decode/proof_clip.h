#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "libav/hardware/decode/decode_probe.h"

namespace framewright {

// A short film made on the spot by an encoder in software: texture in motion, pictures that refer to later
// ones, two groups of them, sides that do not fill its blocks.
struct ProofClip {
  OutputContextPtr owner;
  FilmHead head;
};

// A size whose sides do not fill the codec's blocks, above the smallest of every device.
inline constexpr int kProofWidth = 322, kProofHeight = 194;

// H.264 or HEVC. Fails with ENCODER_UNAVAILABLE.
Result<ProofClip> makeProofClip(AVCodecID codec, int width, int height, int pictures);

}  // namespace framewright
