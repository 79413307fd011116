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

// Repeats frames of an AV1 stream. The encoder codes the frame of a still span a few times, up to one that
// its mini-GOP is predicted from; after it, show_existing_frame shows the same frame again. That does not
// change a decoder's state, so everything that follows stays valid. Used by one thread.
class ShowExistingInserter {
 public:
  // `displayIndex` is also the index of the temporal unit. `data` is valid during the call of the sink only.
  struct TemporalUnit {
    std::span<const uint8_t> data;
    int64_t displayIndex = 0;
    bool isIdr = false;  // a key frame
  };
  using Sink = std::function<Status(const TemporalUnit&)>;

  ShowExistingInserter(const av1::SequenceHeader& sequence, Sink sink);

  // The encoder's frames from `first` to `last` are equal and are repeated for `count` more frames. With a
  // `keyInterval`, which exceeds their number, `first` is a key frame and all of them are sent again at that
  // interval. Call it before the encoder outputs `first`. Returns the position of the last key frame relative
  // to `first`.
  int64_t insertAfter(int64_t first, int64_t last, int64_t count, int64_t keyInterval);
  // Takes the encoder's next temporal unit; `displayIndex` counts the encoder's own frames. Fails with
  // ENCODE_FAILED when the stream breaks the requirements above, or as the sink fails.
  Status push(std::span<const uint8_t> data, int64_t displayIndex, bool isKey);

 private:
  struct Insertion {
    int64_t first = 0, last = 0, count = 0, keyInterval = 0;
    int64_t group() const { return last - first + 1; }
  };
  struct ReferenceSlot {
    av1::FrameHeader header;
    int64_t unit = -1;  // temporal unit that stored the frame
  };
  struct SentUnit {
    std::vector<uint8_t> data;
    bool isKey = false;
  };

  Status updateSlots(std::span<const uint8_t> data);
  std::optional<int> findSlot(const Insertion& insertion) const;
  Status insertRepeats(const Insertion& insertion);
  Status emit(std::span<const uint8_t> data, bool isKey);

  const av1::SequenceHeader sequence_;
  const Sink sink_;
  std::deque<Insertion> insertions_;  // not completed yet
  std::array<ReferenceSlot, av1::kRefSlots> slots_;
  std::vector<SentUnit> group_;  // units of the current span, to be sent again
  uint32_t shownOrderHint_ = 0;  // of the frame shown by the last unit
  int64_t pushedCount_ = 0, emittedCount_ = 0;
};

}  // namespace framewright
