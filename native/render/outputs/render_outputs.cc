#include "render/outputs/render_outputs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "compositor/choose_compositor.h"
#include "compositor/rgba_compositor.h"
#include "render/decode_target.h"
#include "render/outputs/frame_schedule.h"
#include "render/outputs/output_stage.h"
#include "render/outputs/segment_stage.h"
#include "render/outputs/shown_parts.h"
#include "render/progress_throttle.h"
#include "render/segment_composer.h"

namespace framewright {
namespace {

constexpr std::chrono::milliseconds kWriterPoll{20};

// `files`: outputs or segments.
template <typename File>
Status checkRanges(const Timeline& timeline, const std::vector<File>& files) {
  for (const File& file : files) {
    const bool isInside = file.first >= 0 && file.first < file.end && file.end <= timeline.frames;
    if (isInside) continue;
    return Error{ErrorCode::INVALID_TIMELINE,
                 "Frames " + std::to_string(file.first) + " to " + std::to_string(file.end) +
                     " of an output are outside the timeline, which has " + std::to_string(timeline.frames) +
                     " frames.",
                 file.path};
  }
  return {};
}

using OutputStages = std::vector<std::unique_ptr<OutputStage>>;

// What is made from one composition.
struct Composition {
  bool isDeep = false;   // composed in high precision
  CanvasColor color;     // of those
  bool isOpaque = true;  // frames over black are enough for all outputs
  std::vector<OutputStage*> outputs;
  std::vector<SegmentStage*> segments;
};

bool hasBackground(const Timeline& timeline) {
  return std::ranges::all_of(timeline.sections,
                             [](const Section& section) { return section.background.a == 255; });
}

// Whether a file is composed in high precision: also to store the color of each transparent pixel, since the
// compositors of 8 bits draw chroma at half the resolution.
bool isComposedDeep(const OutputFile& file, const Timeline& timeline) {
  return isDeep(file) || (file.hasAlpha && hasFullChroma(file) && !hasBackground(timeline));
}

bool isOpaque(const OutputFile& file, const Timeline& timeline) {
  const auto& [red, green, blue, opacity] = file.matte;
  return hasBackground(timeline) || (!file.hasAlpha && red + green + blue == 0);
}

// Groups outputs and segments by composition; audio belongs to any. The first one is of 8 bits and may be
// empty.
std::vector<Composition> groupByComposition(const OutputStages& stages,
                                            const std::vector<SegmentStage*>& segments,
                                            const Timeline& timeline) {
  std::vector<Composition> groups(1);
  const auto deepGroup = [&](const CanvasColor& color, bool opaque) -> Composition& {
    for (Composition& group : groups) {
      if (group.isDeep && group.color == color && group.isOpaque == opaque) return group;
    }
    return groups.emplace_back(Composition{true, color, opaque, {}, {}});
  };
  for (const auto& stage : stages) {
    const OutputFile& file = stage->file();
    const bool isAudio = isAudioFormat(file.format), opaque = isAudio || isOpaque(file, timeline);
    const bool isPlain = isAudio || !isComposedDeep(file, timeline);
    Composition& group = isPlain ? groups.front() : deepGroup(file.color, opaque);
    if (isPlain) group.isOpaque = group.isOpaque && opaque;
    group.outputs.push_back(stage.get());
  }
  for (SegmentStage* const segment : segments) {
    Composition& group = segment->isDeep() ? deepGroup(segment->color(), true) : groups.front();
    group.segments.push_back(segment);
  }
  return groups;
}

struct OutputCompositor {
  std::unique_ptr<Compositor> compositor;
  RgbaCompositor* transparent = nullptr;  // `compositor` where the canvas is transparent, else null
};

Result<OutputCompositor> chooseCompositor(const Timeline& timeline, const Composition& group,
                                          bool keepsOverBlack) {
  OutputCompositor chosen;
  if (group.isDeep) {
    FW_ASSIGN_OR_RETURN(chosen.compositor,
                        createCompositor(timeline.compositor, group.color, !group.isOpaque));
    return chosen;
  }
  if (group.isOpaque) {
    FW_ASSIGN_OR_RETURN(chosen.compositor, createCompositor(timeline.compositor));
    return chosen;
  }
  FW_ASSIGN_OR_RETURN(auto transparent, RgbaCompositor::create(timeline.compositor, keepsOverBlack));
  chosen.transparent = transparent.get();
  chosen.compositor = std::move(transparent);
  return chosen;
}

// The error of an output that has failed.
template <typename Stages>
Status failureOf(const Stages& stages) {
  for (const auto& stage : stages) {
    if (stage->hasFailed()) return stage->finish().error();
  }
  return {};
}

// Pushes one composed frame to all outputs that show it. Outputs that end here are completed while the others
// go on.
Status pushFrame(const std::vector<OutputStage*>& stages, const ImagePtr& image, int64_t frame) {
  for (OutputStage* const stage : stages) {
    const int64_t count = shownCount(stage->file(), frame);
    if (count > 0 && !stage->push(image, count)) return stage->finish().error();
    if (frame + 1 == stage->file().end) stage->close();
  }
  return failureOf(stages);
}

// Whether decoded frames may stay on the device that composes, and whether such a frame was lost there.
struct FramesOnDevice {
  bool areAllowed = true;
  bool areLost = false;
};

// Composes frames once for outputs and segments. One thread.
class SharedComposition {
 public:
  SharedComposition(const Timeline& timeline, const Composition& group, const ProgressSink& progress,
                    const CancelToken& cancel, FramesOnDevice& decoded)
      : timeline_(timeline), group_(group), throttle_(progress), cancel_(cancel), decoded_(decoded) {}

