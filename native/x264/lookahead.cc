#include "x264/lookahead.h"

#include <algorithm>
#include <map>
#include <utility>

namespace framewright::x264 {
namespace {

// Ratio of inter cost to intra cost above which a scene cut is searched for.
constexpr double kCutSearchRatio = 0.5;
// Share of intra blocks in the last frame above which a mini-GOP is too long (compare x264's `b-adapt=1`).
constexpr double kMaxIntraShareLong = 1.0 / 3, kMaxIntraShareShort = 1.0 / 2;
// Inter/intra cost ratio of a scene cut, at the maximum and minimum distance from the last IDR frame (compare
// x264's `scenecut=40`).
constexpr double kCutRatioLate = 0.6;
constexpr double kCutRatioEarly = 0.975;

}  // namespace

struct Lookahead::Frame {
  Frame(const Plane& luma, int64_t number, std::optional<FrameType> forcedType, LowresFrame::Memory memory)
      : lowres(luma, std::move(memory)),
        number(number),
        forcedType(forcedType),
        propagateCosts(static_cast<size_t>(lowres.blockCount())) {}

  LowresFrame lowres;
  const int64_t number;
  const std::optional<FrameType> forcedType;
  PropagateCosts propagateCosts;
  std::vector<std::pair<int64_t, std::shared_ptr<MotionField>>> fields;  // by the reference's number
  std::map<std::pair<int64_t, int64_t>, BidirCosts> bidirCosts;          // by both references' numbers
};

// B-frames and the P-frame that ends them (`last`), or a single IDR frame.
struct Lookahead::MiniGop {
  int first = 0;
  int last = 0;
  bool isIdr = false;

