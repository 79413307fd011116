#include <cstdlib>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "gpu_check/codec_report.h"
#include "gpu_check/encode_streams.h"
#include "gpu_check/render_streams.h"
#include "gpu_check/stream_search.h"

namespace framewright {
namespace {

// Rates by count; counts beyond `sessions` are refused.
Result<StreamRate> searchRates(const std::map<int, double>& rates, int sessions, std::vector<int>& tried) {
  return findBestRate(16, [&](int count) -> Result<StreamRate> {
    tried.push_back(count);
    if (sessions > 0 && count > sessions) return StreamRate{.count = count, .sessions = sessions};
    const auto found = rates.find(count);
    if (found == rates.end()) return Error{ErrorCode::ENCODE_FAILED, "no room", ""};
    return StreamRate{.count = count, .framesPerSecond = found->second};
  });
}

}  // namespace

TEST_CASE("gpu_check: more streams are tried as long as they are faster together") {
  struct Case {
    std::map<int, double> rates;
    int sessions;
    std::vector<int> tried;
    StreamRate best;
    int streams;
  };
  const Case cases[] = {
      {{{1, 100}, {2, 190}, {4, 195}, {8, 400}}, 0, {1, 2, 4}, {2, 190, 0, 0}, 6},
      {{{1, 100}, {2, 190}, {4, 370}, {8, 700}, {16, 1300}}, 0, {1, 2, 4, 8, 16}, {16, 1300, 0, 0}, 43},
      {{{1, 100}, {2, 190}, {3, 280}}, 3, {1, 2, 4, 3}, {3, 280, 0, 3}, 3},
      {{{1, 100}, {2, 190}, {3, 191}}, 3, {1, 2, 4, 3}, {2, 190, 0, 3}, 3},
      {{{1, 50}}, 1, {1, 2}, {1, 50, 0, 1}, 1},
      {{{1, 50}, {2, 90}}, 2, {1, 2, 4}, {2, 90, 0, 2}, 2},
      {{{1, 0}, {2, 0}}, 0, {1, 2}, {1, 0, 0, 0}, 0},
      {{{1, 50}}, 0, {1, 2}, {1, 50, 0, 0}, 1}};
  for (const Case& each : cases) {
    std::vector<int> tried;
    const auto found = searchRates(each.rates, each.sessions, tried);
    REQUIRE(found.ok());
    CHECK(tried == each.tried);
    CHECK(found.value().count == each.best.count);
    CHECK(found.value().framesPerSecond == each.best.framesPerSecond);
    CHECK(found.value().sessions == each.best.sessions);
    CHECK(found.value().streams() == each.streams);
  }
  std::vector<int> tried;
  CHECK(searchRates({}, 0, tried).error().message == "no room");
}

TEST_SUITE_BEGIN("nvidia");

TEST_CASE("gpu_check: encoders at once, up to the sessions that the driver opens") {
  setenv("CUDA_SUBSTITUTE", "cards=5,other-model=4,sessions=3", 1);
  const auto measured = measureEncodeStreams("h264_nvenc", 320, 192, 0.1);
  unsetenv("CUDA_SUBSTITUTE");
  REQUIRE(measured.ok());
  CHECK(measured.value().count >= 1);
  CHECK(measured.value().count <= 3);
  CHECK(measured.value().framesPerSecond > 0);
  // Fewer may already take all of this host's time.
  CHECK((measured.value().sessions == 0 || measured.value().sessions == 3));
  const auto unknown = measureEncodeStreams("vp6_nvenc", 320, 192, 0.1);
  CHECK(unknown.error().message == "the engine does not know the encoder vp6_nvenc");
  setenv("CUDA_SUBSTITUTE", "cards=5,other-model=4,fault=EncodePicture:1:20", 1);
  const auto failed = measureEncodeStreams("h264_nvenc", 320, 192, 0.1);
  unsetenv("CUDA_SUBSTITUTE");
  REQUIRE(!failed.ok());
  CHECK(failed.error().code == ErrorCode::ENCODE_FAILED);
}

TEST_CASE("gpu_check: whole renders say what did which step") {
  setenv("CUDA_SUBSTITUTE", "cards=5,other-model=4", 1);
  const auto measured = measureRenderStreams("h264_nvenc", 320, 192, 0.1);
  unsetenv("CUDA_SUBSTITUTE");
  INFO((measured.ok() ? "" : measured.error().message + " " + measured.error().detail));
  REQUIRE(measured.ok());
  CHECK(measured.value().rate.count >= 1);
  CHECK(measured.value().rate.framesPerSecond > 0);
  CHECK(measured.value().decoder == "nvdec");
  CHECK(measured.value().compositor == "cpu");
  CHECK(measured.value().interop == "");
  setenv("TMPDIR", "/does/not/exist", 1);
  CHECK(measureRenderStreams("h264_nvenc", 320, 192, 0.1).error().code == ErrorCode::IO_FAILED);
  unsetenv("TMPDIR");
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("vaapi");

TEST_CASE("gpu_check: VAAPI encoders at once") {
  setenv("VAAPI_SUBSTITUTE", "contexts=3", 1);
  const auto measured = measureEncodeStreams("h264_vaapi", 320, 192, 0.1);
  const auto rendered = measureRenderStreams("h264_vaapi", 320, 192, 0.1);
  unsetenv("VAAPI_SUBSTITUTE");
  REQUIRE(measured.ok());
  CHECK(measured.value().framesPerSecond > 0);
  CHECK((measured.value().sessions == 0 || measured.value().sessions == 3));
  INFO((rendered.ok() ? "" : rendered.error().message + " " + rendered.error().detail));
  REQUIRE(rendered.ok());
  CHECK(rendered.value().decoder == "vaapi");
}

TEST_SUITE_END();

}  // namespace framewright
