#include "render/copied_spans.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "render/sources/video_reader.h"
#include "timeline/draw_list.h"

namespace framewright {
namespace {

// The video that covers the whole canvas with nothing over it and without effects.
std::optional<ImageRef> soleVideo(const Timeline& timeline, const DrawList& list) {
  if (list.layers.empty()) return std::nullopt;
  const Layer& top = list.layers.back();
  if (top.kind != Layer::Kind::kImage || top.opacity != 1 || top.effects || top.window) return std::nullopt;
  const bool isWhole =
      top.crop == Rect{0, 0, 1, 1} && top.toCanvas == scaling(timeline.width, timeline.height);
  const ImageRef& image = list.images[static_cast<size_t>(top.image)];
  const Source& source = timeline.sources[static_cast<size_t>(image.source)];
  // Interlaced clips are never copied, unless by their own flag they are not.
  const bool isVideo = source.kind == SourceKind::kVideo && source.deinterlace != Deinterlace::kOn;
  return isWhole && isVideo ? std::optional(image) : std::nullopt;
}

const MediaRange* mediaOf(const Timeline& timeline, int clipId) {
  const auto in = [&](const std::vector<Clip>& clips) -> const MediaRange* {
    const MediaRange* media = nullptr;
    forEachClip(clips, [&](const Clip& clip, int64_t) {
      if (clip.id == clipId) media = &clip.media;
    });
    return media;
  };
  for (const Section& section : timeline.sections) {
    if (const MediaRange* media = in(section.clips)) return media;
  }
  const MediaRange* under = in(timeline.under);
  return under != nullptr ? under : in(timeline.over);
}

// Consecutive frames that show one clip's video.
struct Run {
  int64_t first = 0;
  ImageRef image;                // of the first frame
  std::vector<int64_t> timesUs;  // media times before looping
};

std::vector<Run> findRuns(const Timeline& timeline, FrameRange range) {
  std::vector<Run> runs;
  for (int64_t frame = range.first; frame < range.end; ++frame) {
    const auto image = soleVideo(timeline, drawListAt(timeline, frame));
    if (!image) continue;
    const bool continues = !runs.empty() && runs.back().image.clip == image->clip &&
                           runs.back().first + static_cast<int64_t>(runs.back().timesUs.size()) == frame;
    if (!continues) runs.push_back({frame, *image, {}});
    runs.back().timesUs.push_back(image->mediaTime);
  }
  return runs;
}

void findSpans(CopiedSpans& copied, const Timeline& timeline, const Run& run, size_t minFrames) {
  x264::PacketCopier& copier = *copied.copier;
  const std::string& path = timeline.sources[static_cast<size_t>(run.image.source)].path;
  const MediaRange* media = mediaOf(timeline, run.image.clip);
  if (media == nullptr || media->isReversed || media->blendsFrames) return;
  const auto reject = [&] {
    const std::string& label = timeline.sources[static_cast<size_t>(run.image.source)].label;
    copied.uncopied.push_back({label, copier.rejectionReason()});
  };
  const auto endUs = copier.endUs(path);
  if (!endUs) return reject();
  const size_t spansBefore = copied.spans.size();
  std::vector<int64_t> timesUs;
  for (const int64_t timeUs : run.timesUs) timesUs.push_back(foldIntoRange(*media, timeUs, *endUs));
  size_t at = 0;
  while (at + minFrames <= timesUs.size()) {
    // Times jump back where a loop restarts and stand still after the last pass.
    size_t end = at + 1;
    while (end < timesUs.size() && timesUs[end] > timesUs[end - 1]) ++end;
    auto frames = copier.find(path, std::span(timesUs).subspan(at, end - at));
    if (frames == nullptr) {
      at = end;
      continue;
    }
    const int64_t first = run.first + static_cast<int64_t>(at + frames->first());
    at += frames->first() + static_cast<size_t>(frames->count());
    copied.spans.push_back({{first, first + frames->count()}, std::move(frames)});
  }
  if (copied.spans.size() == spansBefore) reject();
}

// The colours of the movie: those of the one video that it shows from its first to its last frame.
ColorTags colorsFor(const Timeline& timeline, FrameRange range, const std::vector<Run>& runs) {
  const bool isWhole =
      runs.size() == 1 && static_cast<int64_t>(runs[0].timesUs.size()) == range.end - range.first;
  if (!timeline.encode.copyColors || !isWhole) return {};
  const Source& source = timeline.sources[static_cast<size_t>(runs[0].image.source)];
  return x264::PacketCopier::colorsOf(source.path).value_or(ColorTags());
}

void add(SegmentResult& sum, SegmentResult span) {
  sum.frames += span.frames;
  sum.composedFrames += span.composedFrames;
  sum.encodedFrames += span.encodedFrames;
  sum.copiedFrames += span.copiedFrames;
  sum.footageFrames += span.footageFrames;
  sum.maxParallelEncoders = std::max(sum.maxParallelEncoders, span.maxParallelEncoders);
  sum.decodeSeconds += span.decodeSeconds;
  sum.composeSeconds += span.composeSeconds;
  sum.encodeSeconds += span.encodeSeconds;
  std::move(span.elements.begin(), span.elements.end(), std::back_inserter(sum.elements));
  std::move(span.videos.begin(), span.videos.end(), std::back_inserter(sum.videos));
  std::move(span.faults.begin(), span.faults.end(), std::back_inserter(sum.faults));
  if (sum.deviceFailure.empty()) sum.deviceFailure = span.deviceFailure;
}

// Names of temporary packet files, removed by the destructor.
class SpanFiles {
 public:
  explicit SpanFiles(std::string path) : path_(std::move(path)) {}
  ~SpanFiles() {
    for (const std::string& path : paths_) std::remove(path.c_str());
  }
  SpanFiles(const SpanFiles&) = delete;
  SpanFiles& operator=(const SpanFiles&) = delete;

