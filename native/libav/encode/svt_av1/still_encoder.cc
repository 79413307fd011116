#include "libav/encode/svt_av1/still_encoder.h"

#include <algorithm>

#include "libav/av_error.h"
#include "libav/encode/video/stretched_stream.h"

namespace framewright {
namespace {

// SVT-AV1 predicts from the pictures of these numbers, counted from the key frame, all that is between them.
constexpr int64_t kPredictionGroup = 16;

// Fewer frames than this are encoded as they come.
constexpr int64_t kFewestSaved = 8;

}  // namespace

bool Av1StillEncoder::suits(const VideoEncoderSettings& settings) {
  return settings.keyframeInterval > kPredictionGroup &&
         settings.stillKeyframeInterval >= settings.keyframeInterval;
}

Status Av1StillEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  FW_RETURN_IF_ERROR(LibavVideoEncoder::open(settings, path));
  packet_.reset(av_packet_alloc());
  if (packet_ == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "encoder", AVERROR(ENOMEM));
  const auto sequence =
      av1::readSequenceHeader({context_->extradata, static_cast<size_t>(context_->extradata_size)});
  if (!sequence) return {};
  stretcher_.emplace(*sequence, [this](const Av1StillStretcher::Unit& unit) { return write(unit); });
  return {};
}

Status Av1StillEncoder::encode(ShownPicture picture) {
  if (!stretcher_) return LibavVideoEncoder::encode(std::move(picture));
  const int64_t end = shown_ + picture.frames;
  while (shown_ < end) {
    if (const auto beginning = beginningOf(end - shown_)) {
      FW_RETURN_IF_ERROR(submitSpan(picture.image, *beginning));
    } else {
      FW_RETURN_IF_ERROR(submitFrame(picture.image, keyIsDue()));
      ++shown_;
    }
  }
  return {};
}

bool Av1StillEncoder::keyIsDue() const {
  return shown_ == 0 || shown_ - lastKey_ >= settings_.keyframeInterval;
}

// Nothing where it would not be worth while.
std::optional<Av1StillEncoder::Beginning> Av1StillEncoder::beginningOf(int64_t frames) const {
  Beginning beginning{keyIsDue(), kPredictionGroup + 1, frames};
  const int64_t sinceKey = nextPts_ - groupStart_;
  const int64_t toBase = (kPredictionGroup - sinceKey % kPredictionGroup) % kPredictionGroup;
  // The encoder's own key frame would come in between.
  if (sinceKey + toBase >= settings_.keyframeInterval) beginning.isKey = true;
  if (!beginning.isKey) {
    beginning.copies = toBase + 1;
    beginning.frames = std::min(frames, settings_.stillKeyframeInterval - (shown_ - lastKey_));
  }
  if (beginning.frames < beginning.copies + kFewestSaved) return std::nullopt;
  return beginning;
}

Status Av1StillEncoder::submitSpan(const ImagePtr& image, const Beginning& beginning) {
  const auto& [isKey, copies, frames] = beginning;
  const int64_t interval = isKey ? settings_.stillKeyframeInterval : 0;
  const int64_t lastKey = stretcher_->stretch(nextPts_, nextPts_ + copies - 1, frames - copies, interval);
  for (int64_t i = 0; i < copies; ++i) FW_RETURN_IF_ERROR(submitFrame(image, isKey && i == 0));
  if (isKey) lastKey_ = shown_ + lastKey;
  shown_ += frames;
  return {};
}

Status Av1StillEncoder::submitFrame(const ImagePtr& image, bool isKey) {
  if (isKey) {
    lastKey_ = shown_;
    groupStart_ = nextPts_;
  }
  FW_ASSIGN_OR_RETURN(const FramePtr frame, input_.frame(image, nextPts_++));
  if (isKey) frame->pict_type = AV_PICTURE_TYPE_I;
  return send(frame.get());
}

Status Av1StillEncoder::send(const AVFrame* frame) {
  if (!stretcher_) return LibavVideoEncoder::send(frame);
  return encodeInto(*stretcher_, *context_, frame, *packet_);
}

Status Av1StillEncoder::write(const Av1StillStretcher::Unit& unit) {
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, shownPacket(unit.data, unit.shown, unit.isKey));
  return writer_.write(*packet);
}

}  // namespace framewright
