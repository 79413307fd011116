#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/bit_writer.h"

namespace substitute {

// Rows of an NV12 frame.
struct Nv12 {
  const uint8_t* luma = nullptr;
  const uint8_t* chroma = nullptr;
  size_t lumaPitch = 0, chromaPitch = 0;
  int width = 0, height = 0;  // beyond them the last column and row are repeated
};

// Writes the samples of a block of 16 by 16, then those of its two blocks of chroma.
void writePcmSamples(BitWriter& out, const Nv12& frame, int left, int top);

struct PcmSlice {
  bool isIntra = true;  // else a P slice
  int qp = 26;          // SliceQPY, which initialises the contexts
};

// Appends the NAL unit of a slice that covers the frame to an Annex B stream: `header` is its slice header
// without start code and emulation prevention, `headerBits` long, and all macroblocks follow as samples
// (I_PCM), coded with CABAC and cabac_init_idc 0. Decoders output exactly the frame.
void appendPcmSlice(std::vector<uint8_t>& stream, const std::vector<uint8_t>& header, size_t headerBits,
                    const PcmSlice& slice, const Nv12& frame);

}  // namespace substitute
