#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/bounded_queue.h"
#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "libav/decode/video_decoder.h"
#include "timeline/timeline.h"

namespace framewright {

// The media time to show after `mediaTimeUs` (in + elapsed time, without looping), of a source whose video
// ends at `endUs`. Applies the range's loops; after the last pass, the time of its last frame. In a reversed
// range it is the frame before this time.
int64_t foldIntoRange(const MediaRange& range, int64_t mediaTimeUs, int64_t endUs);

// What a video clip shows in one frame.
struct VideoMoment {
  int64_t timeUs = 0;  // media time, without looping
  int64_t stepUs = 0;  // until the next frame; frames of the media that are longer are blended. 0: none
  bool operator==(const VideoMoment&) const = default;
};

// Decodes one clip (video, image sequence or animated image) ahead of its use on its own thread. The owner
// requests media times in the order in which it takes them; at most a few decoded images wait.
class VideoReader {
 public:
  // Opens nothing before the first request. `source` and `cancel` must outlive the reader. `continues`:
  // another reader plays the video on after the last request.
  VideoReader(const Source& source, MediaRange range, bool continues, const DecodeOptions& options,
              const CancelToken& cancel);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  // Blocks only beyond 4096 pending requests.
  void request(const VideoMoment& moment);
  // Blocks until the image of an earlier request is decoded, and discards those before it.
  Result<ImagePtr> take(const VideoMoment& moment);
  // Thread time spent on decoding so far.
  double decodeSeconds() const { return decodeSeconds_.load(std::memory_order_relaxed); }
  // Of the frames decoded so far; empty for sequences and animations.
  DecodeReport report() const;
  DecodeFaults faults() const;

 private:
  struct Decoded {
    VideoMoment moment;
    Result<ImagePtr> image;
  };
  void decode();
  int64_t stopUs() const;
  void playVideo();
  // Answers requests with `player`, which `open` creates for the first requested time. Returns the last
  // decoded time, or nothing when there was no request or decoding failed.
  template <class Player, class Open>
  std::optional<int64_t> play(std::unique_ptr<Player>& player, const Open& open);

  const Source& source_;
  const MediaRange range_;
  const bool continues_;
  const DecodeOptions options_;
  const CancelToken& cancel_;
  BoundedQueue<VideoMoment> requests_;
  BoundedQueue<Decoded> decoded_;
  std::atomic<double> decodeSeconds_ = 0;
  mutable std::mutex reportMutex_;
  DecodeReport report_;
  DecodeFaults faults_;
  std::thread thread_;
};

}  // namespace framewright
