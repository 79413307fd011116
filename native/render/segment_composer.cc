#include "render/segment_composer.h"

#include <utility>

#include "core/stopwatch.h"

namespace framewright {
namespace {

// How far ahead of composing files are opened and decoded; opening and searching a video takes some 50 ms.
constexpr size_t kLookAheadFrames = 24;

}  // namespace

SegmentComposer::SegmentComposer(const Timeline& timeline, FrameRange range,
                                 std::unique_ptr<Compositor> compositor, PixelFormat wanted, FramePlace place,
                                 const CancelToken& cancel)
    : timeline_(timeline),
      range_(range),
      nextList_(range.first),
      nextFrame_(range.first),
      compositor_(std::move(compositor)),
      framesAtOnce_(static_cast<size_t>(compositor_->framesInFlight())),
      supply_(timeline, *compositor_, range.end, timeline.hardwareDecode, cancel),
      pool_(*compositor_, wanted, place, timeline.width, timeline.height),
      levels_(timeline, cancel) {}

Result<ImagePtr> SegmentComposer::next() {
  FW_RETURN_IF_ERROR(lookAhead());
  while (!lists_.empty() && started_.size() < framesAtOnce_) FW_RETURN_IF_ERROR(start());
  Shown first = std::move(started_.front());
  started_.pop_front();
  if (first.image != shown_.image) {
    const Stopwatch watch(composeSeconds_);
    FW_RETURN_IF_ERROR(compositor_->finish(*first.image));
  }
  shown_ = std::move(first);
  return ImagePtr(shown_.image);
}

int64_t SegmentComposer::changesAhead() const {
  int64_t changes = 0;
  const DrawList* last = &shown_.list;
  const auto follow = [&](const DrawList& list) {
    changes += list == *last ? 0 : 1;
    last = &list;
  };
  for (const Shown& started : started_) follow(started.list);
  for (const DrawList& list : lists_) follow(list);
  return changes;
}

void SegmentComposer::describe(SegmentFacts& facts) {
  facts.composedFrames = composedFrames_;
  facts.decodeSeconds = supply_.waitedSeconds();
  facts.composeSeconds = composeSeconds_;
  facts.elements = elementTimes();
  facts.films = supply_.decodeReports();
  facts.deviceFailure = compositor_->deviceFailure();
}

// By label: sources that come from one element count together.
std::vector<ElementTimes> SegmentComposer::elementTimes() {
  std::map<std::string, ElementTimes> times;
  const std::vector<double> decoding = supply_.decodeSeconds();
  for (size_t i = 0; i < decoding.size(); ++i) {
    times[timeline_.sources[i].label].decodeSeconds += decoding[i];
  }
  for (const auto& [source, seconds] : layerSeconds_) {
    times[source < 0 ? "" : timeline_.sources[static_cast<size_t>(source)].label].composeSeconds += seconds;
  }
  std::vector<ElementTimes> list;
  for (auto& [label, element] : times) {
    element.label = label;
    if (element.decodeSeconds + element.composeSeconds > 0) list.push_back(element);
  }
  return list;
}

Status SegmentComposer::lookAhead() {
  while (nextList_ < range_.end && lists_.size() + started_.size() < kLookAheadFrames) {
    lists_.push_back(drawListAt(timeline_, nextList_++, &levels_));
    supply_.announce(lists_.back());
  }
  return levels_.status();
}

Status SegmentComposer::start() {
  Shown started{std::move(lists_.front()), nullptr};
  lists_.pop_front();
  const Shown& before = started_.empty() ? shown_ : started_.back();
  if (before.image == nullptr || started.list != before.list) {
    FW_RETURN_IF_ERROR(draw(started, before));
  } else {
    started.image = before.image;
  }
  started_.push_back(std::move(started));
  supply_.release(nextFrame_++);
  return {};
}

Status SegmentComposer::draw(Shown& drawn, const Shown& before) {
  std::vector<PreparedImagePtr> pictures;
  FW_RETURN_IF_ERROR(supply_.collect(drawn.list, pictures));
  // Another moment of a slow video may still be the same picture.
  if (before.image != nullptr && pictures == pictures_ && drawn.list.layers == before.list.layers) {
    drawn.image = before.image;
    return {};
  }
  const Stopwatch watch(composeSeconds_);
  FW_ASSIGN_OR_RETURN(drawn.image, pool_.acquire());
  if (framesAtOnce_ > 1) {
    FW_RETURN_IF_ERROR(compositor_->start(drawn.list, pictures, *drawn.image));
  } else if (before.image == nullptr) {
    FW_RETURN_IF_ERROR(compositor_->compose(drawn.list, pictures, *drawn.image));
  } else {
    const ComposedFrame composed{before.list, pictures_, *before.image};
    FW_RETURN_IF_ERROR(compositor_->recompose(drawn.list, pictures, composed, *drawn.image));
  }
  if (const LayerTimes* times = compositor_->layerTimes()) noteLayers(*times, drawn.list);
  pictures_ = std::move(pictures);
  ++composedFrames_;
  return {};
}

void SegmentComposer::noteLayers(const LayerTimes& times, const DrawList& list) {
  for (const auto& [picture, seconds] : times.seconds()) {
    const int source = picture < 0 ? picture : list.images[static_cast<size_t>(picture)].source;
    layerSeconds_[source] += seconds;
  }
}

}  // namespace framewright