  const std::string& next() { return paths_.emplace_back(path_ + ".piece" + std::to_string(paths_.size())); }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  const std::string path_;
  std::vector<std::string> paths_;
};

}  // namespace

CopiedSpans findCopiedSpans(const Timeline& timeline, FrameRange range, const VideoEncoderSettings& settings,
                            const std::string& scratchPath, const CancelToken& cancel) {
  CopiedSpans copied;
  std::vector<Run> runs = findRuns(timeline, range);
  const size_t minFrames = x264::PacketCopier::minFrames(settings);
  std::erase_if(runs, [&](const Run& run) { return run.timesUs.size() < minFrames; });
  if (runs.empty()) return copied;
  VideoEncoderSettings tagged = settings;
  tagged.colors = colorsFor(timeline, range, runs);
  copied.copier = x264::PacketCopier::open(tagged, scratchPath, cancel);
  if (copied.copier == nullptr) return copied;
  for (const Run& run : runs) findSpans(copied, timeline, run, minFrames);
  const auto isWhole = [&](const CopiedSpans::Span& span) {
    return span.range.first == range.first && span.range.end == range.end;
  };
  // Frames between copied ones would be BT.709.
  if (!tagged.colors.isBt709() && !copied.spans.empty() && !isWhole(copied.spans[0])) {
    copied.spans.clear();
    const Source& source = timeline.sources[static_cast<size_t>(runs[0].image.source)];
    copied.uncopied.push_back(
        {source.label, "is BT.601 and cannot be copied from its first to its last frame"});
  }
  return copied;
}

Result<SegmentResult> renderAround(const CopiedSpans& copied, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel,
                                   const RenderSpan& render) {
  SpanFiles files(path);
  SegmentResult result;
  const auto report = [&](int64_t done) {
    if (progress) progress(result.frames + done);
  };
  const auto renderUpTo = [&](int64_t end) -> Status {
    const int64_t first = range.first + result.frames;
    if (first >= end) return {};
    FW_ASSIGN_OR_RETURN(SegmentResult span, render({first, end}, files.next(), report));
    add(result, std::move(span));
    return {};
  };
  for (const CopiedSpans::Span& span : copied.spans) {
    FW_RETURN_IF_ERROR(renderUpTo(span.range.first));
    if (cancel.cancelled()) return cancelledError();
    FW_ASSIGN_OR_RETURN([[maybe_unused]] const int64_t bytes, span.frames->write(files.next()));
    result.frames += span.frames->count();
    result.copiedFrames += span.frames->count();
    report(0);
  }
  FW_RETURN_IF_ERROR(renderUpTo(range.end));
  FW_ASSIGN_OR_RETURN(result.bytes, x264::joinPackets(files.paths(), path, cancel));
  return result;
}

}  // namespace framewright
