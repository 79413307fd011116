#pragma once

#include <cmath>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "libav/decode/video_decoder.h"
#include "libav/media_fixture.h"

// Checks of which frame of a counting video a decoder shows.
namespace framewright::fixture {

inline std::unique_ptr<VideoDecoder> openedVideo(const std::string& path) {
  static const CancelToken never;
  auto decoder = VideoDecoder::open(path, 2, never);
  if (!decoder.ok()) FAIL(decoder.error().message << " " << decoder.error().detail);
  return decoder.take();
}

inline int numberAt(VideoDecoder& decoder, double seconds) {
  auto frame = decoder.frameAt(std::llround(seconds * 1e6));
  if (!frame.ok()) FAIL(frame.error().message);
  return frameNumber(*frame.value());
}

// Decodes every frame in order, at the times of a canvas with the same rate, then some after seeking.
inline void checkEveryFrame(const std::string& path, double rate, int frames) {
  CAPTURE(path);
  auto decoder = openedVideo(path);
  for (int k = 0; k < frames; ++k) {
    CAPTURE(k);
    CHECK(numberAt(*decoder, k / rate) == k);
  }
  CHECK(numberAt(*decoder, frames / rate + 5) == frames - 1);
  for (int k : {50, 3, 0, 40, 39, 41, 10}) {
    CAPTURE(k);
    CHECK(numberAt(*decoder, k / rate) == k);
    CHECK(numberAt(*decoder, (k + 0.5) / rate) == k);
  }
  // A decoder that starts in the middle returns the same frames.
  for (int k : {55, 31}) {
    CAPTURE(k);
    CHECK(numberAt(*openedVideo(path), k / rate) == k);
  }
}

}  // namespace framewright::fixture
