#include <filesystem>

#include <doctest/doctest.h>

#include "libav/media_fixture.h"
#include "render/render.h"

using namespace framewright;

TEST_CASE("extractAudio: fails for audio that declares a length of a year") {
  const std::string path =
      fixture::media("year.mkv",
                     "-f lavfi -i \"aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=0.4:c=stereo\" "
                     "-af \"asetpts='PTS+gt(PTS\\,8000)*1440000000000'\" -c:a pcm_s16le");
  const CancelToken never;
  const std::string output = fixture::path("year.wav");
  const auto written = extractAudio(path, output, 16000, never);
  REQUIRE(!written.ok());
  CHECK(written.error().code == ErrorCode::MEDIA_UNSUPPORTED);
  CHECK(written.error().message == "The audio is longer than 4 hours.");
  CHECK_FALSE(std::filesystem::exists(output));
}
