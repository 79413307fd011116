#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "libav/decode/video_decoder.h"

namespace framewright {

// Films that stay open between frames which are drawn one by one, and from one part of a long scene to the
// next: what comes is mostly a little later in the same film, and opening and searching would cost more than
// it, or all of the film before where that has no key frames. Any thread.
class OpenFilms {
 public:
  // The process's; before keep() is called it keeps only films that go on.
  static OpenFilms& ofProcess();

  // Whether films are kept from now on; those that are there go when they are not.
  void keep(bool whether);

  // One that stands at or shortly before `timeUs`, else any of this file, else nothing. Whoever takes it has
  // it alone, and tells it which token to ask.
  std::unique_ptr<VideoDecoder> take(const std::string& path, int64_t timeUs);
  // The last picture that was asked for was that at `timeUs`; it has asked no token since. `goesOn`: somebody
  // will come for the next.
  void leave(const std::string& path, int64_t timeUs, std::unique_ptr<VideoDecoder> film,
             bool goesOn = false);

  size_t kept();

 private:
  struct Film {
    std::string key;
    int64_t timeUs = 0;
    std::unique_ptr<VideoDecoder> decoder;
  };

  std::mutex mutex_;
  bool keeps_ = false;
  std::list<Film> films_;  // latest first
};

}  // namespace framewright
