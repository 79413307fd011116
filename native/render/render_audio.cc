#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "audio/limiter.h"
#include "audio/loudness_meter.h"
#include "audio/true_peak.h"
#include "libav/encode/audio/audio_encoder.h"
#include "libav/encode/audio/encoded_audio.h"
#include "render/progress_throttle.h"
#include "render/render.h"
#include "render/sound_mixer.h"

namespace framewright {
namespace {

constexpr int64_t kBlockSamples = 4096;
constexpr double kTolerance = 0.3;  // LU
constexpr double kMaxRaise = 30;  // dB; the noise of an all but silent recording is not made to fill the room
constexpr double kMargin = 0.2;   // dB
constexpr double kYield = 0.6;    // of a further raise that gets past a working limiter, about
constexpr int kMaxEncodings = 8;
constexpr int kLastRaise = 6;  // after as many encodings only the peaks are looked after
// The encoder's noise and the missing highest tones never make peaks of this into ones that clip.
constexpr float kSurelyClear = 0.5f;

double gainOf(double decibels) { return std::pow(10.0, decibels / 20); }
double decibelsOf(double gain) { return 20 * std::log10(std::max(gain, 1e-9)); }

// How one encoding is made.
struct Level {
  double gain = 1;
  double ceiling = kTruePeakCeiling;
};

// What a player makes of it.
struct Heard {
  double loudness = 0;  // LUFS, when it was asked for
  float peak = 0;       // true peak
};

// The passes over one movie's mix.
class Soundtrack {
 public:
  Soundtrack(const Timeline& timeline, const ProgressSink& progress, const CancelToken& cancel)
      : timeline_(timeline),
        cancel_(cancel),
        throttle_(progress),
        total_(sampleAtFrame(timeline, timeline.frames)),
        left_(kBlockSamples),
        right_(kBlockSamples) {}

  int64_t total() const { return total_; }
  // The largest sample given to the encoder last.
  float highest() const { return highest_; }
  void finish() { throttle_.finish(total_); }

  // LUFS of the mix as it is.
  Result<double> measure() {
    FW_ASSIGN_OR_RETURN(const auto meter, LoudnessMeter::create());
    SoundMixer mixer(timeline_, cancel_);
    for (int64_t sample = 0; sample < total_; sample += kBlockSamples) {
      const int64_t count = std::min(kBlockSamples, total_ - sample);
      FW_RETURN_IF_ERROR(mixBlock(mixer, sample, count));
      FW_RETURN_IF_ERROR(meter->add(left_.data(), right_.data(), count));
      report((sample + count) / 2);
    }
    return meter->integrated();
  }

  // The size of the file.
  Result<int64_t> encode(const std::string& path, const Level& level) {
    FW_ASSIGN_OR_RETURN(const auto encoder, AudioEncoder::open(timeline_.encode.audioBitrate, path));
    SoundMixer mixer(timeline_, cancel_);
    Limiter limiter(static_cast<float>(level.ceiling));
    highest_ = 0;
    // The limiter's output lags, so the sum runs on in silence until its last sample is out.
    int64_t encoded = -kLimiterLatency;
    for (int64_t sample = 0; encoded < total_; sample += kBlockSamples) {
      FW_RETURN_IF_ERROR(mixBlock(mixer, sample, kBlockSamples));
      if (level.gain != 1) raise(static_cast<float>(level.gain));
      limiter.process(left_.data(), right_.data(), kBlockSamples);
      noteHighest();
      const int64_t lead = std::max<int64_t>(0, -encoded);
      const int64_t count = std::min(kBlockSamples - lead, total_ - std::max<int64_t>(0, encoded));
      FW_RETURN_IF_ERROR(encoder->encode(left_.data() + lead, right_.data() + lead, count));
      encoded += lead + count;
      report(timeline_.encode.loudness ? (total_ + encoded) / 2 : encoded);
    }
    return encoder->finish();
  }

