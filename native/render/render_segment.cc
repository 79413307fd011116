#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compositor/choose_compositor.h"
#include "libav/encode/video/video_encoder.h"
#include "libav/hardware/interop/choose_interop.h"
#include "render/copied_pieces.h"
#include "render/encode_stage.h"
#include "render/encoding_turn.h"
#include "render/progress_throttle.h"
#include "render/render.h"
#include "render/segment_composer.h"

namespace framewright {
namespace {

Error cancelled() { return {ErrorCode::CANCELLED, "the render was cancelled", ""}; }

Status checkRange(const Timeline& timeline, FrameRange range) {
  if (range.first >= 0 && range.first < range.end && range.end <= timeline.frames) return {};
  return Error{ErrorCode::INVALID_TIMELINE,
               "frames " + std::to_string(range.first) + " to " + std::to_string(range.end) +
                   " are not within the timeline's " + std::to_string(timeline.frames),
               ""};
}

// Whether a transition has just been shown: whatever comes, nobody sees a key frame's difference there.
bool endsTransition(const Timeline& timeline, int64_t frame) {
  return std::any_of(timeline.sections.begin(), timeline.sections.end(), [&](const Section& section) {
    const int64_t frames = section.transition ? section.transition->frames : section.ledUntil;
    return frames > 0 && section.start + frames == frame;
  });
}

// Whether the movie goes on after the frame before `end` with pictures like it.
bool continuesAfter(const Timeline& timeline, int64_t end) {
  if (endsTransition(timeline, end)) return false;
  const auto& sections = timeline.sections;
  const auto next = std::find_if(sections.begin(), sections.end(),
                                 [&](const Section& section) { return section.start >= end; });
  const Section& last = *std::prev(next);
  if (next == sections.end()) return end < timeline.frames || last.goesOn;
  return end < next->start || next->transition.has_value();
}

VideoEncoderSettings encoderSettings(const Timeline& timeline, FrameRange range) {
  VideoEncoderSettings settings;
  settings.encoder = timeline.encode.encoder;
  settings.preset = timeline.encode.preset;
  settings.crf = timeline.encode.crf;
  settings.width = timeline.width;
  settings.height = timeline.height;
  settings.fps = timeline.fps;
  const double rate = static_cast<double>(timeline.fps.num) / static_cast<double>(timeline.fps.den);
  settings.keyframeInterval =
      std::max(1, static_cast<int>(std::lround(timeline.encode.keyframeSeconds * rate)));
  const double still = timeline.encode.stillKeyframeSeconds;
  settings.stillKeyframeInterval = still <= 0 ? 0 : std::max(1, static_cast<int>(std::lround(still * rate)));
  settings.continuesAfter = continuesAfter(timeline, range.end) ? range.end - range.first : 0;
  settings.followsTransition = endsTransition(timeline, range.first);
  return settings;
}

TurnWish turnWish(const VideoEncoderSettings& settings) {
  // Of each sample of a picture, as measured with x264 at 1080p: what is drawn and looked at ahead, and what
  // a thread holds.
  constexpr int64_t kBytes = 80, kBytesOfThread = 11;
  const int64_t bytes = kBytes + kBytesOfThread * static_cast<int64_t>(std::thread::hardware_concurrency());
  const int64_t samples = int64_t{settings.width} * settings.height;
  return {bytes * samples, VideoEncoder::isHardware(settings)};
}

InteropChoice choosingFor(const Timeline& timeline, const VideoEncoderSettings& settings,
                          Compositor& compositor) {
  const std::optional<DeviceIdentity> device = compositor.device();
  if (!device || !timeline.handsOver) return {};
  return chooseInterop(settings, {*device, [&compositor](FramePlace place, int width, int height) {
                                    return compositor.createDeviceFrame(place, width, height);
                                  }});
}

Result<SegmentFacts> renderWith(std::unique_ptr<Compositor> compositor, const InteropChoice& handover,
                                const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                                const std::string& path, const ProgressSink& progress,
                                const CancelToken& cancel) {
  settings.interop = handover.interop;
  SegmentComposer composer(timeline, range, std::move(compositor), VideoEncoder::inputFormat(settings),
                           handover.place, cancel);
  auto first = composer.next();
  if (!first.ok()) return cancel.cancelled() ? cancelled() : first.error();
  FW_ASSIGN_OR_RETURN(const EncodingTurn turn, EncodingTurns::ofProcess().wait(turnWish(settings), cancel));
  ProgressThrottle throttle(progress);
  throttle.finish(0);  // tells that it is this segment's turn
  FW_ASSIGN_OR_RETURN(auto encoder, VideoEncoder::open(settings, path));
  EncodeStage stage(std::move(encoder), cancel);
  VideoFrame shown{first.take()};
  bool goesOn = true;
  for (int64_t frame = range.first + 1; goesOn && frame < range.end; ++frame) {
    if (cancel.cancelled()) return cancelled();
    auto image = composer.next();
    if (!image.ok()) return cancel.cancelled() ? cancelled() : image.error();
    if (image.value() == shown.image) {
      ++shown.frames;
      continue;
    }
    shown.changesAhead = 1 + composer.changesAhead();
    goesOn = stage.push(std::move(shown));  // if not, finish() tells the reason
    shown = {image.take()};
    throttle.report(stage.encodedFrames());
  }
  if (goesOn) stage.push(std::move(shown));
  SegmentFacts facts;
  FW_ASSIGN_OR_RETURN(facts.bytes, stage.finish());
  facts.frames = range.end - range.first;
  facts.mostAtOnce = turn.mostAtOnce();
  facts.encodedFrames = stage.encodedFrameCount();
  facts.encodeSeconds = stage.seconds();
  composer.describe(facts);
  facts.handover = handover.name;
  facts.handoverReason = handover.reason;
  throttle.finish(facts.frames);
  return facts;
}

bool isOfHandover(const Error& error) {
  return error.code == ErrorCode::ENCODE_FAILED || error.code == ErrorCode::GPU_FAILED ||
         error.code == ErrorCode::ENCODER_UNAVAILABLE || error.code == ErrorCode::OUT_OF_MEMORY;
}

// A hand-over that breaks on the way is not taken again, and the segment drawn once more without it.
Result<SegmentFacts> render(const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                            const std::string& path, const ProgressSink& progress,
                            const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto compositor, createCompositor(timeline.compositor));
  const std::optional<DeviceIdentity> device = compositor->device();
  settings.device = device.value_or(DeviceIdentity{});
  InteropChoice handover = choosingFor(timeline, settings, *compositor);
  auto facts = renderWith(std::move(compositor), handover, timeline, range, settings, path, progress, cancel);
  if (handover.name.empty() || facts.ok() || !isOfHandover(facts.error())) return facts;
  const std::string why = facts.error().message + " " + facts.error().detail;
  disableInterop(handover.name, settings, *device, why);
  handover = {.reason = handover.name + " broke: " + why};
  FW_ASSIGN_OR_RETURN(compositor, createCompositor(timeline.compositor));
  return renderWith(std::move(compositor), handover, timeline, range, settings, path, progress, cancel);
}

Result<SegmentFacts> renderPictures(const Timeline& timeline, FrameRange range, const std::string& path,
                                    const ProgressSink& progress, const CancelToken& cancel) {
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  auto facts = render(timeline, range, settings, path, progress, cancel);
  if (facts.ok() || facts.error().code != ErrorCode::ENCODE_FAILED ||
      !VideoEncoder::supportsStillSpans(settings))
    return facts;
  // Another x264 than those known may write streams whose stills cannot be lengthened.
  settings.stillKeyframeInterval = 0;
  return render(timeline, range, settings, path, progress, cancel);
}

}  // namespace

Result<SegmentFacts> renderSegment(const Timeline& timeline, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel) {
  FW_RETURN_IF_ERROR(checkRange(timeline, range));
  const RenderPiece renderPiece = [&](FrameRange piece, const std::string& to, const ProgressSink& done) {
    return renderPictures(timeline, piece, to, done, cancel);
  };
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  settings.continuesAfter = 0;
  const CopiedPieces copied = findCopiedPieces(timeline, range, settings, path + ".scratch", cancel);
  if (copied.pieces.empty()) return renderPiece(range, path, progress);
  auto facts = renderAround(copied, range, path, progress, cancel, renderPiece);
  const bool isInDoubt = !facts.ok() && (facts.error().code == ErrorCode::ENCODE_FAILED ||
                                         facts.error().code == ErrorCode::STITCH_FAILED);
  return isInDoubt ? renderPiece(range, path, progress) : facts;
}

}  // namespace framewright
