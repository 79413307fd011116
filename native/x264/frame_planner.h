#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/bounded_queue.h"
#include "core/result.h"
#include "libav/av_handle.h"
#include "x264/lookahead.h"

namespace framewright {

// All of the picture is finer by so many steps of the quantiser (below 0: coarser), and each macroblock, row
// by row, by so many quarters of one besides; none are named: by none. x264 with adaptive quantisation heeds
// it.
Status setQuality(AVFrame& frame, double steps, const std::vector<uint8_t>& quarters = {});

// The type that an encoder is asked for.
AVPictureType pictureType(PictureKind kind);

// Frames on their way to x264, which are told how they are to be coded: by a thread of its own, since x264
// would wait otherwise. What comes out does not depend on when. One other thread at a time.
class PicturePlanner {
 public:
  explicit PicturePlanner(const LookaheadSettings& settings);
  ~PicturePlanner();

  // The next frame in order; its luma is in memory. `kind`: what it has to be; `finer`: steps of the
  // quantiser. Waits where many have not been looked at.
  void push(FramePtr frame, std::optional<PictureKind> kind, double finer);
  // No other frame comes.
  void end();
  // The next frame in order; null when none is due yet or, after end(), when there are no more. Fails with
  // OUT_OF_MEMORY.
  Result<FramePtr> next();

 private:
  struct Seen {
    Plane luma;  // of a frame that waits
    std::optional<PictureKind> kind;
  };
  struct Waiting {
    FramePtr frame;
    double finer = 0;
  };

  void plan();
  Status planAll();
  void publish();
  Result<std::optional<PicturePlan>> nextPlan();

  const size_t kept_;  // frames that stay behind, so that x264 gets one by one what is planned in groups
  Lookahead lookahead_;
  BoundedQueue<Seen> seen_;
  std::deque<Waiting> waiting_;
  bool ended_ = false;
  std::atomic<bool> isDropped_ = false;
  std::mutex mutex_;
  std::condition_variable planned_;
  std::deque<PicturePlan> plans_;
  Status status_;
  std::thread thread_;
};

}  // namespace framewright
