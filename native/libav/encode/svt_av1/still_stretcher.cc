#include "libav/encode/svt_av1/still_stretcher.h"

#include <utility>

namespace framewright {
namespace {

Error unexpected(const char* what) {
  return {ErrorCode::ENCODE_FAILED, "a still span cannot be written", what};
}

}  // namespace

Av1StillStretcher::Av1StillStretcher(const av1::SequenceHeader& sequence, Sink sink)
    : sequence_(sequence), sink_(std::move(sink)) {}

int64_t Av1StillStretcher::stretch(int64_t first, int64_t last, int64_t extra, int64_t keyInterval) {
  stretches_.push_back({first, last, extra, keyInterval});
  return keyInterval == 0 ? 0 : extra / keyInterval * keyInterval;
}

Status Av1StillStretcher::take(std::span<const uint8_t> data, int64_t shown, bool isKey) {
  if (shown != taken_) return unexpected("a picture comes out of turn");
  FW_RETURN_IF_ERROR(keep(data));
  ++taken_;
  FW_RETURN_IF_ERROR(give(data, isKey));
  if (stretches_.empty() || stretches_.front().first > shown) return {};
  const Stretch stretch = stretches_.front();
  if (stretch.keyInterval > 0) {
    if (isKey != (shown == stretch.first)) return unexpected("a key frame is not where it was asked for");
    group_.push_back({{data.begin(), data.end()}, isKey});
  }
  if (shown < stretch.last) return {};
  stretches_.pop_front();
  FW_RETURN_IF_ERROR(addRepeats(stretch));
  group_.clear();
  return {};
}

// Which frames a decoder keeps where after this unit (clauses 7.20 and 7.21).
Status Av1StillStretcher::keep(std::span<const uint8_t> data) {
  const auto obus = av1::obusOf(data);
  if (!obus) return unexpected("a temporal unit is not understood");
  int shown = 0;
  for (const av1::Obu& obu : *obus) {
    if (obu.type != av1::kFrameHeader && obu.type != av1::kFrame) continue;
    const auto header = av1::readFrameHeader(obu.payload, sequence_);
    if (!header) return unexpected("a frame header is not understood");
    if (header->showsExisting) {
      const Kept& kept = slots_[static_cast<size_t>(header->slot)];
      if (kept.unit < 0 || kept.header.type == av1::kKey) return unexpected("a key frame is shown late");
      shownOrder_ = kept.header.order;
      ++shown;
      continue;
    }
    if (header->shown) {
      shownOrder_ = header->order;
      ++shown;
    }
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if ((header->refreshed >> slot & 1) != 0) slots_[slot] = {*header, taken_};
    }
  }
  return shown == 1 ? Status() : unexpected("a temporal unit does not show one frame");
}

// Where the picture is kept: its last copy, or the copy nearest before it. A copy is told by its order, which
// starts again after a while, so what came long ago does not count.
std::optional<int> Av1StillStretcher::slotOf(const Stretch& stretch) const {
  const uint32_t period = 1u << sequence_.orderBits;
  std::optional<int> best;
  int64_t bestDistance = stretch.group();
  for (int slot = 0; slot < av1::kSlots; ++slot) {
    const Kept& kept = slots_[static_cast<size_t>(slot)];
    if (kept.unit < 0 || !kept.header.showable || kept.header.type == av1::kKey) continue;
    if (taken_ - kept.unit >= period / 2) continue;
    const int64_t distance = (shownOrder_ - kept.header.order) & (period - 1);
    if (distance >= bestDistance) continue;
    best = slot;
    bestDistance = distance;
  }
  return best;
}

Status Av1StillStretcher::addRepeats(const Stretch& stretch) {
  const std::optional<int> slot = slotOf(stretch);
  if (!slot) return unexpected("the picture is not kept by decoders");
  const auto repeat = av1::showExisting(*slot);
  const int64_t group = stretch.group(), total = group + stretch.extra;
  for (int64_t i = group; i < total;) {
    // Where the key frame and what follows it still fit in.
    if (stretch.keyInterval > 0 && i % stretch.keyInterval == 0 && i + group <= total) {
      for (const Sent& sent : group_) FW_RETURN_IF_ERROR(give(sent.data, sent.isKey));
      i += group;
      continue;
    }
    FW_RETURN_IF_ERROR(give(repeat, false));
    ++i;
  }
  return {};
}

Status Av1StillStretcher::give(std::span<const uint8_t> data, bool isKey) {
  return sink_({data, given_++, isKey});
}

}  // namespace framewright
