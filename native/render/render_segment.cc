#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compositor/choose_compositor.h"
#include "core/stopwatch.h"
#include "media/handover/choose_handover.h"
#include "media/video_encoder.h"
#include "render/copied_pieces.h"
#include "render/encode_stage.h"
#include "render/encoding_turn.h"
#include "render/frame_pool.h"
#include "render/movie_levels.h"
#include "render/picture_supply.h"
#include "render/progress_throttle.h"
#include "render/render.h"
#include "timeline/draw_list.h"

namespace framewright {
namespace {

// How far ahead of composing files are opened and decoded; opening and searching a video takes some 50 ms.
constexpr size_t kLookAheadFrames = 24;

Error cancelled() { return {ErrorCode::CANCELLED, "the render was cancelled", ""}; }

Status checkRange(const Timeline& timeline, FrameRange range) {
  if (range.first >= 0 && range.first < range.end && range.end <= timeline.frames) return {};
  return Error{ErrorCode::INVALID_TIMELINE,
               "frames " + std::to_string(range.first) + " to " + std::to_string(range.end) +
                   " are not within the timeline's " + std::to_string(timeline.frames),
               ""};
}

// Whether a transition has just been shown: whatever comes, nobody sees a key frame's difference there.
bool endsTransition(const Timeline& timeline, int64_t frame) {
  return std::any_of(timeline.sections.begin(), timeline.sections.end(), [&](const Section& section) {
    const int64_t frames = section.transition ? section.transition->frames : section.ledUntil;
    return frames > 0 && section.start + frames == frame;
  });
}

// Whether the movie goes on after the frame before `end` with pictures like it.
bool goesOnAfter(const Timeline& timeline, int64_t end) {
  if (endsTransition(timeline, end)) return false;
  const auto& sections = timeline.sections;
  const auto next = std::find_if(sections.begin(), sections.end(),
                                 [&](const Section& section) { return section.start >= end; });
  const Section& last = *std::prev(next);
  if (next == sections.end()) return end < timeline.frames || last.goesOn;
  return end < next->start || next->transition.has_value();
}

VideoEncoderSettings encoderSettings(const Timeline& timeline, FrameRange range) {
  VideoEncoderSettings settings;
  settings.encoder = timeline.encode.encoder;
  settings.preset = timeline.encode.preset;
  settings.crf = timeline.encode.crf;
  settings.width = timeline.width;
  settings.height = timeline.height;
  settings.fps = timeline.fps;
  const double rate = static_cast<double>(timeline.fps.num) / static_cast<double>(timeline.fps.den);
  settings.keyframeInterval =
      std::max(1, static_cast<int>(std::lround(timeline.encode.keyframeSeconds * rate)));
  const double still = timeline.encode.stillKeyframeSeconds;
  settings.stillKeyframeInterval = still <= 0 ? 0 : std::max(1, static_cast<int>(std::lround(still * rate)));
  settings.goesOnAfter = goesOnAfter(timeline, range.end) ? range.end - range.first : 0;
  settings.followsTransition = endsTransition(timeline, range.first);
  return settings;
}

TurnWish turnWish(const VideoEncoderSettings& settings) {
  // Of each sample of a picture, as measured with x264 at 1080p: what is drawn and looked at ahead, and what
  // a thread holds.
  constexpr int64_t kBytes = 80, kBytesOfThread = 11;
  const int64_t bytes = kBytes + kBytesOfThread * static_cast<int64_t>(std::thread::hardware_concurrency());
  const int64_t samples = int64_t{settings.width} * settings.height;
  return {bytes * samples, VideoEncoder::isHardware(settings)};
}

// Composes frame after frame, several at a time where the compositor does; equal neighbours are drawn once.
class SegmentComposer {
 public:
  SegmentComposer(const Timeline& timeline, FrameRange range, std::unique_ptr<Compositor> compositor,
                  PixelFormat wanted, FramePlace place, const CancelToken& cancel)
      : timeline_(timeline),
        range_(range),
        nextList_(range.first),
        nextFrame_(range.first),
        compositor_(std::move(compositor)),
        framesAtOnce_(static_cast<size_t>(compositor_->framesInFlight())),
        supply_(timeline, *compositor_, range.end, timeline.hardwareDecode, cancel),
        pool_(*compositor_, wanted, place, timeline.width, timeline.height),
        levels_(timeline, cancel) {}

