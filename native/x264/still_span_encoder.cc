#include "x264/still_span_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "libav/av_error.h"
#include "libav/encode/video/access_units.h"

namespace framewright::x264 {
namespace {

// Lookahead of each preset in frames. `ultrafast` is missing: it uses another frame order and no adaptive
// quantisation, so its still spans are encoded frame by frame.
struct Preset {
  std::string_view name;
  int lookaheadFrames;
};
constexpr std::array kPresets{Preset{"superfast", 0}, Preset{"veryfast", 10}, Preset{"faster", 20},
                              Preset{"fast", 30},     Preset{"medium", 40},   Preset{"slow", 50},
                              Preset{"slower", 60},   Preset{"veryslow", 60}};
// The one preset whose lookahead is replaced, for drawn frames: x264's own takes nearly half of its time.
// Slower presets search better and further, and profit more from x264's own; so does footage, at every
// preset.
constexpr Preset kPlannedPreset{"veryfast", 12};

bool isPlanned(const VideoEncoderSettings& settings) {
  return settings.preset == kPlannedPreset.name && !settings.showsFootage;
}

// Spans shorter than this are not worth the reference frame they force.
constexpr int64_t kMinSpanFrames = 8;

// What the frames behind an isolated IDR frame would have refined (fitted to x264's output for the same title
// cards when it receives every frame).
constexpr double kLoneIdrQpOffset = -3;
// QP offset of an IDR frame inside a stream relative to one that starts it, and the share of that quality the
// frames after it inherit (fitted to zooming photos encoded in one go). -4 would match the first IDR frame,
// but makes files from 2 s scenes 7 % larger than a single stream.
constexpr double kFirstFrameQpOffset = -3;
constexpr double kInheritedShare = 0.5;

const Preset* findPreset(std::string_view name) {
  const auto found =
      std::find_if(kPresets.begin(), kPresets.end(), [&](const Preset& p) { return p.name == name; });
  return found == kPresets.end() ? nullptr : &*found;
}

int lookaheadFramesOf(const VideoEncoderSettings& settings) {
  if (isPlanned(settings)) return kPlannedPreset.lookaheadFrames;
  if (settings.matchesVeryfast) return footageLookaheadFrames(settings.width, settings.height);
  return findPreset(settings.preset)->lookaheadFrames;
}

}  // namespace

bool StillSpanEncoder::supports(const VideoEncoderSettings& settings) {
  return settings.encoder == "libx264" && settings.stillKeyframeInterval > 0 && settings.crf > 0 &&
         findPreset(settings.preset) != nullptr;
}

StillSpanEncoder::StillSpanEncoder(const VideoEncoderSettings& settings)
    : settings_(settings), lookaheadFrames_(lookaheadFramesOf(settings)) {
  if (isPlanned(settings)) planner_.emplace(LookaheadSettings{settings.keyframeInterval, lookaheadFrames_});
}

Status StillSpanEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  VideoEncoderSettings own = settings;
  own.hasExternalLookahead = planner_.has_value();
  FW_RETURN_IF_ERROR(LibavVideoEncoder::open(own, path));
  const auto headers =
      h264::readStreamHeaders({context_->extradata, static_cast<size_t>(context_->extradata_size)});
  if (!headers || !headers->supportsSkipFrames()) return {};
  hasSingleReference_ = headers->refCountL0 == 1;
  inserter_.emplace(*headers, [this](const SkipFrameInserter::AccessUnit& unit) { return write(unit); });
  return {};
}

Status StillSpanEncoder::encode(VideoFrame frame) {
  if (pending_) FW_RETURN_IF_ERROR(submit(*pending_, frame.frames >= kMinSpanFrames));
  pending_ = std::move(frame);
  return {};
}

Result<int64_t> StillSpanEncoder::finish() {
  isLast_ = true;
  if (pending_) FW_RETURN_IF_ERROR(submit(*pending_, false));
  pending_.reset();
  if (planner_) planner_->end();
  FW_RETURN_IF_ERROR(sendPlanned());
  return LibavVideoEncoder::finish();
}

// With several references, frames after a span could refer to frames before it, so an IDR frame has to follow
// the span; that is worth its bytes only where one is due anyway.
bool StillSpanEncoder::isSpan(const VideoFrame& frame) const {
  if (!inserter_) return false;
  const bool needsNoIdr = hasSingleReference_ || isLast_;
  return frame.frames >= std::max<int64_t>(kMinSpanFrames, needsNoIdr ? 0 : settings_.keyframeInterval);
}

