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
#include "render/copied_spans.h"
#include "render/encode/encode_stage.h"
#include "render/encode/encoder_slots.h"
#include "render/progress_throttle.h"
#include "render/render.h"
#include "render/segment_composer.h"

namespace framewright {
namespace {

Status checkRange(const Timeline& timeline, FrameRange range) {
  if (range.first >= 0 && range.first < range.end && range.end <= timeline.frames) return {};
  return Error{ErrorCode::INVALID_TIMELINE,
               "Frames " + std::to_string(range.first) + " to " + std::to_string(range.end) +
                   " are outside the timeline, which has " + std::to_string(timeline.frames) + " frames.",
               ""};
}

// Whether a transition ends at this frame, where an IDR frame's change of quality is not visible.
bool endsTransition(const Timeline& timeline, int64_t frame) {
  return std::any_of(timeline.sections.begin(), timeline.sections.end(), [&](const Section& section) {
    const int64_t frames = section.transition ? section.transition->frames : section.previousTransitionFrames;
    return frames > 0 && section.start + frames == frame;
  });
}

// Whether the frame at `end` resembles the one before it.
bool continuesAfter(const Timeline& timeline, int64_t end) {
  if (endsTransition(timeline, end)) return false;
  const auto& sections = timeline.sections;
  const auto next = std::find_if(sections.begin(), sections.end(),
                                 [&](const Section& section) { return section.start >= end; });
  const Section& last = *std::prev(next);
  if (next == sections.end()) return end < timeline.frames || last.hasNextTransition;
  return end < next->start || next->transition.has_value();
}

// Whether a video may be visible in the range, as far as the times of its clips say.
bool showsFootage(const Timeline& timeline, FrameRange range) {
  const auto isVisible = [&](const std::vector<Clip>& clips, int64_t origin) {
    bool shows = false;
    forEachClip(clips, [&](const Clip& clip, int64_t clipStart) {
      const int64_t start = origin + clipStart;
      shows = shows || (clip.source >= 0 && start < range.end && start + clip.frames > range.first &&
                        timeline.sources[static_cast<size_t>(clip.source)].kind == SourceKind::kVideo);
    });
    return shows;
  };
  return isVisible(timeline.under, 0) || isVisible(timeline.over, 0) ||
         std::any_of(timeline.sections.begin(), timeline.sections.end(),
                     [&](const Section& section) { return isVisible(section.clips, section.start); });
}

VideoEncoderSettings encoderSettings(const Timeline& timeline, FrameRange range) {
  VideoEncoderSettings settings;
  settings.encoder = timeline.encode.encoder;
  settings.preset = timeline.encode.preset;
  settings.crf = timeline.encode.crf;
  settings.variant = timeline.encode.variant;
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
  settings.showsFootage = showsFootage(timeline, range);
  return settings;
}

SlotRequest slotRequest(const VideoEncoderSettings& settings) {
  // Bytes per luma sample, measured with x264 at 1080p: composed frames and lookahead, then each thread.
  constexpr int64_t kBytes = 80, kBytesPerThread = 11;
  const int64_t bytes = kBytes + kBytesPerThread * static_cast<int64_t>(std::thread::hardware_concurrency());
  return {bytes * settings.width * settings.height, VideoEncoder::devices(settings)};
}

InteropChoice chooseInteropFor(const Timeline& timeline, const VideoEncoderSettings& settings,
                               Compositor& compositor) {
  const std::optional<DeviceIdentity> device = compositor.device();
  if (!device || !timeline.allowsInterop) return {};
  return chooseInterop(settings, {*device, [&compositor](FramePlace place, int width, int height) {
                                    return compositor.createDeviceFrame(place, width, height);
                                  }});
}

Result<SegmentResult> renderWith(std::unique_ptr<Compositor> compositor, const InteropChoice& interop,
                                 const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                                 const std::string& path, const ProgressSink& progress,
                                 const CancelToken& cancel) {
  settings.interop = interop.interop;
  SegmentComposer composer(timeline, range, std::move(compositor), VideoEncoder::inputFormat(settings),
                           interop.place, cancel);
  auto first = composer.next();
  if (!first.ok()) return cancel.cancelled() ? cancelledError() : first.error();
  FW_ASSIGN_OR_RETURN(const EncoderSlot slot,
                      EncoderSlots::ofProcess().acquire(slotRequest(settings), cancel));
  ProgressThrottle throttle(progress);
  throttle.finish(0);  // reports that this segment has its encoder slot
  settings.encoderDevice = slot.device();
  auto encoder = VideoEncoder::open(settings, path);
  if (!encoder.ok()) {
    if (encoder.error().code == ErrorCode::ENCODER_BUSY) slot.noSession();
    return encoder.error();
  }
  EncodeStage stage(encoder.take(), cancel);
  int64_t counted = 0;
  VideoFrame pending{first.take()};
  bool isEncoding = true;  // when not, stage.finish() returns the error
  for (int64_t frame = range.first + 1; isEncoding && frame < range.end; ++frame) {
    if (cancel.cancelled()) return cancelledError();
    auto image = composer.next();
    if (!image.ok()) return cancel.cancelled() ? cancelledError() : image.error();
    if (image.value() == pending.image) {
      ++pending.frames;
      continue;
    }
    pending.changesAhead = 1 + composer.changesAhead();
    isEncoding = stage.push(std::move(pending));
    pending = {image.take()};
    const int64_t encoded = stage.encodedFrames();
    slot.addFrames(encoded - std::exchange(counted, encoded));
    throttle.report(encoded);
  }
  if (isEncoding) stage.push(std::move(pending));
  SegmentResult result;
  FW_ASSIGN_OR_RETURN(result.bytes, stage.finish());
  result.frames = range.end - range.first;
  result.maxParallelEncoders = slot.maxParallelEncoders();
  result.encodedFrames = stage.encodedFrameCount();
  result.encodeSeconds = stage.seconds();
  result.footageFrames = settings.showsFootage ? result.frames : 0;
  composer.report(result);
  result.interop = interop.name;
  result.interopReason = interop.reason;
  throttle.finish(result.frames);
  return result;
}

bool mayBeInteropFailure(const Error& error) {
  return error.code == ErrorCode::ENCODE_FAILED || error.code == ErrorCode::GPU_FAILED ||
         error.code == ErrorCode::ENCODER_UNAVAILABLE || error.code == ErrorCode::OUT_OF_MEMORY;
}

// Renders again through main memory when interop fails, and disables that backend for this process.
Result<SegmentResult> render(const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                             const std::string& path, const ProgressSink& progress,
                             const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto compositor, createCompositor(timeline.compositor));
  const std::optional<DeviceIdentity> device = compositor->device();
  settings.device = device.value_or(DeviceIdentity{});
  InteropChoice interop = chooseInteropFor(timeline, settings, *compositor);
  auto result = renderWith(std::move(compositor), interop, timeline, range, settings, path, progress, cancel);
  if (interop.name.empty() || result.ok() || !mayBeInteropFailure(result.error())) return result;
  const std::string reason = result.error().message + " " + result.error().detail;
  disableInterop(interop.name, settings, *device, reason);
  interop = {.reason = interop.name + " failed: " + reason};
  FW_ASSIGN_OR_RETURN(compositor, createCompositor(timeline.compositor));
  return renderWith(std::move(compositor), interop, timeline, range, settings, path, progress, cancel);
}

Result<SegmentResult> renderFrames(const Timeline& timeline, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel) {
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  auto result = render(timeline, range, settings, path, progress, cancel);
  if (result.ok() || result.error().code != ErrorCode::ENCODE_FAILED ||
      !VideoEncoder::supportsStillSpans(settings))
    return result;
  // An unknown x264 build may write streams into which no repeated frames can be inserted.
  settings.stillKeyframeInterval = 0;
  return render(timeline, range, settings, path, progress, cancel);
}

}  // namespace

Result<SegmentResult> renderSegment(const Timeline& timeline, FrameRange range, const std::string& path,
                                    const ProgressSink& progress, const CancelToken& cancel) {
  FW_RETURN_IF_ERROR(checkRange(timeline, range));
  const RenderSpan renderSpan = [&](FrameRange span, const std::string& to, const ProgressSink& done) {
    return renderFrames(timeline, span, to, done, cancel);
  };
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  settings.continuesAfter = 0;
  const CopiedSpans copied = findCopiedSpans(timeline, range, settings, path + ".scratch", cancel);
  auto result = copied.spans.empty() ? renderSpan(range, path, progress)
                                     : renderAround(copied, range, path, progress, cancel, renderSpan);
  if (result.ok()) result.value().uncopied = copied.uncopied;
  const bool isCopyFailure = !result.ok() && (result.error().code == ErrorCode::ENCODE_FAILED ||
                                              result.error().code == ErrorCode::STITCH_FAILED);
  return isCopyFailure ? renderSpan(range, path, progress) : result;
}

}  // namespace framewright
