#include "render/segment_composer.h"

#include <utility>

#include "core/stopwatch.h"

namespace framewright {
namespace {

// How far files are opened and decoded ahead of composing; opening and seeking a video takes about 50 ms.
constexpr size_t kLookAheadFrames = 24;

}  // namespace

SegmentComposer::SegmentComposer(const Timeline& timeline, FrameRange range,
                                 std::unique_ptr<Compositor> compositor, PixelFormat wanted, FramePlace place,
                                 const CancelToken& cancel, std::shared_ptr<const DecodeTarget> target)
    : timeline_(timeline),
      range_(range),
      nextList_(range.first),
      nextFrame_(range.first),
      compositor_(std::move(compositor)),
      framesAtOnce_(static_cast<size_t>(compositor_->framesInFlight())),
      loader_(timeline, *compositor_, range.end, timeline.hardwareDecode, cancel, {}, std::move(target)),
      pool_(*compositor_, wanted, place, timeline.width, timeline.height),
      levels_(timeline, cancel) {}

Result<ImagePtr> SegmentComposer::next() {
  FW_RETURN_IF_ERROR(readAhead());
  while (!lists_.empty() && started_.size() < framesAtOnce_) FW_RETURN_IF_ERROR(startNext());
  Frame first = std::move(started_.front());
  started_.pop_front();
  if (first.drawn != nullptr && first.image != finished_.image) {
    const Stopwatch watch(composeSeconds_);
    FW_RETURN_IF_ERROR(compositor_->finish(*first.drawn));
  }
  finished_ = std::move(first);
  return finished_.image;
}

int64_t SegmentComposer::changesAhead() const {
  int64_t changes = 0;
  const DrawList* last = &finished_.list;
  const auto follow = [&](const DrawList& list) {
    changes += list == *last ? 0 : 1;
    last = &list;
  };
  for (const Frame& started : started_) follow(started.list);
  for (const DrawList& list : lists_) follow(list);
  return changes;
}

void SegmentComposer::report(SegmentResult& result) const {
  result.composedFrames = composedFrames_;
  result.hostFrames = compositor_->hostFrames();
  result.decodeSeconds = loader_.waitedSeconds();
  result.composeSeconds = composeSeconds_;
  result.elements = elementTimes();
  result.videos = loader_.decodeReports();
  result.faults = loader_.faults();
  result.deviceFailure = compositor_->deviceFailure();
}

// Sums over the sources of each element.
std::vector<ElementTimes> SegmentComposer::elementTimes() const {
  std::map<std::string, ElementTimes> times;
  const std::vector<double> decoding = loader_.decodeSeconds();
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

Status SegmentComposer::readAhead() {
  while (nextList_ < range_.end && lists_.size() + started_.size() < kLookAheadFrames) {
    lists_.push_back(drawListAt(timeline_, nextList_++, &levels_));
    loader_.prefetch(lists_.back());
  }
  return levels_.status();
}

Status SegmentComposer::startNext() {
  Frame started{std::move(lists_.front()), nullptr, nullptr};
  lists_.pop_front();
  const Frame& before = started_.empty() ? finished_ : started_.back();
  if (before.image == nullptr || started.list != before.list) {
    FW_RETURN_IF_ERROR(draw(started, before));
  } else {
    started.image = before.image;
    started.drawn = before.drawn;
  }
  started_.push_back(std::move(started));
  loader_.release(nextFrame_++);
  return {};
}

Status SegmentComposer::draw(Frame& frame, const Frame& before) {
  std::vector<PreparedImagePtr> images;
  FW_RETURN_IF_ERROR(loader_.acquire(frame.list, images));
  // A slow video shows the same image at several media times.
  if (before.image != nullptr && images == images_ && frame.list.layers == before.list.layers) {
    frame.image = before.image;
    frame.drawn = before.drawn;
    return {};
  }
  const Stopwatch watch(composeSeconds_);
  frame.image = compositor_->passThrough(frame.list, images, timeline_.width, timeline_.height);
  if (frame.image == nullptr) {
    FW_ASSIGN_OR_RETURN(frame.drawn, pool_.acquire());
    frame.image = frame.drawn;
    FW_RETURN_IF_ERROR(compose(frame, before, images));
  }
  images_ = std::move(images);
  ++composedFrames_;
  return {};
}

Status SegmentComposer::compose(const Frame& frame, const Frame& before,
                                const std::vector<PreparedImagePtr>& images) {
  if (framesAtOnce_ > 1) {
    FW_RETURN_IF_ERROR(compositor_->start(frame.list, images, *frame.drawn));
  } else if (before.image == nullptr) {
    FW_RETURN_IF_ERROR(compositor_->compose(frame.list, images, *frame.drawn));
  } else {
    const ComposedFrame composed{before.list, images_, *before.image};
    FW_RETURN_IF_ERROR(compositor_->recompose(frame.list, images, composed, *frame.drawn));
  }
  if (const LayerTimes* times = compositor_->layerTimes()) addLayerTimes(*times, frame.list);
  return {};
}

void SegmentComposer::addLayerTimes(const LayerTimes& times, const DrawList& list) {
  for (const auto& [image, seconds] : times.seconds()) {
    const int source = image < 0 ? image : list.images[static_cast<size_t>(image)].source;
    layerSeconds_[source] += seconds;
  }
}

}  // namespace framewright
