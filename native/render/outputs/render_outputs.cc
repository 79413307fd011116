#include "render/outputs/render_outputs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "compositor/choose_compositor.h"
#include "compositor/deep/deep_compositor.h"
#include "compositor/rgba_compositor.h"
#include "render/outputs/frame_schedule.h"
#include "render/outputs/output_stage.h"
#include "render/progress_throttle.h"
#include "render/segment_composer.h"

namespace framewright {
namespace {

constexpr std::chrono::milliseconds kWriterPoll{20};

Status checkOutputs(const Timeline& timeline, const std::vector<OutputFile>& outputs) {
  for (const OutputFile& file : outputs) {
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

bool isOpaque(const Timeline& timeline) {
  return std::all_of(timeline.sections.begin(), timeline.sections.end(),
                     [](const Section& section) { return section.background.a == 255; });
}

// `file`: any of those that show the composition.
Result<std::unique_ptr<Compositor>> createOutputCompositor(const Timeline& timeline, const OutputFile& file) {
  if (isDeep(file)) return createDeepCompositor(file.color, !isOpaque(timeline));
  if (isOpaque(timeline)) return createCompositor(timeline.compositor);
  return createRgbaCompositor();
}

using OutputStages = std::vector<std::unique_ptr<OutputStage>>;

// Whether both files show one composition.
bool isComposedWith(const OutputFile& a, const OutputFile& b) {
  return isDeep(a) == isDeep(b) && a.color == b.color;
}

// Outputs other than audio, grouped by composition.
std::vector<std::vector<size_t>> compositionsOf(const std::vector<OutputFile>& outputs) {
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (isAudioFormat(outputs[i].format)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& members) {
      return isComposedWith(outputs[members.front()], outputs[i]);
    });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

// Pushes one composed frame to all outputs that show it; fails with the error of an output.
Status pushFrame(const OutputStages& stages, const std::vector<size_t>& members, const ImagePtr& image,
                 int64_t frame) {
  for (const size_t member : members) {
    const auto& stage = stages[member];
    const int64_t count = shownCount(stage->file(), frame);
    if (count > 0 && !stage->push(image, count)) return stage->finish().error();
  }
  return {};
}

// Frames between the ranges of the outputs are skipped; each run of frames is composed in order.
std::vector<FrameRange> shownRuns(const std::vector<OutputFile>& outputs,
                                  const std::vector<size_t>& members) {
  std::vector<FrameRange> ranges;
  for (const size_t member : members) ranges.push_back({outputs[member].first, outputs[member].end});
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<FrameRange> runs;
  for (const FrameRange& range : ranges) {
    if (!runs.empty() && range.first <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, range.end);
    } else {
      runs.push_back(range);
    }
  }
  return runs;
}

// Composes each composition once. Returns the number of composed frames of one of them.
Result<int64_t> composeAll(const Timeline& timeline, const std::vector<OutputFile>& outputs,
                           const OutputStages& stages, const ProgressSink& progress,
                           const CancelToken& cancel) {
  ProgressThrottle throttle(progress);
  const auto compositions = compositionsOf(outputs);
  const auto count = std::max<int64_t>(1, static_cast<int64_t>(compositions.size()));
  int64_t done = 0;
  for (const std::vector<size_t>& members : compositions) {
    for (const FrameRange& run : shownRuns(outputs, members)) {
      FW_ASSIGN_OR_RETURN(auto compositor, createOutputCompositor(timeline, outputs[members.front()]));
      SegmentComposer composer(timeline, run, std::move(compositor), PixelFormat::kI420, FramePlace::kHost,
                               cancel);
      for (int64_t frame = run.first; frame < run.end; ++frame) {
        if (cancel.cancelled()) return cancelledError();
        FW_ASSIGN_OR_RETURN(const ImagePtr image, composer.next());
        FW_RETURN_IF_ERROR(pushFrame(stages, members, image, frame));
        throttle.report(++done / count);
      }
    }
  }
  throttle.finish(done / count);
  return done / count;
}

// Waits until all outputs have ended. Repeats the last progress whenever one of them got on, because encoders
// may work for long after the last frame.
void waitForWriters(const OutputStages& stages, int64_t frames, const ProgressSink& progress) {
  int64_t last = -1;
  const auto hasEnded = [](const auto& stage) { return stage->hasEnded(); };
  while (!std::all_of(stages.begin(), stages.end(), hasEnded)) {
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
                                                 const ProgressSink& progress, const CancelToken& cancel) {
  std::vector<OutputFileResult> results;
  for (const auto& stage : stages) stage->close();
  waitForWriters(stages, frames, progress);
  for (const auto& stage : stages) {
    auto result = stage->finish();
    if (!result.ok()) return cancel.cancelled() ? cancelledError() : result.error();
    results.push_back(result.take());
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

}  // namespace

Result<std::vector<OutputFileResult>> renderOutputs(const Timeline& timeline,
                                                    const std::vector<OutputFile>& outputs,
                                                    const ProgressSink& progress, const CancelToken& cancel) {
  FW_RETURN_IF_ERROR(checkOutputs(timeline, outputs));
  OutputStages stages;
  for (const OutputFile& file : outputs) stages.push_back(std::make_unique<OutputStage>(file, cancel));
  const Result<int64_t> composed = composeAll(timeline, outputs, stages, progress, cancel);
  if (!composed.ok()) return cancel.cancelled() ? cancelledError() : composed.error();
  return publishAll(stages, composed.value(), progress, cancel);
}

}  // namespace framewright
