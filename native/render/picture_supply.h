#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "compositor/compositor.h"
#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "render/kept_stills.h"
#include "render/still_shelf.h"
#include "render/video_reader.h"
#include "timeline/draw_list.h"
#include "timeline/timeline.h"

namespace framewright {

// Has the pictures of a run of frames ready when they are composed: stills are decoded and prepared once,
// video clips decode ahead, and both are dropped after their last use. The composing thread owns it.
class PictureSupply {
 public:
  // All references must outlive the supply. `end`: one past the last frame; films that play past it are left
  // open for whoever goes on there. `decode`: what films may be decoded by. `kept`: stills of earlier runs.
  PictureSupply(const Timeline& timeline, Compositor& compositor, int64_t end, HardwareDecode decode,
                const CancelToken& cancel, KeptStills kept = {});
  ~PictureSupply();
  PictureSupply(const PictureSupply&) = delete;
  PictureSupply& operator=(const PictureSupply&) = delete;

  // Starts work on what a later collect() of this list needs. Lists come in frame order.
  void announce(const DrawList& list);
  // pictures[i] for list.pictures[i]; the list was announced before. Errors name the source's label.
  Status collect(const DrawList& list, std::vector<PreparedImagePtr>& pictures);
  // Frames up to and including this one are done.
  void release(int64_t frame);

  double waitedSeconds() const { return waitedSeconds_; }
  // What decoding and preparing took, by source.
  std::vector<double> decodeSeconds();
  // Of the films that were played so far, on hosts that have more than the processor for them.
  std::vector<DecodeReport> decodeReports() const;

 private:
  struct ClipUse {
    const MediaRange* media = nullptr;
    int64_t end = 0;  // one past the last frame that may show it
    int64_t frames = 0;
  };
  struct Video {
    int source = 0;
    std::unique_ptr<VideoReader> reader;
    int64_t requestedUs = -1, heldUs = -1;
    ImagePtr image;
    PreparedImagePtr picture;
  };
  using Still = std::shared_future<Result<PreparedImagePtr>>;

  void findUses();
  void noteClips(const std::vector<Clip>& clips, int64_t start, int64_t end, int64_t tail);
  void noteUse(int source, int id, const MediaRange& media, int64_t frames, int64_t end);
  Result<PreparedImagePtr> loadStill(int source);
  Result<PreparedImagePtr> prepareStill(int source);
  Result<PreparedImagePtr> readStill(int source);
  Result<PreparedImagePtr> collectStill(int source);
  Result<PreparedImagePtr> collectVideo(const ImageRef& ref);
  DecodeOptions wishFor(const ClipUse& use) const;
  void noteDecoding(int source, double seconds);
  Error labelled(const Error& error, int source) const;

  const Timeline& timeline_;
  Compositor& compositor_;
  const int64_t end_;
  const HardwareDecode decode_;
  const CancelToken& cancel_;
  const KeptStills kept_;
  const std::vector<DrawnSize> drawnSizes_;
  std::map<int, ClipUse> clipUses_;  // by ImageRef::clip
  std::vector<int64_t> sourceEnds_;
  std::map<int, Video> videos_;  // by ImageRef::clip
  std::map<int, Still> stills_;  // by source
  const std::shared_ptr<StillShelf> shelf_ = StillShelf::ofProcess();
  BoundedQueue<std::packaged_task<Result<PreparedImagePtr>()>> loads_;
  std::thread loader_;
  double waitedSeconds_ = 0;
  std::vector<DecodeReport> decodeReports_;  // of what is over
  std::mutex decodeMutex_;
  std::vector<double> decodeSeconds_;  // by source, of what is over
};

}  // namespace framewright
