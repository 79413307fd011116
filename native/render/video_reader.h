#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "timeline/timeline.h"

namespace framewright {

// Decodes one clip of a video, a picture sequence or an animated picture ahead of its use on a thread of its
// own, which lives as long as the reader. The owner asks for media times in the order it will take them; at
// most a few pictures wait.
class VideoReader {
 public:
  // Nothing is opened before the first request. `source` and `cancel` must outlive the reader.
  VideoReader(const Source& source, MediaRange range, int threads, const CancelToken& cancel);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  // Never blocks for long: requests beyond kMaxRequests wait until earlier ones are decoded.
  void request(int64_t mediaTimeUs);
  // The picture of an earlier request; skips those before it. Blocks until it is decoded.
  Result<ImagePtr> take(int64_t mediaTimeUs);

 private:
  struct Answer {
    int64_t mediaTimeUs = 0;
    Result<ImagePtr> picture;
  };
  void decode();
  // `open` gives what plays the source, once the first picture is asked for.
  template <class Open>
  void play(const Open& open);

  const Source& source_;
  const MediaRange range_;
  const int threads_;
  const CancelToken& cancel_;
  BoundedQueue<int64_t> requests_;
  BoundedQueue<Answer> answers_;
  std::thread thread_;
};

}  // namespace framewright
