#include <memory>
#include <string>
#include <utility>

#include "compositor/choose_compositor.h"
#include "libav/encode/video/video_encoder.h"
#include "libav/hardware/interop/choose_interop.h"
#include "libav/hardware/interop/interop_backend.h"
#include "render/copied_spans.h"
#include "render/decode_target.h"
#include "render/encode/encoder_slots.h"
#include "render/encode/segment_encoding.h"
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

Result<std::unique_ptr<Compositor>> createCompositorFor(const Timeline& timeline) {
  if (timeline.encode.bitDepth == 8) return createCompositor(timeline.compositor);
  return createCompositor(timeline.compositor, timeline.encode.color, false);
}

InteropChoice chooseInteropFor(const Timeline& timeline, const VideoEncoderSettings& settings,
                               Compositor& compositor) {
  const std::optional<DeviceIdentity> device = compositor.device();
  if (!device || timeline.interop == InteropMode::kOff) return {};
  const FrameSource source{*device, [&compositor](FramePlace place, int width, int height) {
                             return compositor.createDeviceFrame(place, width, height);
                           }};
  return chooseInterop(settings, source, timeline.interop != InteropMode::kCopy);
}

Result<SegmentResult> renderWith(std::unique_ptr<Compositor> compositor, const InteropChoice& interop,
                                 std::shared_ptr<const DecodeTarget> target, const Timeline& timeline,
                                 FrameRange range, VideoEncoderSettings settings, const std::string& path,
                                 const ProgressSink& progress, const CancelToken& cancel) {
  settings.interop = interop.interop;
  SegmentComposer composer(timeline, range, std::move(compositor), VideoEncoder::inputFormat(settings),
                           interop.place, cancel, std::move(target));
  auto first = composer.next();
  if (!first.ok()) return cancel.cancelled() ? cancelledError() : first.error();
  FW_ASSIGN_OR_RETURN(const EncoderSlot slot,
                      EncoderSlots::ofProcess().acquire(encoderSlotRequest(settings), cancel));
  ProgressThrottle throttle(progress);
  throttle.finish(0);  // reports that this segment has its encoder slot
  settings.encoderDevice = slot.device();
  auto encoding = SegmentEncoding::open(settings, path, cancel);
  if (!encoding.ok()) {
    if (encoding.error().code == ErrorCode::ENCODER_BUSY) slot.noSession();
    return encoding.error();
  }
  SegmentEncoding& encoder = *encoding.value();
  int64_t counted = 0;
  bool isEncoding = encoder.add(first.take(), composer);  // when not, finish() returns the error
  for (int64_t frame = range.first + 1; isEncoding && frame < range.end; ++frame) {
    if (cancel.cancelled()) return cancelledError();
    auto image = composer.next();
    if (!image.ok()) return cancel.cancelled() ? cancelledError() : image.error();
    isEncoding = encoder.add(image.value(), composer);
    const int64_t encoded = encoder.encodedFrames();
    slot.addFrames(encoded - std::exchange(counted, encoded));
    throttle.report(encoded);
  }
  SegmentResult result;
  FW_RETURN_IF_ERROR(encoder.finish(result));
  FW_RETURN_IF_ERROR(composer.settle());
  result.maxParallelEncoders = slot.maxParallelEncoders();
  composer.report(result);
  result.interop = interop.name;
  result.interopReason = interop.reason;
  if (interop.interop != nullptr) result.interopCopies = interop.interop->copiedFrames();
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
  FW_ASSIGN_OR_RETURN(auto compositor, createCompositorFor(timeline));
  const std::optional<DeviceIdentity> device = compositor->device();
  settings.device = device.value_or(DeviceIdentity{});
  InteropChoice interop = chooseInteropFor(timeline, settings, *compositor);
  std::shared_ptr<const DecodeTarget> target = decodeTargetFor(timeline, *compositor);
  auto result =
      renderWith(std::move(compositor), interop, target, timeline, range, settings, path, progress, cancel);
  if (result.ok()) return result;
  const bool hasLostFrame = target != nullptr && target->hasLostFrame;
  const bool hasInteropFailed = !interop.name.empty() && mayBeInteropFailure(result.error());
  if (!hasLostFrame && !hasInteropFailed) return result;
  if (hasInteropFailed && !hasLostFrame) {
    const std::string reason = result.error().message + " " + result.error().detail;
    disableInterop(interop.name, settings, *device, reason);
    interop = {.reason = interop.name + " failed: " + reason};
  } else {
    interop = {.reason = interop.reason};
  }
  FW_ASSIGN_OR_RETURN(compositor, createCompositorFor(timeline));
  target = hasLostFrame ? nullptr : decodeTargetFor(timeline, *compositor);
  return renderWith(std::move(compositor), interop, target, timeline, range, settings, path, progress,
                    cancel);
}

Result<SegmentResult> renderFrames(const Timeline& timeline, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel) {
  VideoEncoderSettings settings = segmentEncoderSettings(timeline, timeline.encode, range);
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
  if (!timeline.encode.copy) return renderSpan(range, path, progress);
  VideoEncoderSettings settings = segmentEncoderSettings(timeline, timeline.encode, range);
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
