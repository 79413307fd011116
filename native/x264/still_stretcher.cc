#include "x264/still_stretcher.h"

#include <algorithm>
#include <utility>

namespace framewright {
namespace {

Error unexpected(const char* what) {
  return {ErrorCode::ENCODE_FAILED, "a still span cannot be written", what};
}

// Without what a stream says only once, such as the encoder's account of itself.
h264::Bytes slicesOf(std::span<const uint8_t> data) {
  h264::Bytes slices;
  for (const auto unit : h264::unitsOf(data)) {
    if (h264::typeOf(unit) != h264::kIdrSlice) continue;
    slices.insert(slices.end(), {0, 0, 0, 1});
    slices.insert(slices.end(), unit.begin(), unit.end());
  }
  return slices;
}

uint32_t wrapped(uint32_t value, int bits) { return value & ((1u << bits) - 1); }

}  // namespace

StillStretcher::StillStretcher(const h264::StreamHeaders& headers, Sink sink)
    : headers_(headers), skipPictures_(headers), sink_(std::move(sink)) {}

void StillStretcher::stretch(int64_t shown, int64_t extra, int64_t keyInterval) {
  stretches_.push_back({shown, extra, keyInterval});
}

Status StillStretcher::take(std::span<const uint8_t> data, int64_t shown, bool isKey) {
  if (isKey) {
    frameNumShift_ = orderShift_ = 0;
    lastSkip_ = -1;
  }
  FW_ASSIGN_OR_RETURN(const h264::SliceHeader first, moveOn(data));
  if (first.isIdr != isKey) return unexpected("a key frame is no IDR frame");
  const std::span<const uint8_t> unit = moved_.empty() ? data : std::span<const uint8_t>(moved_);
  ++taken_;
  FW_RETURN_IF_ERROR(give(unit, shown + added_, isKey));
  if (stretches_.empty() || stretches_.front().shown > shown) return {};
  const Stretch stretch = stretches_.front();
  stretches_.pop_front();
  // All that is shown before must be decoded before, or it would come out late.
  if (stretch.shown != shown || taken_ != shown + 1) return unexpected("a picture comes out of turn");
  return addSkipPictures(stretch, unit, first);
}

// The counters of every slice by what skip pictures have added; moved_ stays empty where that is nothing.
Result<h264::SliceHeader> StillStretcher::moveOn(std::span<const uint8_t> data) {
  moved_.clear();
  std::optional<h264::SliceHeader> first;
  const bool moves = frameNumShift_ != 0 || orderShift_ != 0;
  for (const auto unit : h264::unitsOf(data)) {
    const int type = h264::typeOf(unit);
    if (type != h264::kSlice && type != h264::kIdrSlice) {
      if (moves) {
        moved_.insert(moved_.end(), {0, 0, 0, 1});
        moved_.insert(moved_.end(), unit.begin(), unit.end());
      }
      continue;
    }
    if (first && !moves) continue;
    h264::Bytes payload = h264::unescaped(unit);
    const auto slice = h264::readSliceHeader(payload, headers_);
    if (!slice) return unexpected("a slice header is not understood");
    const h264::SliceHeader to = moves ? movedOn(*slice) : *slice;
    if (moves) h264::appendEscaped(moved_, h264::withHeader(std::move(payload), *slice, to, headers_));
    if (!first) first = to;
  }
  if (!first) return unexpected("a picture has no slices");
  keepReferences(*first);
  return *first;
}

h264::SliceHeader StillStretcher::movedOn(const h264::SliceHeader& slice) const {
  h264::SliceHeader moved = slice;
  moved.frameNum = wrapped(slice.frameNum + frameNumShift_, headers_.frameNumBits);
  moved.order = wrapped(slice.order + orderShift_, headers_.orderBits);
  if (!slice.removals) return moved;
  // What the encoder removes from before the span has gone already; in its place are skip pictures, which go
  // by age when there is no more room.
  std::deque<int64_t> kept = references_;
  std::vector<uint32_t> removals;
  for (const uint32_t distance : *slice.removals) {
    const auto found = std::find(kept.begin(), kept.end(), referencesDecoded_ - distance);
    if (found == kept.end() || *found <= lastSkip_) continue;
    kept.erase(found);
    removals.push_back(distance);
  }
  moved.removals.reset();
  if (removals.empty()) return moved;
  while (static_cast<int>(kept.size()) >= headers_.references) {
    removals.push_back(static_cast<uint32_t>(referencesDecoded_ - kept.front()));
    kept.pop_front();
  }
  moved.removals = std::move(removals);
  return moved;
}

// As a decoder does after each picture (clause 8.2.5).
void StillStretcher::keepReferences(const h264::SliceHeader& slice) {
  if (!slice.isReference) return;
  if (slice.isIdr) references_.clear();
  if (slice.removals) {
    for (const uint32_t distance : *slice.removals) std::erase(references_, referencesDecoded_ - distance);
  } else if (static_cast<int>(references_.size()) >= std::max(1, headers_.references)) {
    references_.pop_front();
  }
  references_.push_back(referencesDecoded_++);
}

Status StillStretcher::addSkipPictures(const Stretch& stretch, std::span<const uint8_t> data,
                                       const h264::SliceHeader& first) {
  if (!first.isReference) return unexpected("the picture is no reference");
  h264::Bytes key;
  if (first.isIdr && stretch.keyInterval > 0 && stretch.extra >= stretch.keyInterval) key = slicesOf(data);
  const int64_t start = stretch.shown + added_;
  uint32_t frameNum = first.frameNum, order = first.order;
  h264::SliceHeader skipped;
  skipped.isReference = true;
  for (int64_t i = 1; i <= stretch.extra; ++i) {
    // Not as the last one: the next segment starts with a key frame, and two in a row must not look alike.
    if (!key.empty() && i % stretch.keyInterval == 0 && i < stretch.extra) {
      frameNum = first.frameNum;
      order = first.order;
      keepReferences(first);
      FW_RETURN_IF_ERROR(give(key, start + i, true));
      continue;
    }
    frameNum = wrapped(frameNum + 1, headers_.frameNumBits);
    order = wrapped(order + 2, headers_.orderBits);
    keepReferences(skipped);
    FW_RETURN_IF_ERROR(give(skipPictures_.make(frameNum, order), start + i, false));
  }
  added_ += stretch.extra;
  lastSkip_ = referencesDecoded_ - 1;
  // From where the encoder believes the picture to be to where the last skip picture is.
  frameNumShift_ = wrapped(frameNumShift_ + frameNum - first.frameNum, headers_.frameNumBits);
  orderShift_ = wrapped(orderShift_ + order - first.order, headers_.orderBits);
  return {};
}

Status StillStretcher::give(std::span<const uint8_t> data, int64_t shown, bool isKey) {
  return sink_({data, shown, given_++, isKey});
}

}  // namespace framewright
