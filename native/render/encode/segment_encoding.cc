#include "render/encode/segment_encoding.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

namespace framewright {
namespace {

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

// BT.2100, or BT.709 for SDR.
ColorTags tagsOf(CanvasTransfer transfer) {
  constexpr int kBt2020 = 9, kPq = 16, kHlg = 18;
  if (transfer == CanvasTransfer::kSdr) return {};
  return {kBt2020, kBt2020, transfer == CanvasTransfer::kPq ? kPq : kHlg};
}

}  // namespace

VideoEncoderSettings segmentEncoderSettings(const Timeline& timeline, const EncodeSettings& encode,
                                            FrameRange range) {
  VideoEncoderSettings settings;
  settings.encoder = encode.encoder;
  settings.preset = encode.preset;
  settings.crf = encode.crf;
  settings.variant = encode.variant;
  settings.width = timeline.width;
  settings.height = timeline.height;
  settings.fps = timeline.fps;
  const double rate = static_cast<double>(timeline.fps.num) / static_cast<double>(timeline.fps.den);
  settings.keyframeInterval = std::max(1, static_cast<int>(std::lround(encode.keyframeSeconds * rate)));
  const double still = encode.stillKeyframeSeconds;
  settings.stillKeyframeInterval = still <= 0 ? 0 : std::max(1, static_cast<int>(std::lround(still * rate)));
  settings.continuesAfter = continuesAfter(timeline, range.end) ? range.end - range.first : 0;
  settings.followsTransition = endsTransition(timeline, range.first);
  settings.showsFootage = showsFootage(timeline, range);
  settings.bitDepth = encode.bitDepth;
  settings.colors = tagsOf(encode.color.transfer);
  if (encode.color.transfer == CanvasTransfer::kPq) settings.mastering = timeline.mastering;
  if (settings.showsFootage && encode.footagePreset) {
    settings.preset = *encode.footagePreset;
    settings.matchesVeryfast = true;
  }
  return settings;
}

SlotRequest encoderSlotRequest(const VideoEncoderSettings& settings) {
  // Bytes per luma sample, measured with x264 at 1080p: composed frames and lookahead, then each thread.
  constexpr int64_t kBytes = 80, kBytesPerThread = 11;
  // x264's longer lookahead of footage.
  constexpr int64_t kFootageBytes = 28;
  const int64_t bytes = kBytes + (settings.matchesVeryfast ? kFootageBytes : 0) +
                        kBytesPerThread * static_cast<int64_t>(std::thread::hardware_concurrency());
  return {bytes * settings.width * settings.height, VideoEncoder::devices(settings)};
}

Result<std::unique_ptr<SegmentEncoding>> SegmentEncoding::open(const VideoEncoderSettings& settings,
                                                               const std::string& path,
                                                               const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto encoder, VideoEncoder::open(settings, path));
  return std::unique_ptr<SegmentEncoding>(new SegmentEncoding(settings, std::move(encoder), cancel));
}

bool SegmentEncoding::add(const ImagePtr& image, const SegmentComposer& composer) {
  ++frames_;
  if (image == pending_.image) {
    ++pending_.frames;
    return isEncoding_;
  }
  if (pending_.image != nullptr) {
    pending_.changesAhead = 1 + composer.changesAhead();
    isEncoding_ = isEncoding_ && stage_.push(std::move(pending_));
  }
  pending_ = {image};
  return isEncoding_;
}

Status SegmentEncoding::finish(SegmentResult& result) {
  if (isEncoding_ && pending_.image != nullptr) stage_.push(std::move(pending_));
  FW_ASSIGN_OR_RETURN(result.bytes, stage_.finish());
  result.frames = frames_;
  result.encodedFrames = stage_.encodedFrameCount();
  result.encodeSeconds = stage_.seconds();
  result.footageFrames = showsFootage_ ? frames_ : 0;
  return {};
}

}  // namespace framewright
