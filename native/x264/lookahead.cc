#include "x264/lookahead.h"

#include <algorithm>
#include <map>
#include <utility>

namespace framewright {
namespace {

// Of what a picture costs on its own, what is left with motion from the reference before it: above it, a cut
// may lie between.
constexpr double kDoubtfulShare = 0.5;
// Of all blocks, those that motion from there makes nothing of: with more, pictures are coded better from
// nearer ones (as x264 has it with `b-adapt` 1).
constexpr double kLostInFour = 1.0 / 3, kLostInTwo = 1.0 / 2;
// What is left across a cut, at the longest and the shortest distance from the key picture before (as x264
// weighs `scenecut` 40).
constexpr double kCutShareLate = 0.6;
constexpr double kCutShareEarly = 0.975;

}  // namespace

struct Lookahead::Picture {
  Picture(const Plane& luma, int64_t number, std::optional<PictureKind> kind, SmallPicture::Memory memory)
      : small(luma, std::move(memory)),
        number(number),
        kind(kind),
        carriedOn(static_cast<size_t>(small.blocks())) {}

  SmallPicture small;
  const int64_t number;
  const std::optional<PictureKind> kind;  // that it has to be
  CarriedOn carriedOn;
  std::vector<std::pair<int64_t, std::shared_ptr<MotionField>>> fields;  // by the other's number
  std::map<std::pair<int64_t, int64_t>, BothCosts> costs;                // by the numbers of the two
};

// Pictures between a reference and the next, which is the last of them; or a key picture alone.
struct Lookahead::Group {
  int first = 0;
  int last = 0;
  bool isKey = false;

