#include "libav/encode/video/svt_av1/show_existing_inserter.h"

#include <utility>

namespace framewright {
namespace {

Error unsupportedStream(const char* detail) {
  return {ErrorCode::ENCODE_FAILED, "cannot repeat frames of the encoder's stream", detail};
}

}  // namespace

ShowExistingInserter::ShowExistingInserter(const av1::SequenceHeader& sequence, Sink sink)
    : sequence_(sequence), sink_(std::move(sink)) {}

int64_t ShowExistingInserter::insertAfter(int64_t first, int64_t last, int64_t count, int64_t keyInterval) {
  insertions_.push_back({first, last, count, keyInterval});
  return keyInterval == 0 ? 0 : count / keyInterval * keyInterval;
}

Status ShowExistingInserter::push(std::span<const uint8_t> data, int64_t displayIndex, bool isKey) {
  if (displayIndex != pushedCount_) return unsupportedStream("a temporal unit is out of order");
  FW_RETURN_IF_ERROR(updateSlots(data));
  ++pushedCount_;
  FW_RETURN_IF_ERROR(emit(data, isKey));
  if (insertions_.empty() || insertions_.front().first > displayIndex) return {};
  const Insertion insertion = insertions_.front();
  if (insertion.keyInterval > 0) {
    if (isKey != (displayIndex == insertion.first))
      return unsupportedStream("a key frame is not where it was requested");
    group_.push_back({{data.begin(), data.end()}, isKey});
  }
  if (displayIndex < insertion.last) return {};
  insertions_.pop_front();
  FW_RETURN_IF_ERROR(insertRepeats(insertion));
  group_.clear();
  return {};
}

// The reference frame update and loading processes (clauses 7.20 and 7.21).
Status ShowExistingInserter::updateSlots(std::span<const uint8_t> data) {
  const auto obus = av1::splitObus(data);
  if (!obus) return unsupportedStream("a temporal unit cannot be parsed");
  int shownCount = 0;
  for (const av1::Obu& obu : *obus) {
    if (obu.type != av1::kFrameHeader && obu.type != av1::kFrame) continue;
    const auto header = av1::readFrameHeader(obu.payload, sequence_);
    if (!header) return unsupportedStream("a frame header cannot be parsed");
    if (header->showExistingFrame) {
      const ReferenceSlot& slot = slots_[static_cast<size_t>(header->frameToShow)];
      if (slot.unit < 0 || slot.header.type == av1::kKey)
        return unsupportedStream("show_existing_frame shows a key frame or an empty slot");
      shownOrderHint_ = slot.header.orderHint;
      ++shownCount;
      continue;
    }
    if (header->showFrame) {
      shownOrderHint_ = header->orderHint;
      ++shownCount;
    }
    for (size_t i = 0; i < slots_.size(); ++i) {
      if ((header->refreshFrameFlags >> i & 1) != 0) slots_[i] = {*header, pushedCount_};
    }
  }
  return shownCount == 1 ? Status() : unsupportedStream("a temporal unit does not show exactly one frame");
}

// The slot of the still frame: its last copy, or the nearest copy before it. Copies are identified by their
// order hint, which wraps around, so old frames do not count.
std::optional<int> ShowExistingInserter::findSlot(const Insertion& insertion) const {
  const uint32_t period = 1u << sequence_.orderHintBits;
  std::optional<int> best;
  int64_t bestDistance = insertion.group();
  for (int i = 0; i < av1::kRefSlots; ++i) {
    const ReferenceSlot& slot = slots_[static_cast<size_t>(i)];
    if (slot.unit < 0 || !slot.header.showableFrame || slot.header.type == av1::kKey) continue;
    if (pushedCount_ - slot.unit >= period / 2) continue;
    const int64_t distance = (shownOrderHint_ - slot.header.orderHint) & (period - 1);
    if (distance >= bestDistance) continue;
    best = i;
    bestDistance = distance;
  }
  return best;
}

Status ShowExistingInserter::insertRepeats(const Insertion& insertion) {
  const std::optional<int> slot = findSlot(insertion);
  if (!slot) return unsupportedStream("no reference slot stores the still frame");
  const auto repeat = av1::showExistingFrame(*slot);
  const int64_t group = insertion.group(), total = group + insertion.count;
  for (int64_t i = group; i < total;) {
    // The key frame and the frames after it are sent again where they still fit.
    if (insertion.keyInterval > 0 && i % insertion.keyInterval == 0 && i + group <= total) {
      for (const SentUnit& unit : group_) FW_RETURN_IF_ERROR(emit(unit.data, unit.isKey));
      i += group;
      continue;
    }
    FW_RETURN_IF_ERROR(emit(repeat, false));
    ++i;
  }
  return {};
}

Status ShowExistingInserter::emit(std::span<const uint8_t> data, bool isKey) {
  return sink_({data, emittedCount_++, isKey});
}

}  // namespace framewright
