#include "render/copied_pieces.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "render/media_pass.h"
#include "timeline/draw_list.h"

namespace framewright {
namespace {

// The film that covers the whole canvas, pixel for pixel where its size is the canvas's, with nothing over
// it.
std::optional<ImageRef> soleFilm(const Timeline& timeline, const DrawList& list) {
  if (list.layers.empty()) return std::nullopt;
  const Layer& top = list.layers.back();
  if (top.kind != Layer::Kind::kImage || top.opacity != 1 || top.effects || top.window) return std::nullopt;
  const bool isWhole =
      top.crop == Rect{0, 0, 1, 1} && top.toCanvas == scaling(timeline.width, timeline.height);
  const ImageRef& picture = list.images[static_cast<size_t>(top.image)];
  const bool isFilm = timeline.sources[static_cast<size_t>(picture.source)].kind == SourceKind::kVideo;
  return isWhole && isFilm ? std::optional(picture) : std::nullopt;
}

const MediaRange* mediaOf(const Timeline& timeline, int clipId) {
  const auto in = [&](const std::vector<Clip>& clips) -> const MediaRange* {
    const auto found =
        std::find_if(clips.begin(), clips.end(), [&](const Clip& c) { return c.id == clipId; });
    return found == clips.end() ? nullptr : &found->media;
  };
  for (const Section& section : timeline.sections) {
    if (const MediaRange* media = in(section.clips)) return media;
  }
  const MediaRange* under = in(timeline.under);
  return under != nullptr ? under : in(timeline.over);
}

// Frames that show one clip's film one after the other.
struct Run {
  int64_t first = 0;
  ImageRef picture;            // of the first
  std::vector<int64_t> timesUs;  // before they are folded
};

std::vector<Run> findRuns(const Timeline& timeline, FrameRange range) {
  std::vector<Run> runs;
  for (int64_t frame = range.first; frame < range.end; ++frame) {
    const auto film = soleFilm(timeline, drawListAt(timeline, frame));
    if (!film) continue;
    const bool goesOn = !runs.empty() && runs.back().picture.clip == film->clip &&
                        runs.back().first + static_cast<int64_t>(runs.back().timesUs.size()) == frame;
    if (!goesOn) runs.push_back({frame, *film, {}});
    runs.back().timesUs.push_back(film->mediaTime);
  }
  return runs;
}

void findIn(CopiedPieces& copied, const Timeline& timeline, const Run& run, size_t fewest) {
  x264::PacketCopier& copier = *copied.copier;
  const std::string& path = timeline.sources[static_cast<size_t>(run.picture.source)].path;
  const MediaRange* media = mediaOf(timeline, run.picture.clip);
  const auto endUs = copier.endUs(path);
  if (media == nullptr || !endUs) return;
  std::vector<int64_t> timesUs;
  for (const int64_t timeUs : run.timesUs) timesUs.push_back(foldIntoRange(*media, timeUs, *endUs));
  size_t at = 0;
  while (at + fewest <= timesUs.size()) {
    // A loop begins anew, and what has ended stands still.
    size_t end = at + 1;
    while (end < timesUs.size() && timesUs[end] > timesUs[end - 1]) ++end;
    auto frames = copier.find(path, std::span(timesUs).subspan(at, end - at));
    if (frames == nullptr) {
      at = end;
      continue;
    }
    const int64_t first = run.first + static_cast<int64_t>(at + frames->first());
    at += frames->first() + static_cast<size_t>(frames->count());
    copied.pieces.push_back({{first, first + frames->count()}, std::move(frames)});
  }
}

// Adds up what the pieces of a segment took.
void add(SegmentFacts& sum, SegmentFacts piece) {
  sum.frames += piece.frames;
  sum.composedFrames += piece.composedFrames;
  sum.encodedFrames += piece.encodedFrames;
  sum.copiedFrames += piece.copiedFrames;
  sum.mostAtOnce = std::max(sum.mostAtOnce, piece.mostAtOnce);
  sum.decodeSeconds += piece.decodeSeconds;
  sum.composeSeconds += piece.composeSeconds;
  sum.encodeSeconds += piece.encodeSeconds;
  std::move(piece.elements.begin(), piece.elements.end(), std::back_inserter(sum.elements));
  std::move(piece.films.begin(), piece.films.end(), std::back_inserter(sum.films));
  if (sum.deviceFailure.empty()) sum.deviceFailure = piece.deviceFailure;
}

// Files that are gone with it.
class PieceFiles {
 public:
  explicit PieceFiles(std::string path) : path_(std::move(path)) {}
  ~PieceFiles() {
    for (const std::string& path : paths_) std::remove(path.c_str());
  }
  PieceFiles(const PieceFiles&) = delete;
  PieceFiles& operator=(const PieceFiles&) = delete;

  const std::string& next() { return paths_.emplace_back(path_ + ".piece" + std::to_string(paths_.size())); }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  const std::string path_;
  std::vector<std::string> paths_;
};

}  // namespace

CopiedPieces findCopiedPieces(const Timeline& timeline, FrameRange range,
                              const VideoEncoderSettings& settings, const std::string& scratchPath,
                              const CancelToken& cancel) {
  CopiedPieces copied;
  if (!timeline.encode.copy) return copied;
  std::vector<Run> runs = findRuns(timeline, range);
  const size_t fewest = x264::PacketCopier::minFrames(settings);
  std::erase_if(runs, [&](const Run& run) { return run.timesUs.size() < fewest; });
  if (runs.empty()) return copied;
  copied.copier = x264::PacketCopier::open(settings, scratchPath, cancel);
  if (copied.copier == nullptr) return copied;
  for (const Run& run : runs) findIn(copied, timeline, run, fewest);
  return copied;
}

Result<SegmentFacts> renderAround(const CopiedPieces& copied, FrameRange range, const std::string& path,
                                  const ProgressSink& progress, const CancelToken& cancel,
                                  const RenderPiece& render) {
  PieceFiles files(path);
  SegmentFacts facts;
  const auto report = [&](int64_t done) {
    if (progress) progress(facts.frames + done);
  };
  const auto renderUpTo = [&](int64_t end) -> Status {
    const int64_t first = range.first + facts.frames;
    if (first >= end) return {};
    FW_ASSIGN_OR_RETURN(SegmentFacts piece, render({first, end}, files.next(), report));
    add(facts, std::move(piece));
    return {};
  };
  for (const CopiedPieces::Piece& piece : copied.pieces) {
    FW_RETURN_IF_ERROR(renderUpTo(piece.range.first));
    if (cancel.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    FW_ASSIGN_OR_RETURN([[maybe_unused]] const int64_t bytes, piece.frames->write(files.next()));
    SegmentFacts taken;
    taken.frames = taken.copiedFrames = piece.frames->count();
    add(facts, std::move(taken));
    report(0);
  }
  FW_RETURN_IF_ERROR(renderUpTo(range.end));
  FW_ASSIGN_OR_RETURN(facts.bytes, x264::joinPackets(files.paths(), path, cancel));
  return facts;
}

}  // namespace framewright