  // That others between are made from; none where there are less than two.
  std::optional<int> middle() const {
    const int between = last - first;
    return between < 2 ? std::nullopt : std::optional(first + between / 2);
  }
};

Lookahead::Lookahead(const LookaheadSettings& settings) : settings_(settings) {}

Lookahead::~Lookahead() = default;

void Lookahead::push(const Plane& luma, std::optional<PictureKind> kind) {
  SmallPicture::Memory memory;
  if (!spare_.empty()) {
    memory = std::move(spare_.back());
    spare_.pop_back();
  }
  pictures_.push_back(std::make_shared<Picture>(luma, pushed_++, kind, std::move(memory)));
}

std::optional<PicturePlan> Lookahead::next() {
  const bool isKnown = ended_ || known() > settings_.pictures + kMostBetween;
  if (plans_.empty() && isKnown && !pictures_.empty()) planFirst();
  if (plans_.empty()) return std::nullopt;
  PicturePlan plan = std::move(plans_.front());
  plans_.pop_front();
  return plan;
}

// -1: the reference before those that are not planned yet.
Lookahead::Picture& Lookahead::at(int index) const {
  return index < 0 ? *last_ : *pictures_[static_cast<size_t>(index)];
}

const MotionField& Lookahead::fieldOf(int picture, int other) {
  Picture& from = at(picture);
  const Picture& to = at(other);
  for (const auto& [number, field] : from.fields)
    if (number == to.number) return *field;
  const auto distance = static_cast<int>(from.number - to.number);
  const MotionHint hint{latestField_.get(), distance, latestDistance_};
  auto field = std::make_shared<MotionField>(searchMotion(from.small, to.small, hint));
  latestField_ = field;
  latestDistance_ = distance;
  from.fields.emplace_back(to.number, std::move(field));
  return *latestField_;
}

// Of what a picture costs on its own, what is left when it is made from the other one.
double Lookahead::shareLeft(int picture, int other) {
  return static_cast<double>(fieldOf(picture, other).cost) / static_cast<double>(at(picture).small.ownCost());
}

// A crossfade is not: its last picture has little of the reference before, but those between are made of
// both.
bool Lookahead::isLost(const Group& group) {
  const int before = group.first - 1;
  const double most =
      (group.last > group.first + 1 ? kLostInFour : kLostInTwo) * at(group.last).small.blocks();
  if (fieldOf(group.last, before).ownBlocks <= most) return false;
  const int middle = group.middle().value_or(group.first);
  return ownBlocks(at(middle).small, madeFromBoth(middle, before, group.last)) > most;
}

bool Lookahead::isKeyDue(int index, int64_t lastKey) const {
  return (index == 0 && last_ == nullptr) || at(index).kind == PictureKind::kKey ||
         at(index).number - lastKey >= settings_.keyframeInterval;
}

// Soon after a key picture only what has nothing in common with it is worth another.
bool Lookahead::isCut(int index, int64_t lastKey) {
  const double distance =
      std::min(1.0, static_cast<double>(at(index).number - lastKey) / settings_.keyframeInterval);
  const double share = kCutShareEarly + (kCutShareLate - kCutShareEarly) * distance;
  if (shareLeft(index, index - 1) < share) return false;
  // After a flash the picture is what it was before.
  return index + 1 >= known() || shareLeft(index + 1, index - 1) >= share;
}

std::optional<Lookahead::Group> Lookahead::nextGroup(int first, int64_t lastKey) {
  if (first >= known()) return std::nullopt;
  if (isKeyDue(first, lastKey)) return Group{first, first, true};
  int last = first;
  while (last < first + kMostBetween && at(last).kind != PictureKind::kReference) {
    if (last + 1 < known() && !isKeyDue(last + 1, lastKey)) {
      ++last;
      continue;
    }
    // What follows is not known yet; the first group is complete always.
    if (last + 1 >= known() && !ended_ && first > 0) return std::nullopt;
    break;
  }
  bool startsWithCut = false;
  last = shorten(first, last, lastKey, startsWithCut);
  return Group{first, last, startsWithCut};
}

// Where motion is hard to follow a group ends before a cut, or is shorter by half and half again.
int Lookahead::shorten(int first, int last, int64_t lastKey, bool& startsWithCut) {
  if (shareLeft(last, first - 1) <= kDoubtfulShare) return last;
  for (int i = first; i <= last; ++i) {
    if (!isCut(i, lastKey)) continue;
    startsWithCut = i == first;
    return std::max(first, i - 1);
  }
  while (last > first && isLost({first, last})) last = first + (last - first + 1) / 2 - 1;
  return last;
}

std::vector<Lookahead::Group> Lookahead::findGroups() {
  std::vector<Group> groups;
  int64_t lastKey = lastKey_;
  int first = 0;
  while (const auto group = nextGroup(first, lastKey)) {
    if (group->isKey) lastKey = at(group->first).number;
    groups.push_back(*group);
    first = group->last + 1;
  }
  return groups;
}

MadeFrom Lookahead::madeFrom(int picture, int other) {
  Picture& from = at(other);
  return {&from.small, &fieldOf(picture, other), &from.carriedOn};
}

MadeFromBoth Lookahead::madeFromBoth(int picture, int left, int right) {
  MadeFromBoth both{madeFrom(picture, left), madeFrom(picture, right)};
  BothCosts& costs = at(picture).costs[{at(left).number, at(right).number}];
  if (costs.empty()) costs = bothCosts(at(picture).small, both.before, both.after);
  both.costs = &costs;
  return both;
}

void Lookahead::passGroupOn(const Group& group) {
  if (group.isKey) return;
  const int before = group.first - 1;
  const auto pass = [&](int picture, int left, int right) {
    passOn(at(picture).small, at(picture).carriedOn, madeFromBoth(picture, left, right));
  };
  const std::optional<int> middle = group.middle();
  for (int i = group.first; i < group.last; ++i) {
    if (i == middle) continue;
    pass(i, middle && i > *middle ? *middle : before, middle && i < *middle ? *middle : group.last);
  }
  if (middle) pass(*middle, before, group.last);
  passOn(at(group.last).small, at(group.last).carriedOn, madeFrom(group.last, before));
}

void Lookahead::growTree(const std::vector<Group>& groups) {
  for (const PicturePtr& picture : pictures_)
    std::fill(picture->carriedOn.begin(), picture->carriedOn.end(), 0);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) passGroupOn(*group);
}

void Lookahead::planFirst() {
  const std::vector<Group> groups = findGroups();
  growTree(groups);
  const Group& first = groups.front();
  const std::optional<int> middle = first.middle();
  for (int i = 0; i <= first.last; ++i) {
    const Picture& picture = at(i);
    PicturePlan plan{PictureKind::kBetween, {}};
    if (i == first.last) plan.kind = first.isKey ? PictureKind::kKey : PictureKind::kReference;
    if (i == first.last || i == middle) plan.finer = worthFiner(picture.small, picture.carriedOn);
    plans_.push_back(std::move(plan));
  }
  if (last_ != nullptr) spare_.push_back(last_->small.takeMemory());
  for (int i = 0; i < first.last; ++i) spare_.push_back(at(i).small.takeMemory());
  last_ = pictures_[static_cast<size_t>(first.last)];
  last_->fields.clear();
  last_->costs.clear();
  if (first.isKey) lastKey_ = last_->number;
  pictures_.erase(pictures_.begin(), pictures_.begin() + first.last + 1);
}

}  // namespace framewright
