#include "codec/pcm_slice.h"

#include <algorithm>

#include "codec/cabac.h"

namespace substitute {
namespace {

// The contexts in use, with m and n of tables 9-12 and 9-13 for cabac_init_idc 0.
enum Context { kIntraType = 0, kSkip = 3, kType = 6, kIntraTypeInP = 7, kContexts = 8 };
constexpr CabacContext kInitial[kContexts] = {{20, -15}, {2, 54}, {3, 74}, {23, 33},
                                              {23, 2},   {21, 0}, {1, 9},  {5, 57}};

}  // namespace

void writePcmSamples(BitWriter& out, const Nv12& frame, int left, int top) {
  for (int y = top; y < top + 16; ++y) {
    const uint8_t* const row =
        frame.luma + static_cast<size_t>(std::min(y, frame.height - 1)) * frame.lumaPitch;
    for (int x = left; x < left + 16; ++x) out.bits(row[std::min(x, frame.width - 1)], 8);
  }
  const int width = (frame.width + 1) / 2, height = (frame.height + 1) / 2;
  for (int plane = 0; plane < 2; ++plane) {
    for (int y = top / 2; y < top / 2 + 8; ++y) {
      const uint8_t* const row =
          frame.chroma + static_cast<size_t>(std::min(y, height - 1)) * frame.chromaPitch;
      for (int x = left / 2; x < left / 2 + 8; ++x) out.bits(row[2 * std::min(x, width - 1) + plane], 8);
    }
  }
}

void appendPcmSlice(std::vector<uint8_t>& stream, const std::vector<uint8_t>& header, size_t headerBits,
                    const PcmSlice& slice, const Nv12& frame) {
  BitWriter out;
  for (size_t i = 0; i < headerBits; ++i) out.flag((header[i / 8] >> (7 - i % 8) & 1) != 0);
  while (!out.isAligned()) out.flag(true);  // cabac_alignment_one_bit
  Cabac cabac(out, kInitial, slice.qp);
  cabac.start();
  const int columns = (frame.width + 15) / 16, rows = (frame.height + 15) / 16;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      // Neighbours are neither skipped nor of type I_NxN.
      const size_t neighbours = size_t{x > 0} + size_t{y > 0};
      if (slice.isIntra) {
        cabac.encode(kIntraType + neighbours, true);
      } else {
        cabac.encode(kSkip + neighbours, false);
        cabac.encode(kType, true);
        cabac.encode(kIntraTypeInP, true);
      }
      cabac.terminate(true);
      out.align();
      writePcmSamples(out, frame, 16 * x, 16 * y);
      cabac.start();
      cabac.terminate(x + 1 == columns && y + 1 == rows);
    }
  }
  out.align();
  appendUnit(stream, out.bytes());
}

}  // namespace substitute
