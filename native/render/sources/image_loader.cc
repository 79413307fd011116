#include "render/sources/image_loader.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "compositor/plan/effects/grade_table.h"
#include "core/stopwatch.h"
#include "core/this_thread.h"
#include "formats/color_table_file.h"
#include "formats/sprite_file.h"
#include "libav/decode/still_decoder.h"
#include "render/sources/still_predecoder.h"

namespace framewright {
namespace {

constexpr size_t kMaxLoads = 65536;     // at most one per source, so that prefetch() does not block
constexpr double kBytesPerPixel = 2.5;  // of a prepared still with its mip levels, roughly
constexpr std::chrono::milliseconds kCancelInterval{20};

// The same samples, marked as a mask.
ImagePtr asMask(const ImagePtr& image) {
  Plane planes[3];
  for (int i = 0; i < image->planeCount(); ++i) planes[i] = image->plane(i);
  const auto mask = Image::wrap(image->format(), image->width(), image->height(), planes, image);
  mask->siting = image->siting;
  mask->isMask = true;
  return mask;
}

VideoMoment momentOf(const ImageRef& ref) { return {ref.mediaTime, ref.mediaStep}; }

}  // namespace

ImageLoader::ImageLoader(const Timeline& timeline, Compositor& compositor, int64_t end, HardwareDecode decode,
                         const CancelToken& cancel, StillFileCache stillFiles,
                         std::shared_ptr<const DecodeTarget> target)
    : timeline_(timeline),
      compositor_(compositor),
      end_(end),
      decode_(decode),
      cancel_(cancel),
      stillFiles_(std::move(stillFiles)),
      target_(std::move(target)),
      drawnSizes_(largestDrawnSizes(timeline)),
      sourceEnds_(timeline.sources.size(), 0),
      loads_(kMaxLoads),
      decodeSeconds_(timeline.sources.size(), 0) {
  findUses();
  loadThread_ = std::thread([this] {
    nameThisThread("fw-stills");
    while (auto load = loads_.pop()) (*load)();
  });
}

ImageLoader::~ImageLoader() {
  loads_.abort();
  loadThread_.join();
}

void ImageLoader::findUses() {
  addClipUses(timeline_.under, 0, timeline_.frames, 0);
  for (size_t i = 0; i < timeline_.sections.size(); ++i) {
    const Section& section = timeline_.sections[i];
    const bool isLast = i + 1 == timeline_.sections.size();
    const auto& next = isLast ? std::optional<Transition>() : timeline_.sections[i + 1].transition;
    // A section's last frame stays during the transition after it, or to the movie's end.
    const int64_t end = section.start + section.frames;
    const int64_t tail = isLast ? std::max<int64_t>(0, timeline_.frames - end) : next ? next->frames : 0;
    addClipUses(section.clips, section.start, end, tail);
    if (const auto& transition = section.transition; transition && transition->luma >= 0) {
      int64_t& lumaEnd = sourceEnds_[transition->luma];
      lumaEnd = std::max(lumaEnd, section.start + transition->frames);
    }
  }
  addClipUses(timeline_.over, 0, timeline_.frames, 0);
}

void ImageLoader::addClipUses(const std::vector<Clip>& clips, int64_t start, int64_t end, int64_t tail) {
  forEachClip(clips, [&](const Clip& clip, int64_t clipStart) {
    const int64_t clipEnd = std::min(start + clipStart + clip.frames, end) + tail;
    const int64_t frames = clipEnd - start - clipStart;
    if (clip.source >= 0) addUse(clip.source, clip.id, clip.media, frames, clipEnd);
    if (clip.effects.grade) {
      for (const int table : clip.effects.grade->sources)
        sourceEnds_[table] = std::max(sourceEnds_[table], clipEnd);
    }
    if (const auto& mask = clip.effects.mask) addUse(mask->source, mask->id, mask->media, frames, clipEnd);
  });
}

void ImageLoader::addUse(int source, int id, const MediaRange& media, int64_t frames, int64_t end) {
  clipUses_[id] = {&media, end, frames};
  sourceEnds_[source] = std::max(sourceEnds_[source], end);
}

void ImageLoader::prefetch(const DrawList& list) {
  for (const ImageRef& ref : list.images) {
    // Mixed tables differ from frame to frame.
    if (ref.mixedWith >= 0) continue;
    ref.clip < 0 ? prefetchStill({ref.source, isMask(ref)}) : prefetchVideo(ref);
  }
}

bool ImageLoader::isMask(const ImageRef& ref) const {
  const auto color = compositor_.deepColor();
  return ref.isMask && color && *color != CanvasColor{};
}

void ImageLoader::prefetchStill(const StillUse& use) {
  if (stills_.count(use) != 0) return;
  std::packaged_task<Result<PreparedImagePtr>()> load([this, use] {
    double seconds = 0;
    auto still = [&] {
      const Stopwatch watch(seconds);
      return loadStill(use);
    }();
    addDecodeSeconds(use.first, seconds);
    return still;
  });
  stills_[use] = load.get_future().share();
  loads_.push(std::move(load));
}

void ImageLoader::prefetchVideo(const ImageRef& ref) {
  Video& video = videos_[ref.clip];
  if (video.reader == nullptr) {
    const ClipUse& use = clipUses_[ref.clip];
    const Source& source = timeline_.sources[ref.source];
    const int64_t playedUs = use.frames * 1'000'000 * timeline_.fps.den / timeline_.fps.num;
    video.source = ref.source;
    DecodeOptions options{decode_,      playedUs, source.deinterlace, use.media->isReversed,
                          deepCanvas(), target_};
    if (isMask(ref)) {
      options.canvas = CanvasTransfer::kSdr;
      options.target = nullptr;
    }
    video.reader = std::make_unique<VideoReader>(source, *use.media, use.end > end_, options, cancel_);
  }
  const VideoMoment moment = momentOf(ref);
  if (video.requested == moment) return;
  video.requested = moment;
  video.reader->request(moment);
}

Status ImageLoader::acquire(const DrawList& list, std::vector<PreparedImagePtr>& images) {
  images.clear();
  for (const ImageRef& ref : list.images) {
    auto image = ref.mixedWith >= 0 ? mixTables(ref)
                 : ref.clip < 0     ? acquireStill({ref.source, isMask(ref)})
                                    : acquireVideo(ref);
    if (!image.ok()) return labelledError(image.error(), timeline_.sources[ref.source]);
    images.push_back(image.take());
  }
  return {};
}

std::vector<DecodeReport> ImageLoader::decodeReports() const {
  std::vector<DecodeReport> reports = finishedReports_;
  for (const auto& [clip, video] : videos_) reports.push_back(video.reader->report());
  std::erase_if(reports, [](const DecodeReport& report) { return report.backend.empty(); });
  return reports;
}

std::vector<SourceFaults> ImageLoader::faults() const {
  std::vector<SourceFaults> faults = finishedFaults_;
  for (const auto& [clip, video] : videos_) addFaults(video, faults);
  return faults;
}

void ImageLoader::addFaults(const Video& video, std::vector<SourceFaults>& faults) const {
  const DecodeFaults found = video.reader->faults();
  const auto source = static_cast<size_t>(video.source);
  if (found.any())
    faults.push_back({timeline_.sources[source].label, static_cast<double>(found.lostUs) / 1e6});
}

void ImageLoader::release(int64_t frame) {
  std::erase_if(videos_, [&](const auto& entry) {
    const auto& [clip, video] = entry;
    const bool isOver = clipUses_[clip].end <= frame + 1;
    if (isOver) {
      addDecodeSeconds(video.source, video.reader->decodeSeconds());
      finishedReports_.push_back(video.reader->report());
      addFaults(video, finishedFaults_);
    }
    return isOver;
  });
  std::erase_if(stills_, [&](const auto& entry) { return sourceEnds_[entry.first.first] <= frame + 1; });
  std::erase_if(tables_, [&](const auto& entry) { return sourceEnds_[entry.first] <= frame + 1; });
}

std::optional<CanvasTransfer> ImageLoader::deepCanvas() const {
  const auto color = compositor_.deepColor();
  return color ? std::optional(color->transfer) : std::nullopt;
}

Result<PreparedImagePtr> ImageLoader::loadStill(const StillUse& use) {
  const int source = use.first;
  if (cancel_.cancelled()) return cancelledError();
  if (!compositor_.sharesImages()) return prepareStill(source, use.second);
  const DrawnSize& size = drawnSizes_[source];
  const bool isTable = timeline_.sources[source].kind == SourceKind::kColorTable;
  return stillCache_->get(
      StillCache::keyOf(timeline_.sources[source].path, size.width, size.height),
      isTable ? kGradeTableBytes : static_cast<int64_t>(size.width * size.height * kBytesPerPixel),
      [&] { return prepareStill(source); });
}

Result<PreparedImagePtr> ImageLoader::prepareStill(int source, bool isMask) {
  const Source& from = timeline_.sources[source];
  const DrawnSize& size = drawnSizes_[source];
  if (from.kind == SourceKind::kColorTable) {
    FW_ASSIGN_OR_RETURN(const std::vector<uint16_t> vertices, readColorTableFile(from.path));
    FW_ASSIGN_OR_RETURN(ImagePtr table, gradeTableImage(vertices));
    return compositor_.prepareVideoFrame(std::move(table), 0, 0);
  }
  if (from.kind == SourceKind::kSprite) {
    FW_ASSIGN_OR_RETURN(ImagePtr sprite, readSpriteFile(from.path));
    if (isMask) sprite = asMask(sprite);
    return compositor_.prepareStill(*sprite, size.width, size.height);
  }
  if (PreparedImagePtr cached = stillFiles_.read(compositor_, source, size)) return cached;
  const std::optional<CanvasTransfer> canvas = isMask ? CanvasTransfer::kSdr : deepCanvas();
  FW_ASSIGN_OR_RETURN(ImagePtr image,
                      canvas ? decodeStill(from.path, canvas) : StillPredecoder::ofProcess().take(from.path));
  if (isMask) image = asMask(image);
  FW_ASSIGN_OR_RETURN(PreparedImagePtr still, compositor_.prepareStill(*image, size.width, size.height));
  stillFiles_.write(compositor_, source, size, *still);
  return still;
}

Result<PreparedImagePtr> ImageLoader::mixTables(const ImageRef& ref) {
  FW_ASSIGN_OR_RETURN(const std::vector<uint16_t>* from, tableOf(ref.source));
  FW_ASSIGN_OR_RETURN(const std::vector<uint16_t>* to, tableOf(ref.mixedWith));
  std::vector<uint16_t> mixed(from->size());
  std::transform(from->begin(), from->end(), to->begin(), mixed.begin(), [&](int a, int b) {
    return static_cast<uint16_t>(a + ((b - a) * ref.mixShare + kMaxMixShare / 2) / kMaxMixShare);
  });
  FW_ASSIGN_OR_RETURN(ImagePtr table, gradeTableImage(mixed));
  return compositor_.prepareVideoFrame(std::move(table), 0, 0);
}

Result<const std::vector<uint16_t>*> ImageLoader::tableOf(int source) {
  auto found = tables_.find(source);
  if (found == tables_.end()) {
    FW_ASSIGN_OR_RETURN(std::vector<uint16_t> table, readColorTableFile(timeline_.sources[source].path));
    found = tables_.emplace(source, std::move(table)).first;
  }
  return &found->second;
}

Result<PreparedImagePtr> ImageLoader::acquireStill(const StillUse& use) {
  const Stopwatch watch(waitedSeconds_);
  const Still& still = stills_.at(use);
  // A large image takes longer to decode than a cancellation may.
  while (still.wait_for(kCancelInterval) != std::future_status::ready) {
    if (cancel_.cancelled()) return cancelledError();
  }
  return still.get();
}

Result<PreparedImagePtr> ImageLoader::acquireVideo(const ImageRef& ref) {
  Video& video = videos_.at(ref.clip);
  const VideoMoment moment = momentOf(ref);
  if (video.acquired == moment && video.prepared != nullptr) return video.prepared;
  ImagePtr image;
  {
    const Stopwatch watch(waitedSeconds_);
    FW_ASSIGN_OR_RETURN(image, video.reader->take(moment));
  }
  video.acquired = moment;
  // A slow clip shows one image for several frames; the pointer stays the same.
  if (image == video.image) return video.prepared;
  const DrawnSize& size = drawnSizes_[ref.source];
  const ImagePtr drawn = isMask(ref) ? asMask(image) : image;
  FW_ASSIGN_OR_RETURN(video.prepared, compositor_.prepareVideoFrame(drawn, size.width, size.height));
  video.image = std::move(image);
  return video.prepared;
}

void ImageLoader::addDecodeSeconds(int source, double seconds) {
  const std::lock_guard lock(decodeMutex_);
  decodeSeconds_[static_cast<size_t>(source)] += seconds;
}

std::vector<double> ImageLoader::decodeSeconds() const {
  const std::lock_guard lock(decodeMutex_);
  std::vector<double> seconds = decodeSeconds_;
  for (const auto& [clip, video] : videos_) {
    seconds[static_cast<size_t>(video.source)] += video.reader->decodeSeconds();
  }
  return seconds;
}

}  // namespace framewright
