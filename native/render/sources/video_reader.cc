#include "render/sources/video_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/guarded.h"
#include "core/stopwatch.h"
#include "core/this_thread.h"
#include "libav/decode/animation_file.h"
#include "libav/decode/sequence_file.h"
#include "render/sources/decoder_cache.h"

namespace framewright {
namespace {

constexpr size_t kMaxRequests = 4096;  // far above any lookahead
constexpr size_t kMaxDecodedImages = 2;
// How far into the frame at the start of a reversed range its last time lies: beyond the decoder's tolerance.
constexpr int64_t kFirstFrameUs = 2000;

}  // namespace

int64_t foldIntoRange(const MediaRange& range, int64_t mediaTimeUs, int64_t endUs) {
  const double inUs = range.in * 1e6;
  const double stopUs =
      range.out ? std::min(*range.out * 1e6, static_cast<double>(endUs)) : static_cast<double>(endUs);
  const double passUs = stopUs - inUs;
  // The range is empty: show the frame at `in`, or the last frame.
  if (passUs < 1) return std::llround(inUs);
  const double elapsed = std::max(0.0, static_cast<double>(mediaTimeUs) - inUs);
  // Times are rounded to microseconds: a time just before the next pass belongs to it.
  const double pass = std::floor((elapsed + kFrameTimeSlackUs) / passUs);
  const bool hasEnded = range.loops >= 0 && pass >= range.loops;
  if (range.isReversed) {
    const double backUs = hasEnded ? inUs : stopUs - std::max(0.0, elapsed - pass * passUs);
    return std::max(std::llround(inUs) + kFirstFrameUs, std::llround(backUs));
  }
  // Just before the stop, because the frame at the stop may be outside the range.
  if (hasEnded) return std::llround(stopUs) - 5 * kFrameTimeSlackUs;
  return std::llround(inUs + std::max(0.0, elapsed - pass * passUs));
}

VideoReader::VideoReader(const Source& source, MediaRange range, bool continues, const DecodeOptions& options,
                         const CancelToken& cancel)
    : source_(source),
      range_(std::move(range)),
      continues_(continues),
      options_(options),
      cancel_(cancel),
      requests_(kMaxRequests),
      decoded_(kMaxDecodedImages),
      thread_([this] { decode(); }) {}

VideoReader::~VideoReader() {
  requests_.abort();
  decoded_.abort();
  thread_.join();
}

void VideoReader::request(const VideoMoment& moment) { requests_.push(moment); }

Result<ImagePtr> VideoReader::take(const VideoMoment& moment) {
  while (auto decoded = decoded_.pop()) {
    if (decoded->moment == moment || !decoded->image.ok()) return std::move(decoded->image);
  }
  return Error{ErrorCode::UNEXPECTED, "A frame was taken that was not requested.", source_.label};
}

DecodeReport VideoReader::report() const {
  const std::lock_guard lock(reportMutex_);
  return report_;
}

DecodeFaults VideoReader::faults() const {
  const std::lock_guard lock(reportMutex_);
  return faults_;
}

// The end of the range in the media.
int64_t VideoReader::stopUs() const {
  return range_.out ? std::llround(*range_.out * 1e6) : std::numeric_limits<int64_t>::max();
}

void VideoReader::decode() {
  nameThisThread("fw-decode");
  if (source_.kind == SourceKind::kSequence) {
    std::unique_ptr<SequenceFile> sequence;
    play(sequence, [&](int64_t) { return SequenceFile::open(source_.path); });
  } else if (source_.kind == SourceKind::kAnimation) {
    std::unique_ptr<AnimationFile> animation;
    play(animation, [&](int64_t) { return AnimationFile::open(source_.path, cancel_); });
  } else {
    playVideo();
  }
  decoded_.close();
}

void VideoReader::playVideo() {
  // A decoder that plays backwards retains many frames, and another one opens within the time of one pass.
  // Decoders for canvases of 10 bits return other frames.
  const bool isShared = !range_.isReversed && !options_.canvas;
  std::unique_ptr<VideoDecoder> decoder;
  const auto lastUs = play(decoder, [&](int64_t timeUs) -> Result<std::unique_ptr<VideoDecoder>> {
    auto cached = !isShared ? nullptr : DecoderCache::ofProcess().take(source_, timeUs);
    if (cached == nullptr) return VideoDecoder::open(source_.path, 0, cancel_, options_);
    cached->setCancelToken(cancel_);
    FW_RETURN_IF_ERROR(cached->setTarget(options_.target));
    return cached;
  });
  if (!lastUs || !isShared) return;
  DecoderCache::ofProcess().add(source_, *lastUs, std::move(decoder), continues_);
}

template <class Player, class Open>
std::optional<int64_t> VideoReader::play(std::unique_ptr<Player>& player, const Open& open) {
  std::optional<int64_t> lastUs;
  double seconds = 0;
  while (const auto moment = requests_.pop()) {
    int64_t frameUs = 0;
    auto image = guarded([&]() -> Result<ImagePtr> {
      const Stopwatch watch(seconds);
      if (player == nullptr) {
        FW_ASSIGN_OR_RETURN(player, open(moment->timeUs));
      }
      frameUs = foldIntoRange(range_, moment->timeUs, player->endUs());
      // Only video decoders know the direction.
      if (range_.isReversed && !std::is_same_v<Player, VideoDecoder>) frameUs -= kFrameTimeSlackUs;
      if constexpr (std::is_same_v<Player, VideoDecoder>) {
        if (moment->stepUs > 0) return player->blendAt(frameUs, moment->stepUs, stopUs());
      }
      return player->frameAt(frameUs);
    });
    if constexpr (std::is_same_v<Player, VideoDecoder>) {
      const std::lock_guard lock(reportMutex_);
      if (player != nullptr) {
        report_ = player->report();
        faults_.lostUs += player->takeFaults().lostUs;
      }
    }
    decodeSeconds_.store(seconds, std::memory_order_relaxed);
    const bool hasFailed = !image.ok();
    lastUs = frameUs;
    const bool isWanted = decoded_.push({*moment, std::move(image)});
    if (hasFailed) return std::nullopt;
    if (!isWanted) break;
  }
  return lastUs;
}

}  // namespace framewright
