#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "libav/decode/video_decoder.h"
#include "timeline/timeline.h"

namespace framewright {

// Open video decoders, reused between single frames and between the segments of a long scene. The next frame
// is usually slightly later in the same video, where opening and seeking would cost more than decoding. Any
// thread.
class DecoderCache {
 public:
  // The process's cache. Until enable() it accepts only decoders with `continues`.
  static DecoderCache& ofProcess();

  // Whether to accept all decoders; disabling also closes those in the cache.
  void enable(bool isEnabled);

  // Removes and returns the decoder at or closest before `timeUs`, otherwise any of this file, otherwise
  // null. The caller sets its cancel token and target.
  std::unique_ptr<VideoDecoder> take(const Source& source, int64_t timeUs);
  // Adds a decoder whose last frame was that of `timeUs` and whose cancel token may be gone. `continues`:
  // another segment plays the video on from there.
  void add(const Source& source, int64_t timeUs, std::unique_ptr<VideoDecoder> decoder,
           bool continues = false);

  size_t size();

 private:
  struct Entry {
    std::string key;
    int64_t timeUs = 0;
    std::unique_ptr<VideoDecoder> decoder;
  };

  bool accepts(bool continues);

  std::mutex mutex_;
  bool isEnabled_ = false;
  std::list<Entry> entries_;  // latest first
};

}  // namespace framewright