Status StillSpanEncoder::submit(const VideoFrame& frame, bool spanFollows) {
  if (isSpan(frame)) return submitSpan(frame);
  for (int64_t i = 0; i < frame.frames; ++i) {
    // A P-frame before the span keeps earlier frames from being output after the span has begun.
    const bool isLastBeforeSpan = spanFollows && i + 1 == frame.frames;
    FW_RETURN_IF_ERROR(submitFrame(
        frame.image, isLastBeforeSpan ? std::optional(FrameType::kP) : std::nullopt, seamQpOffset()));
    ++submittedFrames_;
  }
  return {};
}

Status StillSpanEncoder::submitSpan(const VideoFrame& span) {
  const int64_t interval = settings_.stillKeyframeInterval;
  const int64_t end = submittedFrames_ + span.frames;
  bool isIdr = submittedFrames_ == 0 || isIdrForced_ || submittedFrames_ - lastIdr_ >= interval;
  while (submittedFrames_ < end) {
    // A P-frame is repeated until an IDR frame is due; from then on the IDR frame itself is repeated.
    const int64_t remaining = end - submittedFrames_;
    const int64_t frames = isIdr ? remaining : std::min(remaining, interval - (submittedFrames_ - lastIdr_));
    const int64_t lastIdr =
        isIdr ? submittedFrames_ + std::max<int64_t>(0, frames - 2) / interval * interval : lastIdr_;
    const bool isIdrNext = !hasSingleReference_ || end - lastIdr >= settings_.keyframeInterval;
    if (frames > 1) inserter_->insertAfter(nextPts_, frames - 1, isIdr ? interval : 0);
    const double qpOffset = spanQpOffset(frames, isIdrNext ? 0 : span.changesAhead, isIdr);
    FW_RETURN_IF_ERROR(submitFrame(span.image, isIdr ? FrameType::kIdr : FrameType::kP, qpOffset));
    submittedFrames_ += frames;
    lastIdr_ = lastIdr;
    isIdrForced_ = isIdrNext;
    isIdr = submittedFrames_ < end;
  }
  return {};
}

// x264 lowers the QP of a frame by how many frames of its lookahead depend on it. It sees this frame followed
// directly by the frames behind the span; the offset adds what the span's own frames would have contributed.
double StillSpanEncoder::spanQpOffset(int64_t frames, int64_t changesAhead, bool isIdr) const {
  return mbtreeQpOffset(frames + changesAhead) - mbtreeQpOffset(changesAhead) +
         (isIdr && changesAhead == 0 ? kLoneIdrQpOffset : 0);
}

// The offset that x264's macroblock tree gives a frame which that many others copy unchanged.
double StillSpanEncoder::mbtreeQpOffset(int64_t dependentFrames) const {
  return -2 * std::log2(1 + static_cast<double>(std::min<int64_t>(dependentFrames, lookaheadFrames_)));
}

// Compensates for encoding segments apart. In a single stream the IDR frame at a segment boundary benefits
// from the frames before it, and those are coded for everything in the lookahead, whereas at the end of a
// segment the lookahead runs out of frames and x264 would lower their quality.
double StillSpanEncoder::seamQpOffset() const {
  if (lookaheadFrames_ == 0) return 0;
  if (submittedFrames_ == 0) return settings_.followsTransition ? 0 : kFirstFrameQpOffset;
  if (settings_.continuesAfter == 0) return 0;
  return kInheritedShare *
         (mbtreeQpOffset(lookaheadFrames_) - mbtreeQpOffset(settings_.continuesAfter - submittedFrames_ - 1));
}

Status StillSpanEncoder::submitFrame(const ImagePtr& image, std::optional<FrameType> type, double qpOffset) {
  if (isIdrForced_) type = FrameType::kIdr;
  isIdrForced_ = false;
  if (type == FrameType::kIdr) lastIdr_ = submittedFrames_;
  FW_ASSIGN_OR_RETURN(FramePtr frame, input_.frame(image, nextPts_++));
  if (planner_) {
    planner_->push(std::move(frame), type, qpOffset);
    return sendPlanned();
  }
  if (type) frame->pict_type = pictTypeOf(*type);
  if (qpOffset < 0) FW_RETURN_IF_ERROR(setQpOffsets(*frame, qpOffset));
  return send(frame.get());
}

Status StillSpanEncoder::sendPlanned() {
  while (planner_) {
    FW_ASSIGN_OR_RETURN(const FramePtr frame, planner_->next());
    if (frame == nullptr) break;
    FW_RETURN_IF_ERROR(send(frame.get()));
  }
  return {};
}

Status StillSpanEncoder::send(const AVFrame* frame) {
  if (!inserter_) return LibavVideoEncoder::send(frame);
  return encodeThrough(*inserter_, *context_, frame);
}

Status StillSpanEncoder::write(const SkipFrameInserter::AccessUnit& unit) {
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, framePacket(unit.data, unit.displayIndex, unit.isIdr));
  packet->dts = unit.decodeIndex - context_->has_b_frames;
  return writer_.write(*packet);
}

}  // namespace framewright::x264
