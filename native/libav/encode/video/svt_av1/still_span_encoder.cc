#include "libav/encode/video/svt_av1/still_span_encoder.h"

#include <algorithm>

#include "libav/av_error.h"
#include "libav/encode/video/access_units.h"

namespace framewright {
namespace {

// Size of SVT-AV1's mini-GOPs; their last frames, counted from the key frame, predict the frames between.
constexpr int64_t kMiniGopFrames = 16;

// Spans that would save fewer frames are encoded frame by frame.
constexpr int64_t kMinSavedFrames = 8;

}  // namespace

bool Av1StillSpanEncoder::supports(const VideoEncoderSettings& settings) {
  return settings.keyframeInterval > kMiniGopFrames &&
         settings.stillKeyframeInterval >= settings.keyframeInterval;
}

Status Av1StillSpanEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  FW_RETURN_IF_ERROR(LibavVideoEncoder::open(settings, path));
  const auto sequence =
      av1::readSequenceHeader({context_->extradata, static_cast<size_t>(context_->extradata_size)});
  if (!sequence) return {};
  inserter_.emplace(*sequence,
                    [this](const ShowExistingInserter::TemporalUnit& unit) { return write(unit); });
  return {};
}

Status Av1StillSpanEncoder::encode(VideoFrame input) {
  if (!inserter_) return LibavVideoEncoder::encode(std::move(input));
  const int64_t end = submittedFrames_ + input.frames;
  while (submittedFrames_ < end) {
    if (const auto plan = planSpan(end - submittedFrames_)) {
      FW_RETURN_IF_ERROR(submitSpan(input.image, *plan));
    } else {
      FW_RETURN_IF_ERROR(submitFrame(input.image, isKeyDue()));
      ++submittedFrames_;
    }
  }
  return {};
}

bool Av1StillSpanEncoder::isKeyDue() const {
  return submittedFrames_ == 0 || submittedFrames_ - lastKey_ >= settings_.keyframeInterval;
}

// None when the span saves too few frames.
std::optional<Av1StillSpanEncoder::SpanPlan> Av1StillSpanEncoder::planSpan(int64_t frames) const {
  SpanPlan plan{isKeyDue(), kMiniGopFrames + 1, frames};
  const int64_t sinceKey = nextPts_ - lastKeyInput_;
  const int64_t toBase = (kMiniGopFrames - sinceKey % kMiniGopFrames) % kMiniGopFrames;
  // The encoder's own key frame would fall into the span.
  if (sinceKey + toBase >= settings_.keyframeInterval) plan.isKey = true;
  if (!plan.isKey) {
    plan.copies = toBase + 1;
    plan.frames = std::min(frames, settings_.stillKeyframeInterval - (submittedFrames_ - lastKey_));
  }
  if (plan.frames < plan.copies + kMinSavedFrames) return std::nullopt;
  return plan;
}

Status Av1StillSpanEncoder::submitSpan(const ImagePtr& image, const SpanPlan& plan) {
  const auto& [isKey, copies, frames] = plan;
  const int64_t interval = isKey ? settings_.stillKeyframeInterval : 0;
  const int64_t lastKey = inserter_->insertAfter(nextPts_, nextPts_ + copies - 1, frames - copies, interval);
  for (int64_t i = 0; i < copies; ++i) FW_RETURN_IF_ERROR(submitFrame(image, isKey && i == 0));
  if (isKey) lastKey_ = submittedFrames_ + lastKey;
  submittedFrames_ += frames;
  return {};
}

Status Av1StillSpanEncoder::submitFrame(const ImagePtr& image, bool isKey) {
  if (isKey) {
    lastKey_ = submittedFrames_;
    lastKeyInput_ = nextPts_;
  }
  FW_ASSIGN_OR_RETURN(const FramePtr frame, nextFrame(image));
  if (isKey) frame->pict_type = AV_PICTURE_TYPE_I;
  return send(frame.get());
}

Status Av1StillSpanEncoder::send(const AVFrame* frame) {
  if (!inserter_) return LibavVideoEncoder::send(frame);
  return encodeThrough(*inserter_, *context_, frame);
}

Status Av1StillSpanEncoder::write(const ShowExistingInserter::TemporalUnit& unit) {
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, framePacket(unit.data, unit.displayIndex, unit.isIdr));
  return writer_.write(*packet);
}

}  // namespace framewright
