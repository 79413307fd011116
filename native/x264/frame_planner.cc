#include "x264/frame_planner.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "core/guarded.h"
#include "core/this_thread.h"
#include "libav/av_error.h"

namespace framewright {
namespace {

// Frames that may wait to be looked at: looking takes a fraction of encoding.
constexpr size_t kMostUnseen = 1;

constexpr int kMacroblock = 16;
constexpr int kQuantiserRange = 51;
constexpr int kHundredthsInQuarter = 25;

// By how much blocks that nothing is made from are coarser than the rate factor says, so that all come out as
// with x264's own macroblock tree, where it is 5.4 (fitted to photos that come nearer, film and noise).
constexpr double kCoarser = 5.8;

AVRegionOfInterest region(int top, int left, int bottom, int right, int offset) {
  AVRegionOfInterest region{};
  region.self_size = sizeof(region);
  region.top = top;
  region.left = left;
  region.bottom = bottom;
  region.right = right;
  region.qoffset = {offset, kQuantiserRange * 100};
  return region;
}

// One for each run of macroblocks that are alike.
std::vector<AVRegionOfInterest> regionsOf(const AVFrame& frame, int offset,
                                          const std::vector<uint8_t>& quarters) {
  if (quarters.empty()) return {region(0, 0, frame.height, frame.width, offset)};
  std::vector<AVRegionOfInterest> regions;
  const size_t columns = static_cast<size_t>(frame.width + kMacroblock - 1) / kMacroblock;
  for (size_t first = 0; first < quarters.size();) {
    const size_t rowEnd = first - first % columns + columns;
    size_t end = first + 1;
    while (end < rowEnd && quarters[end] == quarters[first]) ++end;
    const int top = static_cast<int>(first / columns) * kMacroblock;
    const int left = static_cast<int>(first % columns) * kMacroblock;
    const int right = left + static_cast<int>(end - first) * kMacroblock;
    regions.push_back(
        region(top, left, top + kMacroblock, right, offset - kHundredthsInQuarter * quarters[first]));
    first = end;
  }
  return regions;
}

}  // namespace

Status setQuality(AVFrame& frame, double steps, const std::vector<uint8_t>& quarters) {
  const auto regions = regionsOf(frame, -static_cast<int>(std::lround(steps * 100)), quarters);
  const size_t bytes = regions.size() * sizeof(regions.front());
  AVFrameSideData* side = av_frame_new_side_data(&frame, AV_FRAME_DATA_REGIONS_OF_INTEREST, bytes);
  if (side == nullptr) return avError(ErrorCode::OUT_OF_MEMORY, "frame", AVERROR(ENOMEM));
  std::memcpy(side->data, regions.data(), bytes);
  return {};
}

AVPictureType pictureType(PictureKind kind) {
  if (kind == PictureKind::kKey) return AV_PICTURE_TYPE_I;
  return kind == PictureKind::kReference ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_B;
}

PicturePlanner::PicturePlanner(const LookaheadSettings& settings)
    : kept_(static_cast<size_t>(settings.pictures + Lookahead::kMostBetween + 1)),
      lookahead_(settings),
      seen_(kMostUnseen),
      thread_([this] { plan(); }) {}

PicturePlanner::~PicturePlanner() {
  isDropped_ = true;
  seen_.abort();
  thread_.join();
}

void PicturePlanner::push(FramePtr frame, std::optional<PictureKind> kind, double finer) {
  const Plane luma{frame->data[0], frame->linesize[0], frame->width, frame->height};
  waiting_.push_back({std::move(frame), finer});
  seen_.push({luma, kind});  // refused after a failure, which next() tells
}

void PicturePlanner::end() {
  ended_ = true;
  seen_.close();
}

Result<FramePtr> PicturePlanner::next() {
  if (!ended_ && waiting_.size() <= kept_) return FramePtr();
  FW_ASSIGN_OR_RETURN(const std::optional<PicturePlan> plan, nextPlan());
  if (!plan) return FramePtr();
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  next.frame->pict_type = pictureType(plan->kind);
  FW_RETURN_IF_ERROR(setQuality(*next.frame, next.finer - kCoarser, plan->finer));
  return std::move(next.frame);
}

Result<std::optional<PicturePlan>> PicturePlanner::nextPlan() {
  std::unique_lock lock(mutex_);
  if (ended_ && !waiting_.empty()) planned_.wait(lock, [&] { return !plans_.empty() || !status_.ok(); });
  FW_RETURN_IF_ERROR(status_);
  if (plans_.empty()) return std::optional<PicturePlan>();
  std::optional<PicturePlan> plan = std::move(plans_.front());
  plans_.pop_front();
  return plan;
}

void PicturePlanner::plan() {
  nameThisThread("fw-plan");
  const Status status = guarded([&] { return planAll(); });
  if (status.ok()) return;
  seen_.abort();
  const std::lock_guard lock(mutex_);
  status_ = status;
  planned_.notify_all();
}

Status PicturePlanner::planAll() {
  while (const auto seen = seen_.pop()) {
    lookahead_.push(seen->luma, seen->kind);
    publish();
  }
  lookahead_.end();
  publish();
  return {};
}

void PicturePlanner::publish() {
  while (!isDropped_) {
    std::optional<PicturePlan> plan = lookahead_.next();
    if (!plan) return;
    const std::lock_guard lock(mutex_);
    plans_.push_back(std::move(*plan));
    planned_.notify_all();
  }
}

}  // namespace framewright
