#include "render/video_reader.h"

#include <memory>
#include <type_traits>
#include <utility>

#include "core/stopwatch.h"
#include "core/this_thread.h"
#include "libav/decode/animation_file.h"
#include "libav/decode/sequence_file.h"
#include "render/media_pass.h"
#include "render/open_films.h"

namespace framewright {
namespace {

constexpr size_t kMaxRequests = 4096;  // far above any look-ahead, so request() does not block
constexpr size_t kMaxPictures = 2;

}  // namespace

VideoReader::VideoReader(const Source& source, MediaRange range, bool goesOn, const DecodeOptions& wish,
                         const CancelToken& cancel)
    : source_(source),
      range_(std::move(range)),
      goesOn_(goesOn),
      wish_(wish),
      cancel_(cancel),
      requests_(kMaxRequests),
      answers_(kMaxPictures),
      thread_([this] { decode(); }) {}

VideoReader::~VideoReader() {
  requests_.abort();
  answers_.abort();
  thread_.join();
}

void VideoReader::request(int64_t mediaTimeUs) { requests_.push(mediaTimeUs); }

Result<ImagePtr> VideoReader::take(int64_t mediaTimeUs) {
  while (auto answer = answers_.pop()) {
    if (answer->mediaTimeUs == mediaTimeUs || !answer->picture.ok()) return std::move(answer->picture);
  }
  return Error{ErrorCode::UNEXPECTED, "a picture was taken that nobody asked for", source_.label};
}

DecodeReport VideoReader::report() const {
  const std::lock_guard lock(reportMutex_);
  return report_;
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
    playFilm();
  }
  answers_.close();
}

void VideoReader::playFilm() {
  std::unique_ptr<VideoDecoder> film;
  const auto latestUs = play(film, [&](int64_t timeUs) -> Result<std::unique_ptr<VideoDecoder>> {
    auto open = OpenFilms::ofProcess().take(source_.path, timeUs);
    if (open == nullptr) return VideoDecoder::open(source_.path, 0, cancel_, wish_);
    open->ask(cancel_);
    return open;
  });
  if (latestUs) OpenFilms::ofProcess().leave(source_.path, *latestUs, std::move(film), goesOn_);
}

template <class Player, class Open>
std::optional<int64_t> VideoReader::play(std::unique_ptr<Player>& player, const Open& open) {
  std::optional<int64_t> latestUs;
  double seconds = 0;
  while (const auto mediaTimeUs = requests_.pop()) {
    int64_t pictureUs = 0;
    auto picture = [&]() -> Result<ImagePtr> {
      const Stopwatch watch(seconds);
      if (player == nullptr) {
        FW_ASSIGN_OR_RETURN(player, open(*mediaTimeUs));
      }
      pictureUs = foldIntoRange(range_, *mediaTimeUs, player->endUs());
      return player->frameAt(pictureUs);
    }();
    if constexpr (std::is_same_v<Player, VideoDecoder>) {
      const std::lock_guard lock(reportMutex_);
      if (player != nullptr) report_ = player->report();
    }
    decodeSeconds_.store(seconds, std::memory_order_relaxed);
    const bool failed = !picture.ok();
    latestUs = pictureUs;
    const bool wanted = answers_.push({*mediaTimeUs, std::move(picture)});
    if (failed) return std::nullopt;
    if (!wanted) break;
  }
  return latestUs;
}

}  // namespace framewright
