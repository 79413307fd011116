#include "audio/loudness_meter.h"

#include <ebur128.h>

namespace framewright {
namespace {

struct Destroy {
  void operator()(ebur128_state* state) const { ebur128_destroy(&state); }
};

Error failed(const char* what) { return {ErrorCode::OUT_OF_MEMORY, "the loudness cannot be measured", what}; }

class R128Meter final : public LoudnessMeter {
 public:
  explicit R128Meter(ebur128_state* state) : state_(state) {}

  Status add(const float* left, const float* right, int64_t count) override {
    interleaved_.resize(static_cast<size_t>(2 * count));
    for (int64_t i = 0; i < count; ++i) {
      interleaved_[static_cast<size_t>(2 * i)] = left[i];
      interleaved_[static_cast<size_t>(2 * i + 1)] = right[i];
    }
    const int status =
        ebur128_add_frames_float(state_.get(), interleaved_.data(), static_cast<size_t>(count));
    if (status != EBUR128_SUCCESS) return failed("adding samples");
    return {};
  }

  Result<double> integrated() const override {
    double loudness = 0;
    if (ebur128_loudness_global(state_.get(), &loudness) != EBUR128_SUCCESS) return failed("gating");
    return loudness;
  }

 private:
  std::unique_ptr<ebur128_state, Destroy> state_;
  std::vector<float> interleaved_;
};

}  // namespace

Result<std::unique_ptr<LoudnessMeter>> LoudnessMeter::create() {
  ebur128_state* state = ebur128_init(2, 48000, EBUR128_MODE_I);
  if (state == nullptr) return failed("opening the meter");
  return std::unique_ptr<LoudnessMeter>(std::make_unique<R128Meter>(state));
}

}  // namespace framewright