  Result<Heard> hear(const std::string& path, bool withLoudness) {
    FW_ASSIGN_OR_RETURN(const auto meter, LoudnessMeter::create());
    TruePeakDetector leftPeaks, rightPeaks;
    std::vector<float> peaks;
    Heard heard;
    FW_RETURN_IF_ERROR(
        decodeEncodedAudio(path, total_, cancel_, [&](const float* left, const float* right, int64_t count) {
          peaks.assign(static_cast<size_t>(count), heard.peak);
          leftPeaks.detect(left, count, heard.peak, peaks.data());
          rightPeaks.detect(right, count, heard.peak, peaks.data());
          for (const float peak : peaks) heard.peak = std::max(heard.peak, peak);
          return withLoudness ? meter->add(left, right, count) : Status();
        }));
    if (withLoudness) {
      FW_ASSIGN_OR_RETURN(heard.loudness, meter->integrated());
    }
    return heard;
  }

 private:
  Status mixBlock(SoundMixer& mixer, int64_t sample, int64_t count) {
    if (cancel_.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
    return mixer.mix(sample, count, left_.data(), right_.data());
  }

  void raise(float gain) {
    for (float& sample : left_) sample *= gain;
    for (float& sample : right_) sample *= gain;
  }

  void noteHighest() {
    for (const float sample : left_) highest_ = std::max(highest_, std::fabs(sample));
    for (const float sample : right_) highest_ = std::max(highest_, std::fabs(sample));
  }

  // Never back, however many passes there are.
  void report(int64_t done) {
    reported_ = std::max(reported_, done);
    throttle_.report(reported_);
  }

  const Timeline& timeline_;
  const CancelToken& cancel_;
  ProgressThrottle throttle_;
  const int64_t total_;
  std::vector<float> left_, right_;
  float highest_ = 0;
  int64_t reported_ = 0;
};

// At its own level; quieter peaks only where a player would have to cut them off.
Result<int64_t> encodeAsMixed(Soundtrack& track, const std::string& path) {
  Level level;
  FW_ASSIGN_OR_RETURN(int64_t bytes, track.encode(path, level));
  for (int k = 1; k < kMaxEncodings && track.highest() > kSurelyClear; ++k) {
    FW_ASSIGN_OR_RETURN(const Heard heard, track.hear(path, false));
    if (heard.peak <= 1) break;
    level.ceiling /= heard.peak * gainOf(kMargin);
    FW_ASSIGN_OR_RETURN(bytes, track.encode(path, level));
  }
  return bytes;
}

// At `target` LUFS under the ceiling. Limiting and encoding change loudness and peaks a little, so what comes
// out is heard and the level corrected until it is right. Silence stays silent.
Result<int64_t> encodeAtLoudness(Soundtrack& track, const std::string& path, double target) {
  FW_ASSIGN_OR_RETURN(const double own, track.measure());
  double raise = std::isfinite(own) ? std::min(kMaxRaise, target - own) : 0;  // dB
  double ceiling = kTruePeakCeiling;
  FW_ASSIGN_OR_RETURN(int64_t bytes, track.encode(path, {gainOf(raise), ceiling}));
  for (int k = 1; k < kMaxEncodings; ++k) {
    FW_ASSIGN_OR_RETURN(const Heard heard, track.hear(path, true));
    const double missing = std::isfinite(heard.loudness) ? target - heard.loudness : 0;
    const double excess = decibelsOf(heard.peak / kTruePeakCeiling);
    const bool atCeiling = excess > -1;
    const bool loudEnough = missing < kTolerance || raise >= kMaxRaise || k >= kLastRaise;
    if (excess <= 0 && missing > -kTolerance && loudEnough) break;
    if (excess > 0) ceiling *= gainOf(-excess - kMargin);
    if (k < kLastRaise || missing < 0)
      raise = std::min(kMaxRaise, raise + missing / (atCeiling ? kYield : 1));
    FW_ASSIGN_OR_RETURN(bytes, track.encode(path, {gainOf(raise), ceiling}));
  }
  return bytes;
}

}  // namespace

Result<AudioFacts> renderAudio(const Timeline& timeline, const std::string& path,
                               const ProgressSink& progress, const CancelToken& cancel) {
  Soundtrack track(timeline, progress, cancel);
  const auto bytes = timeline.encode.loudness ? encodeAtLoudness(track, path, *timeline.encode.loudness)
                                              : encodeAsMixed(track, path);
  if (!bytes.ok()) return bytes.error();
  track.finish();
  return AudioFacts{track.total(), bytes.value()};
}

}  // namespace framewright
