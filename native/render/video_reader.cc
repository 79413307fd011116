#include "render/video_reader.h"

#include <memory>
#include <utility>

#include "media/animation/animation_file.h"
#include "media/sequence_file.h"
#include "media/video_decoder.h"
#include "render/media_pass.h"
#include "render/thread_name.h"

namespace framewright {
namespace {

constexpr size_t kMaxRequests = 4096;  // far above any look-ahead, so request() does not block
constexpr size_t kMaxPictures = 3;

}  // namespace

VideoReader::VideoReader(const Source& source, MediaRange range, int threads, const CancelToken& cancel)
    : source_(source),
      range_(std::move(range)),
      threads_(threads),
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

void VideoReader::decode() {
  nameThisThread("fw-decode");
  if (source_.kind == SourceKind::kSequence) {
    play([&] { return SequenceFile::open(source_.path); });
  } else if (source_.kind == SourceKind::kAnimation) {
    play([&] { return AnimationFile::open(source_.path, cancel_); });
  } else {
    play([&] { return VideoDecoder::open(source_.path, threads_, cancel_); });
  }
  answers_.close();
}

template <class Open>
void VideoReader::play(const Open& open) {
  decltype(open().take()) player;
  while (const auto mediaTimeUs = requests_.pop()) {
    if (player == nullptr) {
      auto opened = open();
      if (!opened.ok()) {
        answers_.push({*mediaTimeUs, opened.error()});
        return;
      }
      player = opened.take();
    }
    auto picture = player->pictureAt(foldIntoRange(range_, *mediaTimeUs, player->endUs()));
    const bool failed = !picture.ok();
    if (!answers_.push({*mediaTimeUs, std::move(picture)}) || failed) return;
  }
}

}  // namespace framewright
