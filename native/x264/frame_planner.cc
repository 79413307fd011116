#include "x264/frame_planner.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "core/guarded.h"
#include "core/this_thread.h"
#include "libav/av_error.h"

namespace framewright::x264 {
namespace {

// The lookahead takes a fraction of the encoding time, so its queue can be short.
constexpr size_t kMaxQueuedFrames = 1;

constexpr int kMacroblock = 16;
constexpr int kQpRange = 51;
constexpr int kHundredthsPerQ2 = 25;

// QP offset of blocks that propagate nothing, so that the mean QP matches that of x264's own macroblock tree,
// which uses 5.4 (fitted to zooming photos, camera footage and noise).
constexpr double kBaseQpOffset = 5.8;

AVRegionOfInterest region(int top, int left, int bottom, int right, int offset) {
  AVRegionOfInterest region{};
  region.self_size = sizeof(region);
  region.top = top;
  region.left = left;
  region.bottom = bottom;
  region.right = right;
  region.qoffset = {offset, kQpRange * 100};
  return region;
}

// One region per run of macroblocks with equal offsets; `offset` in hundredths of a QP step.
std::vector<AVRegionOfInterest> regionsOf(const AVFrame& frame, int offset,
                                          const std::vector<int8_t>& offsetsQ2) {
  if (offsetsQ2.empty()) return {region(0, 0, frame.height, frame.width, offset)};
  std::vector<AVRegionOfInterest> regions;
  const size_t columns = static_cast<size_t>(frame.width + kMacroblock - 1) / kMacroblock;
  for (size_t first = 0; first < offsetsQ2.size();) {
    const size_t rowEnd = first - first % columns + columns;
    size_t end = first + 1;
    while (end < rowEnd && offsetsQ2[end] == offsetsQ2[first]) ++end;
    const int top = static_cast<int>(first / columns) * kMacroblock;
    const int left = static_cast<int>(first % columns) * kMacroblock;
    const int right = left + static_cast<int>(end - first) * kMacroblock;
    regions.push_back(
        region(top, left, top + kMacroblock, right, offset + kHundredthsPerQ2 * offsetsQ2[first]));
    first = end;
  }
  return regions;
}

}  // namespace

Status setQpOffsets(AVFrame& frame, double qpOffset, const std::vector<int8_t>& offsetsQ2) {
  const auto regions = regionsOf(frame, static_cast<int>(std::lround(qpOffset * 100)), offsetsQ2);
  const size_t bytes = regions.size() * sizeof(regions.front());
  AVFrameSideData* side = av_frame_new_side_data(&frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, bytes);
  if (side == nullptr) return outOfMemory("frame");
  std::memcpy(side->data, regions.data(), bytes);
  return {};
}

AVPictureType pictTypeOf(FrameType type) {
  if (type == FrameType::kIdr) return AV_PICTURE_TYPE_I;
  return type == FrameType::kP ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_B;
}

FramePlanner::FramePlanner(const LookaheadSettings& settings)
    : delay_(static_cast<size_t>(settings.windowFrames + Lookahead::kMaxBFrames + 1)),
      lookahead_(settings),
      inputs_(kMaxQueuedFrames),
      thread_([this] { run(); }) {}

FramePlanner::~FramePlanner() {
  isStopping_ = true;
  inputs_.abort();
  thread_.join();
}

void FramePlanner::push(FramePtr frame, std::optional<FrameType> forcedType, double qpOffset) {
  const Plane luma{frame->data[0], frame->linesize[0], frame->width, frame->height};
  pending_.push_back({std::move(frame), qpOffset});
  inputs_.push({luma, forcedType});  // refused after a failure, which next() reports
}

void FramePlanner::end() {
  hasEnded_ = true;
  inputs_.close();
}

Result<FramePtr> FramePlanner::next() {
  if (!hasEnded_ && pending_.size() <= delay_) return FramePtr();
  FW_ASSIGN_OR_RETURN(const std::optional<FramePlan> plan, nextPlan());
  if (!plan) return FramePtr();
  PendingFrame next = std::move(pending_.front());
  pending_.pop_front();
  next.frame->pict_type = pictTypeOf(plan->type);
  FW_RETURN_IF_ERROR(setQpOffsets(*next.frame, next.qpOffset + kBaseQpOffset, plan->qpOffsetsQ2));
  return std::move(next.frame);
}

Result<std::optional<FramePlan>> FramePlanner::nextPlan() {
  std::unique_lock lock(mutex_);
  if (hasEnded_ && !pending_.empty()) planReady_.wait(lock, [&] { return !plans_.empty() || !status_.ok(); });
  FW_RETURN_IF_ERROR(status_);
  if (plans_.empty()) return std::optional<FramePlan>();
  std::optional<FramePlan> plan = std::move(plans_.front());
  plans_.pop_front();
  return plan;
}

void FramePlanner::run() {
  nameThisThread("fw-plan");
  const Status status = guarded([&] { return runLookahead(); });
  if (status.ok()) return;
  inputs_.abort();
  const std::lock_guard lock(mutex_);
  status_ = status;
  planReady_.notify_all();
}

Status FramePlanner::runLookahead() {
  while (const auto input = inputs_.pop()) {
    lookahead_.push(input->luma, input->forcedType);
    publishPlans();
  }
  lookahead_.end();
  publishPlans();
  return {};
}

void FramePlanner::publishPlans() {
  while (!isStopping_) {
    std::optional<FramePlan> plan = lookahead_.next();
    if (!plan) return;
    const std::lock_guard lock(mutex_);
    plans_.push_back(std::move(*plan));
    planReady_.notify_all();
  }
}

}  // namespace framewright::x264
