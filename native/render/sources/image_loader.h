#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "compositor/compositor.h"
#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "render/render.h"
#include "render/sources/still_cache.h"
#include "render/sources/still_file_cache.h"
#include "render/sources/video_reader.h"
#include "timeline/draw_list.h"
#include "timeline/timeline.h"

namespace framewright {

// Loads the images of a range of frames ahead of composing: prepares each still once, decodes video clips
// ahead and drops both after their last use. Owned and called by the composing thread.
class ImageLoader {
 public:
  // All references must outlive the loader. `end`: one past the last frame; decoders of videos that play past
  // it stay open in the DecoderCache. `decode`: whether hardware may decode. `target`: see DecodeOptions.
  ImageLoader(const Timeline& timeline, Compositor& compositor, int64_t end, HardwareDecode decode,
              const CancelToken& cancel, StillFileCache stillFiles = {},
              std::shared_ptr<const DecodeTarget> target = nullptr);
  ~ImageLoader();
  ImageLoader(const ImageLoader&) = delete;
  ImageLoader& operator=(const ImageLoader&) = delete;

  // Starts loading the list's images. Lists come in frame order.
  void prefetch(const DrawList& list);
  // Sets images[i] for list.images[i] of a prefetched list. Errors name the source's label.
  Status acquire(const DrawList& list, std::vector<PreparedImagePtr>& images);
  // Drops what only frames up to and including `frame` use.
  void release(int64_t frame);

  // Time that acquire() has waited.
  double waitedSeconds() const { return waitedSeconds_; }
  // Thread time spent on decoding and preparing, by source.
  std::vector<double> decodeSeconds() const;
  // One report per video played so far, on hosts with hardware decoding.
  std::vector<DecodeReport> decodeReports() const;
  // Faults of the videos played so far.
  std::vector<SourceFaults> faults() const;

 private:
  struct ClipUse {
    const MediaRange* media = nullptr;
    int64_t end = 0;  // one past the last frame that may show it
    int64_t frames = 0;
  };
  struct Video {
    int source = 0;
    std::unique_ptr<VideoReader> reader;
    std::optional<VideoMoment> requested, acquired;
    ImagePtr image;
    PreparedImagePtr prepared;  // of `image`
  };
  using Still = std::shared_future<Result<PreparedImagePtr>>;

  void findUses();
  void addClipUses(const std::vector<Clip>& clips, int64_t start, int64_t end, int64_t tail);
  void addUse(int source, int id, const MediaRange& media, int64_t frames, int64_t end);
  // A still as an image, or as a mask.
  using StillUse = std::pair<int, bool>;
  // Whether the colors of a mask differ from those of an image of the canvas.
  bool isMask(const ImageRef& ref) const;
  void prefetchStill(const StillUse& use);
  void prefetchVideo(const ImageRef& ref);
  // Of a canvas of 10 bits.
  std::optional<CanvasTransfer> deepCanvas() const;
  Result<PreparedImagePtr> loadStill(const StillUse& use);
  Result<PreparedImagePtr> prepareStill(int source, bool isMask = false);
  Result<PreparedImagePtr> acquireStill(const StillUse& use);
  Result<PreparedImagePtr> mixTables(const ImageRef& ref);
  // Vertices of a color table.
  Result<const std::vector<uint16_t>*> tableOf(int source);
  Result<PreparedImagePtr> acquireVideo(const ImageRef& ref);
  void addFaults(const Video& video, std::vector<SourceFaults>& faults) const;
  void addDecodeSeconds(int source, double seconds);

  const Timeline& timeline_;
  Compositor& compositor_;
  const int64_t end_;
  const HardwareDecode decode_;
  const CancelToken& cancel_;
  const StillFileCache stillFiles_;
  const std::shared_ptr<const DecodeTarget> target_;
  const std::vector<DrawnSize> drawnSizes_;
  std::map<int, ClipUse> clipUses_;  // by ImageRef::clip
  std::vector<int64_t> sourceEnds_;
  std::map<int, Video> videos_;  // by ImageRef::clip
  std::map<StillUse, Still> stills_;
  std::map<int, std::vector<uint16_t>> tables_;  // that are mixed, by source
  const std::shared_ptr<StillCache> stillCache_ = StillCache::ofProcess();
  BoundedQueue<std::packaged_task<Result<PreparedImagePtr>()>> loads_;
  std::thread loadThread_;
  double waitedSeconds_ = 0;
  std::vector<DecodeReport> finishedReports_;
  std::vector<SourceFaults> finishedFaults_;
  mutable std::mutex decodeMutex_;
  std::vector<double> decodeSeconds_;  // by source, without videos that still play
};

}  // namespace framewright
