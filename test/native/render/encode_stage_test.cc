#include "render/encode/encode_stage.h"

#include <memory>
#include <new>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

// Runs out of memory at its second frame.
class ExhaustedEncoder final : public VideoEncoder {
 public:
  Status encode(VideoFrame) override {
    if (++frames_ == 2) throw std::bad_alloc();
    return {};
  }
  int64_t encodedFrameCount() const override { return frames_; }
  Result<int64_t> finish() override { return int64_t{1}; }

 private:
  int64_t frames_ = 0;
};

}  // namespace

TEST_CASE("encode stage: memory that runs out on the encoder's thread is an error of the segment") {
  const CancelToken cancel;
  EncodeStage stage(std::make_unique<ExhaustedEncoder>(), cancel);
  bool isAccepted = true;
  for (int i = 0; i < 1000 && isAccepted; ++i) isAccepted = stage.push({});
  CHECK(!isAccepted);
  const Result<int64_t> bytes = stage.finish();
  REQUIRE(!bytes.ok());
  CHECK(bytes.error().code == ErrorCode::OUT_OF_MEMORY);
}
