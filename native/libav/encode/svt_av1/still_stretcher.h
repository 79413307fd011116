#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bitstream/av1/headers.h"
#include "core/result.h"

namespace framewright {

// Lengthens pictures of an AV1 stream. The encoder sees a picture that stays a few times, up to one that the
// others of its group are predicted from; after that one the decoder is told to show the same frame again.
// That changes nothing in a decoder, so all that follows stays as it is. Used by one thread.
class Av1StillStretcher {
 public:
  // `shown`: position in the order of showing, which is also that of temporal units.
  struct Unit {
    std::span<const uint8_t> data;
    int64_t shown = 0;
    bool isKey = false;
  };
  using Sink = std::function<Status(const Unit&)>;

  Av1StillStretcher(const av1::SequenceHeader& sequence, Sink sink);

  // The pictures that the encoder shows from `first` to `last` are the same one, which stays for `extra` more
  // frames. With a `keyInterval`, longer than these pictures, `first` is a key frame, and all of them are
  // sent again every so many frames. To be called before the first of them comes out of the encoder. Where
  // the last key frame is, counted from `first`.
  int64_t stretch(int64_t first, int64_t last, int64_t extra, int64_t keyInterval);
  // The next temporal unit out of the encoder, `shown` counted in its own frames. Fails with ENCODE_FAILED
  // when the stream is not as it has to be.
  Status take(std::span<const uint8_t> data, int64_t shown, bool isKey);

 private:
  struct Stretch {
    int64_t first = 0, last = 0, extra = 0, keyInterval = 0;
    int64_t group() const { return last - first + 1; }
  };
  struct Kept {
    av1::FrameHeader header;
    int64_t unit = -1;  // in which it came
  };
  struct Sent {
    std::vector<uint8_t> data;
    bool isKey = false;
  };

  Status keep(std::span<const uint8_t> data);
  std::optional<int> slotOf(const Stretch& stretch) const;
  Status addRepeats(const Stretch& stretch);
  Status give(std::span<const uint8_t> data, bool isKey);

  const av1::SequenceHeader sequence_;
  const Sink sink_;
  std::deque<Stretch> stretches_;  // still to come
  std::array<Kept, av1::kSlots> slots_;
  uint32_t shownOrder_ = 0;  // of the frame that the last unit shows
  std::vector<Sent> group_;
  int64_t taken_ = 0, given_ = 0;
};

}  // namespace framewright