  // The frame to encode next; the same pointer as before when nothing changed.
  Result<ImagePtr> next() {
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

  // How often the picture changes within the next second or so, of which the lists are known.
  int64_t changesFollow() const {
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

  int64_t composedFrames() const { return composedFrames_; }
  double composeSeconds() const { return composeSeconds_; }
  std::string deviceFailure() const { return compositor_->deviceFailure(); }
  double waitedSeconds() const { return supply_.waitedSeconds(); }
  std::vector<DecodeReport> decodeReports() const { return supply_.decodeReports(); }
  // By label: sources that come from one element count together.
  std::vector<ElementTimes> elementTimes() {
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

 private:
  // What a frame shows; neighbours may share the image.
  struct Shown {
    DrawList list;
    std::shared_ptr<Image> image;
  };

  Status lookAhead() {
    while (nextList_ < range_.end && lists_.size() + started_.size() < kLookAheadFrames) {
      lists_.push_back(drawListAt(timeline_, nextList_++, &levels_));
      supply_.announce(lists_.back());
    }
    return levels_.status();
  }

  Status start() {
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

  Status draw(Shown& drawn, const Shown& before) {
    std::vector<PicturePtr> pictures;
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
      const Composed composed{before.list, pictures_, *before.image};
      FW_RETURN_IF_ERROR(compositor_->recompose(drawn.list, pictures, composed, *drawn.image));
    }
    if (const LayerTimes* times = compositor_->layerTimes()) noteLayers(*times, drawn.list);
    pictures_ = std::move(pictures);
    ++composedFrames_;
    return {};
  }

  void noteLayers(const LayerTimes& times, const DrawList& list) {
    for (const auto& [picture, seconds] : times.seconds()) {
      const int source = picture < 0 ? picture : list.pictures[static_cast<size_t>(picture)].source;
      layerSeconds_[source] += seconds;
    }
  }

  const Timeline& timeline_;
  const FrameRange range_;
  int64_t nextList_, nextFrame_;  // to be listed, to be started
  std::unique_ptr<Compositor> compositor_;
  const size_t framesAtOnce_;
  PictureSupply supply_;
  FramePool pool_;
  MovieLevels levels_;
  std::deque<DrawList> lists_;
  std::deque<Shown> started_;
  Shown shown_;
  std::vector<PicturePtr> pictures_;  // of the frame started last
  int64_t composedFrames_ = 0;
  double composeSeconds_ = 0;
  std::map<int, double> layerSeconds_;  // by source; below 0 where there is none
};

HandoverChoice choosingFor(const Timeline& timeline, const VideoEncoderSettings& settings,
                           Compositor& compositor) {
  const std::optional<DeviceIdentity> device = compositor.device();
  if (!device || !timeline.handsOver) return {};
  return chooseHandover(settings, {*device, [&compositor](FramePlace place, int width, int height) {
                                     return compositor.createDeviceFrame(place, width, height);
                                   }});
}

Result<SegmentFacts> renderWith(std::unique_ptr<Compositor> compositor, const HandoverChoice& handover,
                                const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                                const std::string& path, const ProgressSink& progress,
                                const CancelToken& cancel) {
  settings.handover = handover.handover;
  SegmentComposer composer(timeline, range, std::move(compositor), VideoEncoder::pictureFormat(settings),
                           handover.place, cancel);
  auto first = composer.next();
  if (!first.ok()) return cancel.cancelled() ? cancelled() : first.error();
  FW_ASSIGN_OR_RETURN(const EncodingTurn turn, EncodingTurns::ofProcess().wait(turnWish(settings), cancel));
  ProgressThrottle throttle(progress);
  throttle.finish(0);  // tells that it is this segment's turn
  FW_ASSIGN_OR_RETURN(auto encoder, VideoEncoder::open(settings, path));
  EncodeStage stage(std::move(encoder), cancel);
  ShownPicture shown{first.take()};
  bool goesOn = true;
  for (int64_t frame = range.first + 1; goesOn && frame < range.end; ++frame) {
    if (cancel.cancelled()) return cancelled();
    auto image = composer.next();
    if (!image.ok()) return cancel.cancelled() ? cancelled() : image.error();
    if (image.value() == shown.image) {
      ++shown.frames;
      continue;
    }
    shown.changesFollow = 1 + composer.changesFollow();
    goesOn = stage.push(std::move(shown));  // if not, finish() tells the reason
    shown = {image.take()};
    throttle.report(stage.encodedFrames());
  }
  if (goesOn) stage.push(std::move(shown));
  SegmentFacts facts;
  FW_ASSIGN_OR_RETURN(facts.bytes, stage.finish());
  facts.frames = range.end - range.first;
  facts.mostAtOnce = turn.mostAtOnce();
  facts.composedFrames = composer.composedFrames();
  facts.encodedFrames = stage.encodedPictures();
  facts.decodeSeconds = composer.waitedSeconds();
  facts.composeSeconds = composer.composeSeconds();
  facts.encodeSeconds = stage.seconds();
  facts.elements = composer.elementTimes();
  facts.films = composer.decodeReports();
  facts.deviceFailure = composer.deviceFailure();
  facts.handover = handover.name;
  facts.handoverReason = handover.reason;
  throttle.finish(facts.frames);
  return facts;
}

bool isOfHandover(const Error& error) {
  return error.code == ErrorCode::ENCODE_FAILED || error.code == ErrorCode::GPU_FAILED ||
         error.code == ErrorCode::ENCODER_UNAVAILABLE || error.code == ErrorCode::OUT_OF_MEMORY;
}

// A hand-over that breaks on the way is not taken again, and the segment drawn once more without it.
Result<SegmentFacts> render(const Timeline& timeline, FrameRange range, VideoEncoderSettings settings,
                            const std::string& path, const ProgressSink& progress,
                            const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto compositor, createCompositor(timeline.compositor));
  const std::optional<DeviceIdentity> device = compositor->device();
  settings.device = device.value_or(DeviceIdentity{});
  HandoverChoice handover = choosingFor(timeline, settings, *compositor);
  auto facts = renderWith(std::move(compositor), handover, timeline, range, settings, path, progress, cancel);
  if (handover.name.empty() || facts.ok() || !isOfHandover(facts.error())) return facts;
  const std::string why = facts.error().message + " " + facts.error().detail;
  dropHandover(handover.name, settings, *device, why);
  handover = {.reason = handover.name + " broke: " + why};
  FW_ASSIGN_OR_RETURN(compositor, createCompositor(timeline.compositor));
  return renderWith(std::move(compositor), handover, timeline, range, settings, path, progress, cancel);
}

Result<SegmentFacts> renderPictures(const Timeline& timeline, FrameRange range, const std::string& path,
                                    const ProgressSink& progress, const CancelToken& cancel) {
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  auto facts = render(timeline, range, settings, path, progress, cancel);
  if (facts.ok() || facts.error().code != ErrorCode::ENCODE_FAILED ||
      !VideoEncoder::stretchesStills(settings))
    return facts;
  // Another x264 than those known may write streams whose stills cannot be lengthened.
  settings.stillKeyframeInterval = 0;
  return render(timeline, range, settings, path, progress, cancel);
}

}  // namespace

Result<SegmentFacts> renderSegment(const Timeline& timeline, FrameRange range, const std::string& path,
                                   const ProgressSink& progress, const CancelToken& cancel) {
  FW_RETURN_IF_ERROR(checkRange(timeline, range));
  const RenderPiece renderPiece = [&](FrameRange piece, const std::string& to, const ProgressSink& done) {
    return renderPictures(timeline, piece, to, done, cancel);
  };
  VideoEncoderSettings settings = encoderSettings(timeline, range);
  settings.goesOnAfter = 0;
  const CopiedPieces copied = findCopiedPieces(timeline, range, settings, path + ".scratch", cancel);
  if (copied.pieces.empty()) return renderPiece(range, path, progress);
  auto facts = renderAround(copied, range, path, progress, cancel, renderPiece);
  const bool isInDoubt = !facts.ok() && (facts.error().code == ErrorCode::ENCODE_FAILED ||
                                         facts.error().code == ErrorCode::STITCH_FAILED);
  return isInDoubt ? renderPiece(range, path, progress) : facts;
}

}  // namespace framewright
