#include "render/picture_supply.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/stopwatch.h"
#include "core/this_thread.h"
#include "formats/sprite_file.h"
#include "render/stills_ahead.h"

namespace framewright {
namespace {

constexpr size_t kMaxLoads = 65536;  // one per source at most, so announce() does not block

// About, of a prepared still with its smaller levels.
constexpr double kBytesPerPixel = 2.5;

}  // namespace

PictureSupply::PictureSupply(const Timeline& timeline, Compositor& compositor, int64_t end,
                             HardwareDecode decode, const CancelToken& cancel, KeptStills kept)
    : timeline_(timeline),
      compositor_(compositor),
      end_(end),
      decode_(decode),
      cancel_(cancel),
      kept_(std::move(kept)),
      drawnSizes_(largestDrawnSizes(timeline)),
      sourceEnds_(timeline.sources.size(), 0),
      loads_(kMaxLoads),
      decodeSeconds_(timeline.sources.size(), 0) {
  findUses();
  loader_ = std::thread([this] {
    nameThisThread("fw-stills");
    while (auto load = loads_.pop()) (*load)();
  });
}

PictureSupply::~PictureSupply() {
  loads_.abort();
  loader_.join();
}

void PictureSupply::findUses() {
  noteClips(timeline_.under, 0, timeline_.frames, 0);
  for (size_t i = 0; i < timeline_.sections.size(); ++i) {
    const Section& section = timeline_.sections[i];
    const bool last = i + 1 == timeline_.sections.size();
    const auto& next = last ? std::optional<Transition>() : timeline_.sections[i + 1].transition;
    // A section's last picture holds under the transition after it, or to the movie's end.
    const int64_t end = section.start + section.frames;
    const int64_t tail = last ? std::max<int64_t>(0, timeline_.frames - end) : next ? next->frames : 0;
    noteClips(section.clips, section.start, end, tail);
  }
  noteClips(timeline_.over, 0, timeline_.frames, 0);
}

void PictureSupply::noteClips(const std::vector<Clip>& clips, int64_t start, int64_t end, int64_t tail) {
  for (const Clip& clip : clips) {
    const int64_t clipEnd = std::min(start + clip.start + clip.frames, end) + tail;
    const int64_t frames = clipEnd - start - clip.start;
    if (clip.source >= 0) noteUse(clip.source, clip.id, clip.media, frames, clipEnd);
    if (const auto& mask = clip.effects.mask) noteUse(mask->source, mask->id, mask->media, frames, clipEnd);
  }
}

void PictureSupply::noteUse(int source, int id, const MediaRange& media, int64_t frames, int64_t end) {
  clipUses_[id] = {&media, end, frames};
  sourceEnds_[source] = std::max(sourceEnds_[source], end);
}

void PictureSupply::announce(const DrawList& list) {
  for (const ImageRef& ref : list.images) {
    if (ref.clip < 0) {
      if (stills_.count(ref.source) != 0) continue;
      std::packaged_task<Result<PreparedImagePtr>()> load(
          [this, source = ref.source] { return loadStill(source); });
      stills_[ref.source] = load.get_future().share();
      loads_.push(std::move(load));
      continue;
    }
    Video& video = videos_[ref.clip];
    if (video.reader == nullptr) {
      video.source = ref.source;
      const ClipUse& use = clipUses_[ref.clip];
      video.reader = std::make_unique<VideoReader>(timeline_.sources[ref.source], *use.media, use.end > end_,
                                                   wishFor(use), cancel_);
    }
    if (video.requestedUs == ref.mediaTime) continue;
    video.requestedUs = ref.mediaTime;
    video.reader->request(ref.mediaTime);
  }
}

Status PictureSupply::collect(const DrawList& list, std::vector<PreparedImagePtr>& pictures) {
  pictures.clear();
  for (const ImageRef& ref : list.images) {
    auto picture = ref.clip < 0 ? collectStill(ref.source) : collectVideo(ref);
    if (!picture.ok()) return labelled(picture.error(), ref.source);
    pictures.push_back(picture.take());
  }
  return {};
}

DecodeOptions PictureSupply::wishFor(const ClipUse& use) const {
  return {decode_, use.frames * 1'000'000 * timeline_.fps.den / timeline_.fps.num};
}

std::vector<DecodeReport> PictureSupply::decodeReports() const {
  std::vector<DecodeReport> reports = decodeReports_;
  for (const auto& [clip, video] : videos_) {
    if (video.reader != nullptr) reports.push_back(video.reader->report());
  }
  std::erase_if(reports, [](const DecodeReport& report) { return report.backend.empty(); });
  return reports;
}

void PictureSupply::release(int64_t frame) {
  std::erase_if(videos_, [&](const auto& entry) {
    const bool over = clipUses_[entry.first].end <= frame + 1;
    if (over) {
      noteDecoding(entry.second.source, entry.second.reader->decodeSeconds());
      decodeReports_.push_back(entry.second.reader->report());
    }
    return over;
  });
  std::erase_if(stills_, [&](const auto& entry) { return sourceEnds_[entry.first] <= frame + 1; });
}

Result<PreparedImagePtr> PictureSupply::loadStill(int source) {
  if (cancel_.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
  double seconds = 0;
  auto prepared = [&] {
    const Stopwatch watch(seconds);
    return prepareStill(source);
  }();
  noteDecoding(source, seconds);
  return prepared;
}

Result<PreparedImagePtr> PictureSupply::prepareStill(int source) {
  if (!compositor_.sharesImages()) return readStill(source);
  const DrawnSize& size = drawnSizes_[source];
  return shelf_->take(StillShelf::keyOf(timeline_.sources[source].path, size.width, size.height),
                      static_cast<int64_t>(size.width * size.height * kBytesPerPixel),
                      [&] { return readStill(source); });
}

Result<PreparedImagePtr> PictureSupply::readStill(int source) {
  const Source& from = timeline_.sources[source];
  const DrawnSize& size = drawnSizes_[source];
  if (from.kind == SourceKind::kSprite) {
    FW_ASSIGN_OR_RETURN(const ImagePtr sprite, readSpriteFile(from.path));
    return compositor_.prepareStill(*sprite, size.width, size.height);
  }
  if (PreparedImagePtr kept = kept_.take(compositor_, source, size)) return kept;
  FW_ASSIGN_OR_RETURN(const ImagePtr image, StillsAhead::ofProcess().take(from.path));
  FW_ASSIGN_OR_RETURN(PreparedImagePtr still, compositor_.prepareStill(*image, size.width, size.height));
  kept_.keep(compositor_, source, size, *still);
  return still;
}

Result<PreparedImagePtr> PictureSupply::collectStill(int source) {
  const Stopwatch watch(waitedSeconds_);
  const Still& still = stills_.at(source);
  // A big picture takes longer to decode than a cancel may wait.
  while (still.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (cancel_.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
  }
  return still.get();
}

Result<PreparedImagePtr> PictureSupply::collectVideo(const ImageRef& ref) {
  Video& video = videos_.at(ref.clip);
  if (video.heldUs == ref.mediaTime && video.picture != nullptr) return video.picture;
  ImagePtr image;
  {
    const Stopwatch watch(waitedSeconds_);
    FW_ASSIGN_OR_RETURN(image, video.reader->take(ref.mediaTime));
  }
  video.heldUs = ref.mediaTime;
  // A slow clip shows one picture over several frames; the pointer then stays the same.
  if (image == video.image) return video.picture;
  const DrawnSize& size = drawnSizes_[ref.source];
  FW_ASSIGN_OR_RETURN(video.picture, compositor_.prepareVideoFrame(image, size.width, size.height));
  video.image = std::move(image);
  return video.picture;
}

void PictureSupply::noteDecoding(int source, double seconds) {
  const std::lock_guard lock(decodeMutex_);
  decodeSeconds_[static_cast<size_t>(source)] += seconds;
}

std::vector<double> PictureSupply::decodeSeconds() {
  const std::lock_guard lock(decodeMutex_);
  std::vector<double> seconds = decodeSeconds_;
  for (const auto& [clip, video] : videos_) {
    if (video.reader != nullptr) seconds[static_cast<size_t>(video.source)] += video.reader->decodeSeconds();
  }
  return seconds;
}

Error PictureSupply::labelled(const Error& error, int source) const {
  const std::string& label = timeline_.sources[source].label;
  if (label.empty() || error.code == ErrorCode::CANCELLED) return error;
  return {error.code, label + ": " + error.message, error.detail};
}

}  // namespace framewright