  // Returns the number of composed frames.
  Result<int64_t> run() {
    std::vector<OutputFile> files;
    for (const OutputStage* output : group_.outputs) files.push_back(output->file());
    std::vector<FrameRange> ranges;
    for (const SegmentStage* segment : group_.segments) ranges.push_back(segment->range());
    for (const FrameRange& part : shownParts(files, ranges)) FW_RETURN_IF_ERROR(composePart(part));
    throttle_.finish(done_);
    return done_;
  }
  const CompositionResult& result() const { return result_; }

 private:
  Status composePart(FrameRange part) {
    std::vector<SegmentStage*> segments;
    for (SegmentStage* segment : group_.segments) {
      if (segment->range().first == part.first && segment->range().end == part.end)
        segments.push_back(segment);
    }
    FW_ASSIGN_OR_RETURN(OutputCompositor chosen, chooseCompositor(timeline_, group_, !segments.empty()));
    RgbaCompositor* const transparent = chosen.transparent;
    const std::optional<DeviceIdentity> device = chosen.compositor->device();
    const std::shared_ptr<const DecodeTarget> target =
        decoded_.areAllowed ? decodeTargetFor(timeline_, *chosen.compositor) : nullptr;
    SegmentComposer composer(timeline_, part, std::move(chosen.compositor), PixelFormat::kI420,
                             FramePlace::kHost, cancel_, target);
    const Status composed = composeFrames(part, segments, composer, transparent, device);
    decoded_.areLost = decoded_.areLost || (target != nullptr && target->hasLostFrame);
    return composed;
  }

  Status composeFrames(FrameRange part, const std::vector<SegmentStage*>& segments, SegmentComposer& composer,
                       RgbaCompositor* transparent, const std::optional<DeviceIdentity>& device) {
    std::optional<EncoderSlot> slot;
    for (int64_t frame = part.first; frame < part.end; ++frame) {
      if (cancel_.cancelled()) return cancelledError();
      FW_ASSIGN_OR_RETURN(const ImagePtr image, composer.next());
      if (frame == part.first && !segments.empty()) {
        FW_ASSIGN_OR_RETURN(EncoderSlot acquired, acquireSlot(segments, device));
        slot.emplace(std::move(acquired));
        for (SegmentStage* segment : segments) segment->open(*slot);
      }
      // The encoders get the frames of renderSegment(): those of transparent canvases over black.
      const ImagePtr opaque = transparent == nullptr ? image : transparent->overBlack(*image);
      for (SegmentStage* segment : segments) segment->push(opaque, composer);
      FW_RETURN_IF_ERROR(pushFrame(group_.outputs, image, frame));
      throttle_.report(++done_);
    }
    for (SegmentStage* segment : segments) segment->finish(composer, *slot);
    SegmentResult composed;
    composer.report(composed);
    result_.isOnDevice = result_.isOnDevice || device.has_value();
    result_.frames += composed.composedFrames;
    result_.hostFrames += composed.hostFrames;
    if (result_.deviceFailure.empty()) result_.deviceFailure = composed.deviceFailure;
    if (segments.empty()) std::ranges::move(composed.videos, std::back_inserter(result_.videos));
    return {};
  }

  // One slot for all encoders of a part, because waiting for a second one while holding the first could
  // wait forever.
  Result<EncoderSlot> acquireSlot(const std::vector<SegmentStage*>& segments,
                                  const std::optional<DeviceIdentity>& device) {
    SlotRequest all;
    for (SegmentStage* segment : segments) {
      const SlotRequest request = segment->request(device);
      all.bytes += request.bytes;
      if (all.devices.empty()) all.devices = request.devices;
    }
    return EncoderSlots::ofProcess().acquire(all, cancel_);
  }

