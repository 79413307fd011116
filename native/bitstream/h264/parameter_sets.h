#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bitstream/h264/headers.h"
#include "core/result.h"

namespace framewright::h264 {

// A sequence and a picture parameter set (NAL units without start codes) that belong to each other.
struct SetPair {
  Bytes sequence, picture;
  bool operator==(const SetPair&) const = default;
};

// The only pair in an avcC box, and how long the lengths before its stream's units are. Nothing when there
// are several sets, or when they are of a kind that cannot be copied.
struct SourceSets {
  SetPair pair;
  StreamHeaders headers;
  int lengthBytes = 4;
};
std::optional<SourceSets> readSourceSets(std::span<const uint8_t> avcC);

// The parameter sets of a film some of whose pictures come from other encoders. All of them lie beside the
// pictures, where every player looks, and none between them: the encoder's own pair has the ids 0, those of
// others 1 and up. A picture names its pair, and a key frame is where another may begin to count.
class ParameterSets {
 public:
  // Ids that the pairs of a part have here, by its own ids.
  using Ids = std::vector<int>;

  // Those of a part, as packet files have them (Annex B, the encoder's own first). Nothing when the encoder's
  // own differ from those of the parts before, or when there are too many.
  std::optional<Ids> add(std::span<const uint8_t> extradata);
  // Of another encoder; its id.
  std::optional<int> add(const SetPair& pair);

  bool hasForeign() const { return !foreign_.empty(); }
  // As packet files have them.
  Bytes extradata() const;
  // As a film has them: every key frame may be the last that a decoder sees of one encoder, so all sets
  // promise the same about colours, times, order and room, and the highest of the levels. Otherwise a decoder
  // could let go of pictures that it has not shown yet. Nothing when the encoder's own sets are not
  // understood.
  std::optional<Bytes> ofFilm(int reordered) const;

  // A packet whose pictures name ids of their part (Annex B), with those that they have here. False when it
  // is not understood.
  bool renumber(std::span<const uint8_t> packet, const Ids& ids, Bytes& renumbered) const;

 private:
  Bytes own_;
  std::vector<SetPair> foreign_;  // with their ids here
};

// Most pictures that a decoder of this level keeps at this size.
int mostKeptPictures(int level, int macroblocks);

}  // namespace framewright::h264
