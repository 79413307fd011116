#include "x264/skip_frame_inserter.h"

#include <algorithm>
#include <utility>

namespace framewright::x264 {
namespace {

Error unsupportedStream(const char* detail) {
  return {ErrorCode::ENCODE_FAILED, "cannot insert skip frames into the encoder's stream", detail};
}

// The IDR slices without the NAL units that a stream carries once, such as x264's settings SEI.
h264::Bytes idrSlicesOf(std::span<const uint8_t> data) {
  h264::Bytes slices;
  for (const auto unit : h264::splitAnnexB(data)) {
    if (h264::nalType(unit) != h264::kIdrSlice) continue;
    slices.insert(slices.end(), {0, 0, 0, 1});
    slices.insert(slices.end(), unit.begin(), unit.end());
  }
  return slices;
}

uint32_t wrap(uint32_t value, int bits) { return value & ((1u << bits) - 1); }

}  // namespace

SkipFrameInserter::SkipFrameInserter(const h264::StreamHeaders& headers, Sink sink)
    : headers_(headers), skipFrameWriter_(headers), sink_(std::move(sink)) {}

void SkipFrameInserter::insertAfter(int64_t displayIndex, int64_t count, int64_t idrInterval) {
  insertions_.push_back({displayIndex, count, idrInterval});
}

Status SkipFrameInserter::push(std::span<const uint8_t> data, int64_t displayIndex, bool isIdr) {
  if (isIdr) {
    frameNumShift_ = pocShift_ = 0;
    lastSkipFrame_ = -1;
  }
  FW_ASSIGN_OR_RETURN(const h264::SliceHeader first, rewriteCounters(data));
  if (first.isIdr != isIdr) return unsupportedStream("a key frame is not an IDR frame");
  const std::span<const uint8_t> unit = rewritten_.empty() ? data : std::span<const uint8_t>(rewritten_);
  ++pushedCount_;
  FW_RETURN_IF_ERROR(emit(unit, displayIndex + insertedCount_, isIdr));
  if (insertions_.empty() || insertions_.front().displayIndex > displayIndex) return {};
  const Insertion insertion = insertions_.front();
  insertions_.pop_front();
  // A frame displayed before the span but decoded after it would be output late.
  if (insertion.displayIndex != displayIndex || pushedCount_ != displayIndex + 1)
    return unsupportedStream("a frame before the span is decoded after it");
  return insertSkipFrames(insertion, unit, first);
}

// Advances the counters of every slice by the inserted frames; rewritten_ stays empty when nothing changes.
Result<h264::SliceHeader> SkipFrameInserter::rewriteCounters(std::span<const uint8_t> data) {
  rewritten_.clear();
  std::optional<h264::SliceHeader> first;
  const bool isShifted = frameNumShift_ != 0 || pocShift_ != 0;
  for (const auto unit : h264::splitAnnexB(data)) {
    const int type = h264::nalType(unit);
    if (type != h264::kSlice && type != h264::kIdrSlice) {
      if (isShifted) {
        rewritten_.insert(rewritten_.end(), {0, 0, 0, 1});
        rewritten_.insert(rewritten_.end(), unit.begin(), unit.end());
      }
      continue;
    }
    if (first && !isShifted) continue;
    h264::Bytes payload = h264::unescape(unit);
    const auto slice = h264::readSliceHeader(payload, headers_);
    if (!slice) return unsupportedStream("a slice header cannot be parsed");
    const h264::SliceHeader to = isShifted ? shifted(*slice) : *slice;
    if (isShifted) h264::appendNal(rewritten_, h264::withCounters(std::move(payload), *slice, to, headers_));
    if (!first) first = to;
  }
  if (!first) return unsupportedStream("an access unit has no slices");
  updateReferences(*first);
  return *first;
}

h264::SliceHeader SkipFrameInserter::shifted(const h264::SliceHeader& slice) const {
  h264::SliceHeader shifted = slice;
  shifted.frameNum = wrap(slice.frameNum + frameNumShift_, headers_.frameNumBits);
  shifted.pocLsb = wrap(slice.pocLsb + pocShift_, headers_.pocLsbBits);
  if (!slice.unmarkedReferences) return shifted;
  // References from before the span have left the buffer already. Skip frames are there instead, which leave
  // by age (sliding window).
  std::deque<int64_t> remaining = references_;
  std::vector<uint32_t> unmarked;
  for (const uint32_t distance : *slice.unmarkedReferences) {
    const auto found = std::find(remaining.begin(), remaining.end(), decodedReferenceCount_ - distance);
    if (found == remaining.end() || *found <= lastSkipFrame_) continue;
    remaining.erase(found);
    unmarked.push_back(distance);
  }
  shifted.unmarkedReferences.reset();
  if (unmarked.empty()) return shifted;
  while (static_cast<int>(remaining.size()) >= headers_.maxRefFrames) {
    unmarked.push_back(static_cast<uint32_t>(decodedReferenceCount_ - remaining.front()));
    remaining.pop_front();
  }
  shifted.unmarkedReferences = std::move(unmarked);
  return shifted;
}

// dec_ref_pic_marking() (clause 8.2.5).
void SkipFrameInserter::updateReferences(const h264::SliceHeader& slice) {
  if (!slice.isReference) return;
  if (slice.isIdr) references_.clear();
  if (slice.unmarkedReferences) {
    for (const uint32_t distance : *slice.unmarkedReferences)
      std::erase(references_, decodedReferenceCount_ - distance);
  } else if (static_cast<int>(references_.size()) >= std::max(1, headers_.maxRefFrames)) {
    references_.pop_front();
  }
  references_.push_back(decodedReferenceCount_++);
}

Status SkipFrameInserter::insertSkipFrames(const Insertion& insertion, std::span<const uint8_t> data,
                                           const h264::SliceHeader& first) {
  if (!first.isReference) return unsupportedStream("the frame to repeat is not a reference frame");
  h264::Bytes idr;
  if (first.isIdr && insertion.idrInterval > 0 && insertion.count >= insertion.idrInterval)
    idr = idrSlicesOf(data);
  const int64_t start = insertion.displayIndex + insertedCount_;
  uint32_t frameNum = first.frameNum, pocLsb = first.pocLsb;
  h264::SliceHeader skipFrame;
  skipFrame.isReference = true;
  for (int64_t i = 1; i <= insertion.count; ++i) {
    // Never as the last frame: the next segment starts with an IDR frame, and two consecutive ones must not
    // have the same idr_pic_id.
    if (!idr.empty() && i % insertion.idrInterval == 0 && i < insertion.count) {
      frameNum = first.frameNum;
      pocLsb = first.pocLsb;
      updateReferences(first);
      FW_RETURN_IF_ERROR(emit(idr, start + i, true));
      continue;
    }
    frameNum = wrap(frameNum + 1, headers_.frameNumBits);
    pocLsb = wrap(pocLsb + 2, headers_.pocLsbBits);
    updateReferences(skipFrame);
    FW_RETURN_IF_ERROR(emit(skipFrameWriter_.write(frameNum, pocLsb), start + i, false));
  }
  insertedCount_ += insertion.count;
  lastSkipFrame_ = decodedReferenceCount_ - 1;
  // The encoder continues from its own frame; the stream continues from the last skip frame.
  frameNumShift_ = wrap(frameNumShift_ + frameNum - first.frameNum, headers_.frameNumBits);
  pocShift_ = wrap(pocShift_ + pocLsb - first.pocLsb, headers_.pocLsbBits);
  return {};
}

Status SkipFrameInserter::emit(std::span<const uint8_t> data, int64_t displayIndex, bool isIdr) {
  return sink_({data, displayIndex, emittedCount_++, isIdr});
}

}  // namespace framewright::x264