  // The B-frame that the others refer to (b-pyramid); none with fewer than two B-frames.
  std::optional<int> middle() const {
    const int bFrames = last - first;
    return bFrames < 2 ? std::nullopt : std::optional(first + bFrames / 2);
  }
};

Lookahead::Lookahead(const LookaheadSettings& settings) : settings_(settings) {}

Lookahead::~Lookahead() = default;

void Lookahead::push(const Plane& luma, std::optional<FrameType> forcedType) {
  LowresFrame::Memory memory;
  if (!sparePlanes_.empty()) {
    memory = std::move(sparePlanes_.back());
    sparePlanes_.pop_back();
  }
  frames_.push_back(std::make_shared<Frame>(luma, pushedCount_++, forcedType, std::move(memory)));
}

std::optional<FramePlan> Lookahead::next() {
  const bool isWindowFull = hasEnded_ || bufferedCount() > settings_.windowFrames + kMaxBFrames;
  if (plans_.empty() && isWindowFull && !frames_.empty()) planFirstMiniGop();
  if (plans_.empty()) return std::nullopt;
  FramePlan plan = std::move(plans_.front());
  plans_.pop_front();
  return plan;
}

// Index -1 is the reference before the buffered frames.
Lookahead::Frame& Lookahead::at(int index) const {
  return index < 0 ? *lastReference_ : *frames_[static_cast<size_t>(index)];
}

const MotionField& Lookahead::motionField(int frame, int reference) {
  Frame& from = at(frame);
  const Frame& to = at(reference);
  for (const auto& [number, field] : from.fields)
    if (number == to.number) return *field;
  const auto distance = static_cast<int>(from.number - to.number);
  const MotionHint hint{latestField_.get(), distance, latestDistance_};
  auto field = std::make_shared<MotionField>(searchMotion(from.lowres, to.lowres, hint));
  latestField_ = field;
  latestDistance_ = distance;
  from.fields.emplace_back(to.number, std::move(field));
  return *latestField_;
}

double Lookahead::interCostRatio(int frame, int reference) {
  return static_cast<double>(motionField(frame, reference).cost) /
         static_cast<double>(at(frame).lowres.intraCost());
}

// In a crossfade the P-frame has little in common with the reference before it, but the B-frames are
// predicted well from both, so the middle frame has to agree.
bool Lookahead::isPoorlyPredicted(const MiniGop& gop) {
  const int before = gop.first - 1;
  const double maxIntraBlocks = (gop.last > gop.first + 1 ? kMaxIntraShareLong : kMaxIntraShareShort) *
                                at(gop.last).lowres.blockCount();
  if (motionField(gop.last, before).intraBlockCount <= maxIntraBlocks) return false;
  const int middle = gop.middle().value_or(gop.first);
  return intraBlockCount(at(middle).lowres, bidirReference(middle, before, gop.last)) > maxIntraBlocks;
}

bool Lookahead::isIdrDue(int index, int64_t lastIdr) const {
  return (index == 0 && lastReference_ == nullptr) || at(index).forcedType == FrameType::kIdr ||
         at(index).number - lastIdr >= settings_.keyframeInterval;
}

// The threshold falls with the distance from the last IDR frame: soon after one, only an unrelated frame is
// worth another.
bool Lookahead::isSceneCut(int index, int64_t lastIdr) {
  const double distance =
      std::min(1.0, static_cast<double>(at(index).number - lastIdr) / settings_.keyframeInterval);
  const double threshold = kCutRatioEarly + (kCutRatioLate - kCutRatioEarly) * distance;
  if (interCostRatio(index, index - 1) < threshold) return false;
  // After a flash the next frame matches the one before the flash.
  return index + 1 >= bufferedCount() || interCostRatio(index + 1, index - 1) >= threshold;
}

std::optional<Lookahead::MiniGop> Lookahead::nextMiniGop(int first, int64_t lastIdr) {
  if (first >= bufferedCount()) return std::nullopt;
  if (isIdrDue(first, lastIdr)) return MiniGop{first, first, true};
  int last = first;
  while (last < first + kMaxBFrames && at(last).forcedType != FrameType::kP) {
    if (last + 1 < bufferedCount() && !isIdrDue(last + 1, lastIdr)) {
      ++last;
      continue;
    }
    // The window ends inside this mini-GOP. The first one is always complete.
    if (last + 1 >= bufferedCount() && !hasEnded_ && first > 0) return std::nullopt;
    break;
  }
  bool startsWithCut = false;
  last = shorten(first, last, lastIdr, startsWithCut);
  return MiniGop{first, last, startsWithCut};
}

// Ends a poorly predicted mini-GOP before a scene cut, or halves it until prediction works.
int Lookahead::shorten(int first, int last, int64_t lastIdr, bool& startsWithCut) {
  if (interCostRatio(last, first - 1) <= kCutSearchRatio) return last;
  for (int i = first; i <= last; ++i) {
    if (!isSceneCut(i, lastIdr)) continue;
    startsWithCut = i == first;
    return std::max(first, i - 1);
  }
  while (last > first && isPoorlyPredicted({first, last})) last = first + (last - first + 1) / 2 - 1;
  return last;
}

std::vector<Lookahead::MiniGop> Lookahead::planMiniGops() {
  std::vector<MiniGop> gops;
  int64_t lastIdr = lastIdr_;
  int first = 0;
  while (const auto gop = nextMiniGop(first, lastIdr)) {
    if (gop->isIdr) lastIdr = at(gop->first).number;
    gops.push_back(*gop);
    first = gop->last + 1;
  }
  return gops;
}

Reference Lookahead::reference(int frame, int other) {
  Frame& to = at(other);
  return {&to.lowres, &motionField(frame, other), &to.propagateCosts};
}

BidirReference Lookahead::bidirReference(int frame, int past, int future) {
  BidirReference both{reference(frame, past), reference(frame, future)};
  BidirCosts& costs = at(frame).bidirCosts[{at(past).number, at(future).number}];
  if (costs.empty()) costs = computeBidirCosts(at(frame).lowres, both.past, both.future);
  both.costs = &costs;
  return both;
}

void Lookahead::propagateMiniGop(const MiniGop& gop) {
  if (gop.isIdr) return;
  const int before = gop.first - 1;
  const auto propagateB = [&](int frame, int past, int future) {
    propagate(at(frame).lowres, at(frame).propagateCosts, bidirReference(frame, past, future));
  };
  const std::optional<int> middle = gop.middle();
  for (int i = gop.first; i < gop.last; ++i) {
    if (i == middle) continue;
    propagateB(i, middle && i > *middle ? *middle : before, middle && i < *middle ? *middle : gop.last);
  }
  if (middle) propagateB(*middle, before, gop.last);
  propagate(at(gop.last).lowres, at(gop.last).propagateCosts, reference(gop.last, before));
}

void Lookahead::buildMacroblockTree(const std::vector<MiniGop>& gops) {
  for (const FramePtr& frame : frames_)
    std::fill(frame->propagateCosts.begin(), frame->propagateCosts.end(), 0);
  for (auto gop = gops.rbegin(); gop != gops.rend(); ++gop) propagateMiniGop(*gop);
}

void Lookahead::planFirstMiniGop() {
  const std::vector<MiniGop> gops = planMiniGops();
  buildMacroblockTree(gops);
  const MiniGop& first = gops.front();
  const std::optional<int> middle = first.middle();
  for (int i = 0; i <= first.last; ++i) {
    const Frame& frame = at(i);
    FramePlan plan{FrameType::kB, {}};
    if (i == first.last) plan.type = first.isIdr ? FrameType::kIdr : FrameType::kP;
    if (i == first.last || i == middle) plan.qpOffsetsQ2 = qpOffsetsQ2(frame.lowres, frame.propagateCosts);
    plans_.push_back(std::move(plan));
  }
  if (lastReference_ != nullptr) sparePlanes_.push_back(lastReference_->lowres.takeMemory());
  for (int i = 0; i < first.last; ++i) sparePlanes_.push_back(at(i).lowres.takeMemory());
  lastReference_ = frames_[static_cast<size_t>(first.last)];
  lastReference_->fields.clear();
  lastReference_->bidirCosts.clear();
  if (first.isIdr) lastIdr_ = lastReference_->number;
  frames_.erase(frames_.begin(), frames_.begin() + first.last + 1);
}

}  // namespace framewright::x264
