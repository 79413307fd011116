#include "render/encode/encode_stage.h"

#include <new>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

// Throws as a library does whose allocation failed.
class ExhaustedEncoder final : public VideoEncoder {
 public:
  Status encode(VideoFrame) override { throw std::bad_alloc(); }
  int64_t encodedFrameCount() const override { return 0; }
  Result<int64_t> finish() override { return int64_t{0}; }
};

}  // namespace

TEST_CASE("encode stage: an encoder out of memory fails the segment instead of ending the process") {
  const CancelToken cancel;
  EncodeStage stage(std::make_unique<ExhaustedEncoder>(), cancel);
  while (stage.push({})) {
  }
  const auto size = stage.finish();
  REQUIRE(!size.ok());
  CHECK(size.error().code == ErrorCode::OUT_OF_MEMORY);
}
