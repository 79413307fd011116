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

namespace framewright::x264 {

// Attaches regions of interest to a frame: `qpOffset` in QP steps for the whole frame, plus a per-macroblock
// offset in quarter steps (empty: none). x264 applies them when adaptive quantisation is on. Fails with
// OUT_OF_MEMORY.
Status setQpOffsets(AVFrame& frame, double qpOffset, const std::vector<int8_t>& offsetsQ2 = {});

// The AVFrame::pict_type that requests this frame type from the encoder.
AVPictureType pictTypeOf(FrameType type);

// Runs the lookahead on a thread of its own and attaches its plans to the frames on their way to x264. The
// plans do not depend on timing. Used by one thread.
class FramePlanner {
 public:
  explicit FramePlanner(const LookaheadSettings& settings);
  ~FramePlanner();

  // Adds the next frame in display order; its luma is in host memory. `forcedType`: a type that the plan must
  // use; `qpOffset` in QP steps. Blocks while the lookahead is behind.
  void push(FramePtr frame, std::optional<FrameType> forcedType, double qpOffset);
  // Marks the end of the input.
  void end();
  // Returns the next planned frame in display order; null when none is due yet or, after end(), when none is
  // left. Fails with OUT_OF_MEMORY.
  Result<FramePtr> next();

 private:
  struct LookaheadInput {
    Plane luma;  // of a frame in pending_
    std::optional<FrameType> forcedType;
  };
  struct PendingFrame {
    FramePtr frame;
    double qpOffset = 0;
  };

  void run();
  Status runLookahead();
  void publishPlans();
  Result<std::optional<FramePlan>> nextPlan();

  const size_t delay_;  // frames held back, so that x264 receives them evenly although plans come in groups
  Lookahead lookahead_;
  BoundedQueue<LookaheadInput> inputs_;
  std::deque<PendingFrame> pending_;
  bool hasEnded_ = false;
  std::atomic<bool> isStopping_ = false;
  std::mutex mutex_;
  std::condition_variable planReady_;
  std::deque<FramePlan> plans_;
  Status status_;
  std::thread thread_;
};

}  // namespace framewright::x264
