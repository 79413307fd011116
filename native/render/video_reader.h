#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/decode/video_decoder.h"
#include "timeline/timeline.h"

namespace framewright {

// Decodes one clip of a video, a picture sequence or an animated picture ahead of its use on a thread of its
// own, which lives as long as the reader. The owner asks for media times in the order it will take them; at
// most a few pictures wait.
class VideoReader {
 public:
  // Nothing is opened before the first request. `source` and `cancel` must outlive the reader. `goesOn`: a
  // film plays on after the last request, in another reader.
  VideoReader(const Source& source, MediaRange range, bool goesOn, const DecodeOptions& wish,
              const CancelToken& cancel);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  // Never blocks for long: requests beyond kMaxRequests wait until earlier ones are decoded.
  void request(int64_t mediaTimeUs);
  // The picture of an earlier request; skips those before it. Blocks until it is decoded.
  Result<ImagePtr> take(int64_t mediaTimeUs);
  // That its thread has spent on pictures so far.
  double decodeSeconds() const { return decodeSeconds_.load(std::memory_order_relaxed); }
  // Of a film, as far as it was played.
  DecodeReport report() const;

 private:
  struct Answer {
    int64_t mediaTimeUs = 0;
    Result<ImagePtr> picture;
  };
  void decode();
  // With a film that was left open, if there is one, and leaves it open.
  void playFilm();
  // `open` makes `player`, which plays the source, for the time of the first picture that is asked for.
  // Returns the time of the last one, nothing when there was none or it failed.
  template <class Player, class Open>
  std::optional<int64_t> play(std::unique_ptr<Player>& player, const Open& open);

  const Source& source_;
  const MediaRange range_;
  const bool goesOn_;
  const DecodeOptions wish_;
  const CancelToken& cancel_;
  BoundedQueue<int64_t> requests_;
  BoundedQueue<Answer> answers_;
  std::atomic<double> decodeSeconds_ = 0;
  mutable std::mutex reportMutex_;
  DecodeReport report_;
  std::thread thread_;
};

}  // namespace framewright