  const Timeline& timeline_;
  const Composition& group_;
  ProgressThrottle throttle_;
  const CancelToken& cancel_;
  FramesOnDevice& decoded_;
  int64_t done_ = 0;
  CompositionResult result_;
};

// Returns the number of composed frames of one composition on average.
Result<int64_t> composeAll(const Timeline& timeline, const OutputStages& stages,
                           const std::vector<SegmentStage*>& segments, const ProgressSink& progress,
                           const CancelToken& cancel, FramesOnDevice& decoded,
                           std::vector<CompositionResult>& results) {
  const std::vector<Composition> groups = groupByComposition(stages, segments, timeline);
  const auto isUsed = [](const Composition& group) {
    return !group.outputs.empty() || !group.segments.empty();
  };
  const int64_t count = std::max<int64_t>(1, std::ranges::count_if(groups, isUsed));
  int64_t before = 0;
  for (const Composition& group : groups) {
    if (!isUsed(group)) continue;
    ProgressSink share;
    if (progress) share = [&, before](int64_t frames) { progress((before + frames) / count); };
    SharedComposition composition(timeline, group, share, cancel, decoded);
    FW_ASSIGN_OR_RETURN(const int64_t frames, composition.run());
    results.push_back(composition.result());
    before += frames;
  }
  return before / count;
}

// Waits until all outputs have ended or one has failed. Repeats the last progress whenever one of them got
// on, because encoders may work for long after the last frame.
void waitForWriters(const OutputStages& stages, int64_t frames, const ProgressSink& progress) {
  int64_t last = -1;
  const auto hasEnded = [](const auto& stage) { return stage->hasEnded(); };
  const auto hasFailed = [](const auto& stage) { return stage->hasFailed(); };
  while (std::ranges::none_of(stages, hasFailed) && !std::ranges::all_of(stages, hasEnded)) {
    std::this_thread::sleep_for(kWriterPoll);
    const int64_t steps =
        std::accumulate(stages.begin(), stages.end(), int64_t{0},
                        [](int64_t sum, const auto& stage) { return sum + stage->steps(); });
    if (progress && steps != last) progress(frames);
    last = steps;
  }
}

// Waits for all outputs before the first one gets its name.
Result<std::vector<OutputFileResult>> publishAll(const OutputStages& stages, int64_t frames,
                                                 const ProgressSink& progress) {
  std::vector<OutputFileResult> results;
  for (const auto& stage : stages) stage->close();
  waitForWriters(stages, frames, progress);
  FW_RETURN_IF_ERROR(failureOf(stages));
  for (const auto& stage : stages) {
    FW_ASSIGN_OR_RETURN(OutputFileResult result, stage->finish());
    results.push_back(std::move(result));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    auto bytes = stages[i]->publish();
    if (!bytes.ok()) {
      for (size_t k = 0; k < i; ++k) std::remove(results[k].path.c_str());
      return bytes.error();
    }
    results[i].bytes = bytes.value();
  }
  return results;
}

Result<RenderedOutputs> renderOnce(const Timeline& timeline, const std::vector<OutputFile>& outputs,
                                   const std::vector<OutputSegment>& segments, const ProgressSink& progress,
                                   const CancelToken& cancel, FramesOnDevice& decoded) {
  CancelToken stop;
  std::vector<std::unique_ptr<SegmentStage>> segmentStages;
  std::vector<SegmentStage*> shared;
  for (const OutputSegment& segment : segments) {
    SegmentStage& stage =
        *segmentStages.emplace_back(std::make_unique<SegmentStage>(timeline, segment, cancel));
    if (stage.canCopyPackets()) {
      stage.fail({ErrorCode::UNEXPECTED, "Packets of source videos can be copied.", ""});
    } else {
      shared.push_back(&stage);
    }
  }
  OutputStages stages;
  for (OutputFile file : outputs) {
    file.mastering = timeline.mastering;
    stages.push_back(std::make_unique<OutputStage>(file, cancel, stop));
  }
  const auto fail = [&](const Error& error) -> Result<RenderedOutputs> {
    stop.cancel();  // the other outputs end without completing their files
    return cancel.cancelled() ? cancelledError() : error;
  };
  std::vector<CompositionResult> compositions;
  const Result<int64_t> composed =
      composeAll(timeline, stages, shared, progress, cancel, decoded, compositions);
  if (!composed.ok()) return fail(composed.error());
  auto files = publishAll(stages, composed.value(), progress);
  if (!files.ok()) return fail(files.error());
  RenderedOutputs rendered{files.take(), {}, std::move(compositions)};
  for (const auto& segment : segmentStages) rendered.segments.push_back(segment->result());
  return rendered;
}

}  // namespace

Result<RenderedOutputs> renderOutputs(const Timeline& timeline, const std::vector<OutputFile>& outputs,
                                      const std::vector<OutputSegment>& segments,
                                      const ProgressSink& progress, const CancelToken& cancel) {
  FW_RETURN_IF_ERROR(checkRanges(timeline, outputs));
  FW_RETURN_IF_ERROR(checkRanges(timeline, segments));
  FramesOnDevice decoded;
  auto rendered = renderOnce(timeline, outputs, segments, progress, cancel, decoded);
  if (rendered.ok() || !decoded.areLost || cancel.cancelled()) return rendered;
  decoded = {.areAllowed = false};
  return renderOnce(timeline, outputs, segments, progress, cancel, decoded);
}

}  // namespace framewright
