#include "audio/time_stretch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <rubberband/rubberband-c.h>

namespace framewright {
namespace {

constexpr unsigned kStretchRate = 48000;
constexpr unsigned kStretchChannels = 2;
// Samples that are processed at once.
constexpr int64_t kStretchBlock = 4096;
// The same where the pitch changes: 11 ms.
constexpr int64_t kPitchBlock = 512;
// How far the ratio may deviate from the wanted one where the output has to catch up.
constexpr double kMaxCorrection = 1.25;

}  // namespace

struct TimeStretch::Stretcher {
  Stretcher(double speed, double pitchScale)
      : state(rubberband_new(kStretchRate, kStretchChannels,
                             RubberBandOptionProcessRealTime | RubberBandOptionEngineFiner |
                                 RubberBandOptionPitchHighConsistency | RubberBandOptionThreadingNever,
                             1 / speed, pitchScale)) {
    rubberband_set_max_process_size(state, kStretchBlock);
  }
  ~Stretcher() { rubberband_delete(state); }
  Stretcher(const Stretcher&) = delete;
  Stretcher& operator=(const Stretcher&) = delete;

  const RubberBandState state;
};

TimeStretch::TimeStretch(double speed, double pitchScale) : TimeStretch(speed, pitchScale, nullptr) {}

TimeStretch::TimeStretch(TimeWarp warp, double pitchScale) : TimeStretch(warp(1), pitchScale, warp) {}

TimeStretch::TimeStretch(double speed, double pitchScale, TimeWarp warp)
    : stretcher_(std::make_unique<Stretcher>(speed, pitchScale)), speed_(speed), warp_(std::move(warp)) {
  // The first analysis windows lie around sample 0, so silence precedes it.
  auto pad = pad_ = static_cast<int64_t>(rubberband_get_preferred_start_pad(stretcher_->state));
  discard_ = delay_ = rubberband_get_start_delay(stretcher_->state);
  const std::vector<float> silence(static_cast<size_t>(kStretchBlock));
  for (; pad > 0; pad -= kStretchBlock) process(silence, silence, std::min(pad, kStretchBlock), false);
}

TimeStretch::~TimeStretch() = default;

Result<int64_t> TimeStretch::read(float* left, float* right, int64_t count, const SampleSource& source) {
  int64_t done = 0;
  while (done < count) {
    const auto ready = std::min(count - done, static_cast<int64_t>(left_.size() - taken_));
    const auto from = static_cast<std::ptrdiff_t>(taken_);
    std::copy_n(left_.begin() + from, ready, left + done);
    std::copy_n(right_.begin() + from, ready, right + done);
    taken_ += static_cast<size_t>(ready);
    done += ready;
    if (done == count || hasEnded_) break;
    left_.clear();
    right_.clear();
    taken_ = 0;
    FW_RETURN_IF_ERROR(feed(source));
  }
  return done;
}

// Sets the ratio up to the next analysis window, and returns the samples that this window needs. A window's
// centre, which is pad_ before its end, lies in the output at the sum of all distances so far.
int64_t TimeStretch::followWarp() {
  const int64_t required = rubberband_get_samples_required(stretcher_->state);
  const int64_t wanted = std::clamp<int64_t>(required, 1, kStretchBlock);
  const double next = static_cast<double>(fed_ + 2 * wanted - pad_);
  const auto at = static_cast<double>(made_ + delay_ - discard_);
  if (next <= 0) return wanted;
  const auto speedAt = [&](double sample) { return warp_(sample + 1) - warp_(sample); };
  double placed = at + (next - warp_(at)) / speedAt(at);
  placed -= (warp_(std::max(0.0, placed)) - next) / speedAt(std::max(0.0, placed));
  const double usual = 1 / speedAt(at);
  const double ratio = (placed - at) / static_cast<double>(wanted);
  rubberband_set_time_ratio(stretcher_->state,
                            std::clamp(ratio, usual / kMaxCorrection, usual * kMaxCorrection));
  return wanted;
}

Status TimeStretch::feed(const SampleSource& source) {
  int64_t wanted = warp_ ? followWarp() : kStretchBlock;
  if (pitch_) {
    wanted = std::min(wanted, kPitchBlock);
    rubberband_set_pitch_scale(stretcher_->state, pitch_(static_cast<double>(made_ + delay_ - discard_)));
  }
  std::vector<float> left(static_cast<size_t>(wanted)), right(left.size());
  FW_ASSIGN_OR_RETURN(const int64_t got, source(left.data(), right.data(), wanted));
  fed_ += got;
  hasEnded_ = got < wanted;
  process(left, right, got, hasEnded_);
  if (!hasEnded_) return {};
  // The end of the input is the end of the output, however much the stretcher holds back or adds.
  const auto fed = static_cast<double>(fed_);
  const int64_t missing = std::llround(warp_ ? outputLength(warp_, fed) : fed / speed_) - made_;
  const auto length = static_cast<int64_t>(left_.size()) + missing;
  left_.resize(static_cast<size_t>(std::max<int64_t>(0, length)));
  right_.resize(left_.size());
  return {};
}

void TimeStretch::process(const std::vector<float>& left, const std::vector<float>& right, int64_t count,
                          bool isFinal) {
  const float* const input[kStretchChannels] = {left.data(), right.data()};
  rubberband_process(stretcher_->state, input, static_cast<unsigned>(count), isFinal ? 1 : 0);
  retrieve();
}

void TimeStretch::retrieve() {
  for (int available = rubberband_available(stretcher_->state); available > 0;
       available = rubberband_available(stretcher_->state)) {
    const size_t at = left_.size();
    left_.resize(at + static_cast<size_t>(available));
    right_.resize(left_.size());
    float* const output[kStretchChannels] = {left_.data() + at, right_.data() + at};
    const size_t got = rubberband_retrieve(stretcher_->state, output, static_cast<unsigned>(available));
    const auto dropped = static_cast<size_t>(std::min<int64_t>(discard_, static_cast<int64_t>(got)));
    discard_ -= static_cast<int64_t>(dropped);
    const auto begin = static_cast<std::ptrdiff_t>(at);
    left_.resize(at + got);
    right_.resize(left_.size());
    left_.erase(left_.begin() + begin, left_.begin() + begin + static_cast<std::ptrdiff_t>(dropped));
    right_.erase(right_.begin() + begin, right_.begin() + begin + static_cast<std::ptrdiff_t>(dropped));
    made_ += static_cast<int64_t>(got - dropped);
  }
}

}  // namespace framewright
