#include "x264/still_span_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "libav/av_error.h"
#include "libav/encode/video/stretched_stream.h"

namespace framewright {
namespace {

// Frames that are looked ahead at each preset, by x264 or by `Lookahead` in its place. `ultrafast` orders its
// pictures in another way and quantises all blocks alike, so its stills are encoded as they come.
struct Preset {
  std::string_view name;
  int lookahead;
};
// Where x264's own lookahead, of 10 frames, would take nearly half of its time. Slower presets look closer
// and farther, and make more of it.
constexpr Preset kPlannedPreset{"veryfast", 12};
constexpr std::array kPresets{kPlannedPreset,       Preset{"superfast", 0}, Preset{"faster", 20},
                              Preset{"fast", 30},   Preset{"medium", 40},   Preset{"slow", 50},
                              Preset{"slower", 60}, Preset{"veryslow", 60}};

// A span of this many frames is worth the reference frame that it forces.
constexpr int64_t kShortestSpan = 8;

// What the frames behind a lone key frame would still have refined, in steps of the quantiser (fitted to what
// x264 makes of the same cards when it gets every frame).
constexpr double kLoneKeyOffset = 3;
// What a key frame within a stream is finer than one that begins it, and how much of a picture those after it
// take over: fitted to photos that come nearer, encoded in one go. As fine as there would be 4 for the first,
// but scenes of 2 s then make files that are 7 % larger than one stream.
constexpr double kFirstPictureOffset = 3;
constexpr double kInherited = 0.5;

const Preset* findPreset(std::string_view name) {
  const auto found =
      std::find_if(kPresets.begin(), kPresets.end(), [&](const Preset& p) { return p.name == name; });
  return found == kPresets.end() ? nullptr : &*found;
}

}  // namespace

bool StillSpanEncoder::suits(const VideoEncoderSettings& settings) {
  return settings.encoder == "libx264" && settings.stillKeyframeInterval > 0 && settings.crf > 0 &&
         findPreset(settings.preset) != nullptr;
}

StillSpanEncoder::StillSpanEncoder(const VideoEncoderSettings& settings)
    : settings_(settings), treeDepth_(findPreset(settings.preset)->lookahead) {
  if (settings.preset == kPlannedPreset.name)
    planner_.emplace(LookaheadSettings{settings.keyframeInterval, treeDepth_});
}

Status StillSpanEncoder::open(const VideoEncoderSettings& settings, const std::string& path) {
  VideoEncoderSettings own = settings;
  own.arePicturesPlanned = planner_.has_value();
  FW_RETURN_IF_ERROR(LibavVideoEncoder::open(own, path));
  packet_.reset(av_packet_alloc());
  if (packet_ == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "encoder", AVERROR(ENOMEM));
  const auto headers =
      h264::readStreamHeaders({context_->extradata, static_cast<size_t>(context_->extradata_size)});
  if (!headers || !headers->canBeStretched()) return {};
  oneReference_ = headers->listLength == 1;
  stretcher_.emplace(*headers, [this](const StillStretcher::Unit& unit) { return write(unit); });
  return {};
}

Status StillSpanEncoder::encode(ShownPicture picture) {
  if (waiting_) FW_RETURN_IF_ERROR(submit(*waiting_, picture.frames >= kShortestSpan));
  waiting_ = std::move(picture);
  return {};
}

Result<int64_t> StillSpanEncoder::finish() {
  isLast_ = true;
  if (waiting_) FW_RETURN_IF_ERROR(submit(*waiting_, false));
  waiting_.reset();
  if (planner_) planner_->end();
  FW_RETURN_IF_ERROR(sendPlanned());
  return LibavVideoEncoder::finish();
}

// With several references pictures behind a span could refer to what was before it, so that a key frame has
// to follow: worth its bytes only where one is due anyway.
bool StillSpanEncoder::isSpan(const ShownPicture& picture) const {
  if (!stretcher_) return false;
  const bool free = oneReference_ || isLast_;
  return picture.frames >= std::max<int64_t>(kShortestSpan, free ? 0 : settings_.keyframeInterval);
}

Status StillSpanEncoder::submit(const ShownPicture& picture, bool spanFollows) {
  if (isSpan(picture)) return submitSpan(picture);
  for (int64_t i = 0; i < picture.frames; ++i) {
    // The picture before a span is a reference, so that no other comes out after the span has begun.
    const bool last = spanFollows && i + 1 == picture.frames;
    FW_RETURN_IF_ERROR(submitFrame(
        picture.image, last ? std::optional(PictureKind::kReference) : std::nullopt, seamQuality()));
    ++shown_;
  }
  return {};
}

Status StillSpanEncoder::submitSpan(const ShownPicture& span) {
  const int64_t interval = settings_.stillKeyframeInterval;
  const int64_t end = shown_ + span.frames;
  bool key = shown_ == 0 || keyNext_ || shown_ - lastKey_ >= interval;
  while (shown_ < end) {
    // A picture that is no key frame holds until one is due; from then on the key frame itself is repeated.
    const int64_t frames = key ? end - shown_ : std::min(end - shown_, interval - (shown_ - lastKey_));
    const int64_t lastKey = key ? shown_ + std::max<int64_t>(0, frames - 2) / interval * interval : lastKey_;
    const bool keyFollows = !oneReference_ || end - lastKey >= settings_.keyframeInterval;
    if (frames > 1) stretcher_->stretch(nextPts_, frames - 1, key ? interval : 0);
    const double quality = spanQuality(frames, keyFollows ? 0 : span.changesFollow, key);
    FW_RETURN_IF_ERROR(submitFrame(span.image, key ? PictureKind::kKey : PictureKind::kReference, quality));
    shown_ += frames;
    lastKey_ = lastKey;
    keyNext_ = keyFollows;
    key = shown_ < end;
  }
  return {};
}

// x264 codes a picture the better the more of the pictures that it looks ahead to are made from it. It looks
// past this one to those behind the span; what the span's own frames would have added comes from here.
double StillSpanEncoder::spanQuality(int64_t frames, int64_t changesFollow, bool isKey) const {
  return treeQuality(frames + changesFollow) - treeQuality(changesFollow) +
         (isKey && changesFollow == 0 ? kLoneKeyOffset : 0);
}

// What x264 makes a picture finer by, in steps of the quantiser, when `count` others are made from it.
double StillSpanEncoder::treeQuality(int64_t count) const {
  return 2 * std::log2(1 + static_cast<double>(std::min<int64_t>(count, treeDepth_)));
}

// A stream that is encoded in one go is better on both sides of a key frame that is due than one that is
// joined there: the key frame is as fine as the pictures before it allow, and those are still coded for all
// that x264 sees ahead, whereas here it sees ever less and would let them go dull.
double StillSpanEncoder::seamQuality() const {
  if (treeDepth_ == 0) return 0;
  if (shown_ == 0) return settings_.followsTransition ? 0 : kFirstPictureOffset;
  if (settings_.goesOnAfter == 0) return 0;
  return kInherited * (treeQuality(treeDepth_) - treeQuality(settings_.goesOnAfter - shown_ - 1));
}

Status StillSpanEncoder::submitFrame(const ImagePtr& image, std::optional<PictureKind> kind, double quality) {
  if (keyNext_) kind = PictureKind::kKey;
  keyNext_ = false;
  if (kind == PictureKind::kKey) lastKey_ = shown_;
  FW_ASSIGN_OR_RETURN(FramePtr frame, input_.frame(image, nextPts_++));
  if (planner_) {
    planner_->push(std::move(frame), kind, quality);
    return sendPlanned();
  }
  if (kind) frame->pict_type = pictureType(*kind);
  if (quality > 0) FW_RETURN_IF_ERROR(setQuality(*frame, quality));
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
  if (!stretcher_) return LibavVideoEncoder::send(frame);
  return encodeInto(*stretcher_, *context_, frame, *packet_);
}

Status StillSpanEncoder::write(const StillStretcher::Unit& unit) {
  FW_ASSIGN_OR_RETURN(const PacketPtr packet, shownPacket(unit.data, unit.shown, unit.isKey));
  packet->dts = unit.decoded - context_->has_b_frames;
  return writer_.write(*packet);
}

}  // namespace framewright
