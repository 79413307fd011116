#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitstream/h264/headers.h"
#include "core/result.h"

namespace framewright::h264 {

// An SPS and a PPS that refers to it, as NAL units without start codes.
struct ParameterSetPair {
  Bytes sps, pps;
  bool operator==(const ParameterSetPair&) const = default;
};

// The contents of an avcC box (AVCDecoderConfigurationRecord).
struct AvcConfig {
  ParameterSetPair pair;
  StreamHeaders headers;
  int nalLengthBytes = 4;  // size of the length prefix of every NAL unit in the samples
};
// Parses an avcC box with exactly one SPS and one PPS; nothing for others and for streams that packet copy
// does not support.
std::optional<AvcConfig> readAvcConfig(std::span<const uint8_t> avcC);

// Collects the parameter sets of a movie that joins frames of our own encoder with frames copied from other
// files. The encoder's pair keeps id 0; copied pairs get ids from 1 on. All sets are stored in the extradata,
// where every player looks, and none in the packets.
class ParameterSets {
 public:
  // Ids in the movie of the pairs of one segment, indexed by the ids in the segment.
  using Ids = std::vector<int>;

  // Adds the parameter sets of a segment (Annex B, the encoder's own pair first). Nothing when the encoder's
  // pair differs from that of earlier segments, or when there are too many pairs.
  std::optional<Ids> add(std::span<const uint8_t> extradata);
  // Adds a pair of another encoder and returns its id; nothing when there are too many.
  std::optional<int> add(const ParameterSetPair& pair);

  bool hasCopied() const { return !copied_.empty(); }
  // All pairs in Annex B, as packet files store them.
  Bytes extradata() const;
  // All pairs in Annex B, as the movie stores them: every SPS declares the highest level and the VUI of our
  // own encoder with the reordering and buffering limits of the whole movie. Otherwise a decoder could drop
  // frames not yet output when the active SPS changes at an IDR frame. Nothing when our own SPS cannot be
  // parsed.
  std::optional<Bytes> movieExtradata(int maxReorderFrames) const;

  // Rewrites the PPS ids in the slices of a segment's packet (Annex B). False when a slice cannot be parsed.
  bool renumber(std::span<const uint8_t> packet, const Ids& ids, Bytes& renumbered) const;

 private:
  Bytes own_;
  std::vector<ParameterSetPair> copied_;  // rewritten to their ids in the movie
};

// MaxDpbFrames of a level (table A-1) for pictures of this size.
int maxDpbFrames(int level, int macroblockCount);

}  // namespace framewright::h264
