#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/image.h"
#include "x264/lowres_frame.h"
#include "x264/macroblock_tree.h"
#include "x264/motion_field.h"

namespace framewright::x264 {

enum class FrameType {
  kIdr,  // IDR frame: no later frame refers to anything before it
  kP,    // P-frame: predicted from the preceding IDR or P-frame
  kB,    // B-frame: predicted from references on both sides
};

// How x264 is to code one frame.
struct FramePlan {
  FrameType type = FrameType::kP;
  // QP offset of each 16x16 macroblock in raster order, in quarter steps, 0 or below. Empty: 0 for all.
  std::vector<int8_t> qpOffsetsQ2;
};

struct LookaheadSettings {
  int keyframeInterval = 150;  // maximum distance between IDR frames, in frames
  int windowFrames = 10;  // frames analysed ahead of the one being planned, as long as the input has them
};

// Replaces x264's lookahead: decides frame types, scene cuts and macroblock QP offsets from luma at half
// resolution. Used by one thread at a time.
class Lookahead {
 public:
  static constexpr int kMaxBFrames = 3;  // consecutive B-frames

  explicit Lookahead(const LookaheadSettings& settings);
  ~Lookahead();

  // Adds the next frame in display order. All frames have the same size; `luma` is read during the call only.
  // `forcedType`: a type that the plan must use.
  void push(const Plane& luma, std::optional<FrameType> forcedType);
  // Marks the end of the input; the remaining plans become available.
  void end() { hasEnded_ = true; }
  // Returns the plan of the next frame in display order, or nothing while the window is not filled.
  std::optional<FramePlan> next();

 private:
  struct Frame;
  struct MiniGop;
  using FramePtr = std::shared_ptr<Frame>;

  Frame& at(int index) const;
  int bufferedCount() const { return static_cast<int>(frames_.size()); }
  const MotionField& motionField(int frame, int reference);
  double interCostRatio(int frame, int reference);
  bool isPoorlyPredicted(const MiniGop& gop);
  bool isIdrDue(int index, int64_t lastIdr) const;
  bool isSceneCut(int index, int64_t lastIdr);
  std::optional<MiniGop> nextMiniGop(int first, int64_t lastIdr);
  int shorten(int first, int last, int64_t lastIdr, bool& startsWithCut);
  std::vector<MiniGop> planMiniGops();
  void buildMacroblockTree(const std::vector<MiniGop>& gops);
  void propagateMiniGop(const MiniGop& gop);
  Reference reference(int frame, int other);
  BidirReference bidirReference(int frame, int past, int future);
  void planFirstMiniGop();

  const LookaheadSettings settings_;
  std::deque<FramePtr> frames_;  // not planned yet
  FramePtr lastReference_;       // the IDR or P-frame before them
  std::vector<LowresFrame::Memory> sparePlanes_;
  std::deque<FramePlan> plans_;
  std::shared_ptr<MotionField> latestField_;  // motion hint for the next search
  int latestDistance_ = 1;
  int64_t pushedCount_ = 0;
  int64_t lastIdr_ = 0;
  bool hasEnded_ = false;
};

}  // namespace framewright::x264
