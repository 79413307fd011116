#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "audio/limiter.h"
#include "audio/loudness_meter.h"
#include "audio/true_peak.h"
#include "formats/wav_file.h"
#include "libav/encode/audio/audio_encoder.h"
#include "libav/encode/audio/encoded_audio.h"
#include "render/audio/audio_mixer.h"
#include "render/progress_throttle.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kBlockSamples = 4096;
constexpr double kToleranceLu = 0.3;
constexpr double kMaxGainDb = 30;  // limits how far the noise of a nearly silent recording is raised
constexpr double kCeilingMarginDb = 0.2;
constexpr double kLimitedGainYield = 0.6;  // share of a gain change that passes an active limiter, roughly
constexpr int kMaxEncodings = 8;
constexpr int kMaxGainChanges = 6;  // after that many encodings only the peaks are corrected
// Encoding noise and lost high frequencies never raise this sample peak above full scale.
constexpr float kSafePeak = 0.5f;

double gainOf(double decibels) { return std::pow(10.0, decibels / 20); }
double decibelsOf(double gain) { return 20 * std::log10(std::max(gain, 1e-9)); }

// Parameters of one encoding.
struct Level {
  double gain = 1;
  double ceiling = kTruePeakCeiling;
};

// Measured from the decoded file.
struct Measurement {
  double loudness = 0;  // LUFS; only where requested
  float truePeak = 0;
};

// The largest true peak of both channels so far.
class StereoPeakMeter {
 public:
  void add(const float* left, const float* right, int64_t count) {
    peaks_.assign(static_cast<size_t>(count), truePeak_);
    leftDetector_.detect(left, count, truePeak_, peaks_.data());
    rightDetector_.detect(right, count, truePeak_, peaks_.data());
    for (const float peak : peaks_) truePeak_ = std::max(truePeak_, peak);
  }
  float truePeak() const { return truePeak_; }

 private:
  TruePeakDetector leftDetector_, rightDetector_;
  std::vector<float> peaks_;
  float truePeak_ = 0;
};

// Runs passes over one movie's mix: measuring it, encoding it, measuring the encoded file.
class AudioPasses {
 public:
  AudioPasses(const Timeline& timeline, const ProgressSink& progress, const CancelToken& cancel)
      : timeline_(timeline),
        cancel_(cancel),
        throttle_(progress),
        total_(sampleAtFrame(timeline, timeline.frames)),
        left_(kBlockSamples),
        right_(kBlockSamples) {}

  int64_t totalSamples() const { return total_; }
  // The largest sample of the last encoding's input.
  float samplePeak() const { return samplePeak_; }
  // What was missing of the last encoding's input.
  std::vector<SourceFaults> takeFaults() { return std::move(faults_); }
  void finish() { throttle_.finish(total_); }

  // Loudness of the unchanged mix in LUFS.
  Result<double> measureMix() {
    FW_ASSIGN_OR_RETURN(const auto meter, LoudnessMeter::create());
    AudioMixer mixer(timeline_, cancel_);
    for (int64_t sample = 0; sample < total_; sample += kBlockSamples) {
      const int64_t count = std::min(kBlockSamples, total_ - sample);
      FW_RETURN_IF_ERROR(mixBlock(mixer, sample, count));
      FW_RETURN_IF_ERROR(meter->add(left_.data(), right_.data(), count));
      report((sample + count) / 2);
    }
    return meter->integrated();
  }

  // Returns the file's size in bytes.
  Result<int64_t> encode(const std::string& path, const Level& level) {
    FW_ASSIGN_OR_RETURN(const auto encoder, AudioEncoder::open(timeline_.encode.audioBitrate, path));
    FW_RETURN_IF_ERROR(limitMix(level, [&](const float* left, const float* right, int64_t count) {
      return encoder->encode(left, right, count);
    }));
    return encoder->finish();
  }

  // Writes the limited mix as WAV. Returns the file's size in bytes.
  Result<int64_t> writeWav(const std::string& path, const Level& level) {
    FW_ASSIGN_OR_RETURN(const auto file, WavWriter::create(path));
    FW_RETURN_IF_ERROR(limitMix(level, [&](const float* left, const float* right, int64_t count) {
      return file->write(left, right, count);
    }));
    return file->finish();
  }

  // Measures the limited mix without writing it.
  Result<Measurement> measureLimited(const Level& level) {
    FW_ASSIGN_OR_RETURN(const auto meter, LoudnessMeter::create());
    StereoPeakMeter peaks;
    FW_RETURN_IF_ERROR(limitMix(level, [&](const float* left, const float* right, int64_t count) {
      peaks.add(left, right, count);
      return meter->add(left, right, count);
    }));
    Measurement measured;
    measured.truePeak = peaks.truePeak();
    FW_ASSIGN_OR_RETURN(measured.loudness, meter->integrated());
    return measured;
  }

  // Passes the limited mix to `sink` in blocks.
  template <typename Sink>
  Status limitMix(const Level& level, const Sink& sink) {
    AudioMixer mixer(timeline_, cancel_);
    Limiter limiter(static_cast<float>(level.ceiling));
    samplePeak_ = 0;
    // The limiter delays its output, so silence follows the mix until its last sample is out.
    int64_t encoded = -kLimiterLatency;
    for (int64_t sample = 0; encoded < total_; sample += kBlockSamples) {
      FW_RETURN_IF_ERROR(mixBlock(mixer, sample, kBlockSamples));
      if (level.gain != 1) applyGain(static_cast<float>(level.gain));
      limiter.process(left_.data(), right_.data(), kBlockSamples);
      updateSamplePeak();
      const int64_t lead = std::max<int64_t>(0, -encoded);
      const int64_t count = std::min(kBlockSamples - lead, total_ - std::max<int64_t>(0, encoded));
      FW_RETURN_IF_ERROR(sink(left_.data() + lead, right_.data() + lead, count));
      encoded += lead + count;
      report(timeline_.encode.loudness ? (total_ + encoded) / 2 : encoded);
    }
    faults_ = mixer.faults();
    return {};
  }

  Result<Measurement> measureFile(const std::string& path, bool withLoudness) {
    FW_ASSIGN_OR_RETURN(const auto meter, LoudnessMeter::create());
    StereoPeakMeter peaks;
    Measurement measured;
    FW_RETURN_IF_ERROR(
        decodeEncodedAudio(path, total_, cancel_, [&](const float* left, const float* right, int64_t count) {
          peaks.add(left, right, count);
          return withLoudness ? meter->add(left, right, count) : Status();
        }));
    measured.truePeak = peaks.truePeak();
    if (withLoudness) {
      FW_ASSIGN_OR_RETURN(measured.loudness, meter->integrated());
    }
    return measured;
  }

 private:
  Status mixBlock(AudioMixer& mixer, int64_t sample, int64_t count) {
    if (cancel_.cancelled()) return cancelledError();
    return mixer.mix(sample, count, left_.data(), right_.data());
  }

  void applyGain(float gain) {
    for (float& sample : left_) sample *= gain;
    for (float& sample : right_) sample *= gain;
  }

  void updateSamplePeak() {
    for (const float sample : left_) samplePeak_ = std::max(samplePeak_, std::fabs(sample));
    for (const float sample : right_) samplePeak_ = std::max(samplePeak_, std::fabs(sample));
  }

  // Progress never falls when another pass starts.
  void report(int64_t done) {
    reported_ = std::max(reported_, done);
    throttle_.report(reported_);
  }

  const Timeline& timeline_;
  const CancelToken& cancel_;
  ProgressThrottle throttle_;
  const int64_t total_;
  std::vector<float> left_, right_;
  float samplePeak_ = 0;
  std::vector<SourceFaults> faults_;
  int64_t reported_ = 0;
};

// Encodes at the mix's own level. Lowers the ceiling only while the decoded file would clip.
Result<int64_t> encodeAtOwnLevel(AudioPasses& passes, const std::string& path) {
  Level level;
  FW_ASSIGN_OR_RETURN(int64_t bytes, passes.encode(path, level));
  for (int k = 1; k < kMaxEncodings && passes.samplePeak() > kSafePeak; ++k) {
    FW_ASSIGN_OR_RETURN(const Measurement measured, passes.measureFile(path, false));
    if (measured.truePeak <= 1) break;
    level.ceiling /= measured.truePeak * gainOf(kCeilingMarginDb);
    FW_ASSIGN_OR_RETURN(bytes, passes.encode(path, level));
  }
  return bytes;
}

// Encodes at `target` LUFS below the true-peak ceiling. Limiting and encoding change loudness and peaks
// slightly, so the encoded file is measured and the level corrected. Silence stays silent.
Result<int64_t> encodeAtLoudness(AudioPasses& passes, const std::string& path, double target) {
  FW_ASSIGN_OR_RETURN(const double mixLoudness, passes.measureMix());
  double gainDb = std::isfinite(mixLoudness) ? std::min(kMaxGainDb, target - mixLoudness) : 0;
  double ceiling = kTruePeakCeiling;
  FW_ASSIGN_OR_RETURN(int64_t bytes, passes.encode(path, {gainOf(gainDb), ceiling}));
  for (int k = 1; k < kMaxEncodings; ++k) {
    FW_ASSIGN_OR_RETURN(const Measurement measured, passes.measureFile(path, true));
    const double missingLu = std::isfinite(measured.loudness) ? target - measured.loudness : 0;
    const double excessDb = decibelsOf(measured.truePeak / kTruePeakCeiling);
    const bool isLimited = excessDb > -1;
    const bool isLoudEnough = missingLu < kToleranceLu || gainDb >= kMaxGainDb || k >= kMaxGainChanges;
    if (excessDb <= 0 && missingLu > -kToleranceLu && isLoudEnough) break;
    if (excessDb > 0) ceiling *= gainOf(-excessDb - kCeilingMarginDb);
    if (k < kMaxGainChanges || missingLu < 0)
      gainDb = std::min(kMaxGainDb, gainDb + missingLu / (isLimited ? kLimitedGainYield : 1));
    FW_ASSIGN_OR_RETURN(bytes, passes.encode(path, {gainOf(gainDb), ceiling}));
  }
  return bytes;
}

// Writes WAV. Nothing is lossy, so the limited mix itself is measured, and only where a loudness is wanted.
Result<int64_t> writeLossless(AudioPasses& passes, const std::string& path, std::optional<double> target) {
  Level level;
  if (!target) return passes.writeWav(path, level);
  FW_ASSIGN_OR_RETURN(const double mixLoudness, passes.measureMix());
  double gainDb = std::isfinite(mixLoudness) ? std::min(kMaxGainDb, *target - mixLoudness) : 0;
  level.gain = gainOf(gainDb);
  for (int k = 1; std::isfinite(mixLoudness) && k < kMaxGainChanges; ++k) {
    FW_ASSIGN_OR_RETURN(const Measurement measured, passes.measureLimited(level));
    const double missingLu = std::isfinite(measured.loudness) ? *target - measured.loudness : 0;
    const double excessDb = decibelsOf(measured.truePeak / kTruePeakCeiling);
    const bool isLoudEnough = std::abs(missingLu) < kToleranceLu || (missingLu > 0 && gainDb >= kMaxGainDb);
    if (excessDb <= 0 && isLoudEnough) break;
    if (excessDb > 0) level.ceiling *= gainOf(-excessDb);
    if (!isLoudEnough) gainDb = std::min(kMaxGainDb, gainDb + missingLu / kLimitedGainYield);
    level.gain = gainOf(gainDb);
  }
  return passes.writeWav(path, level);
}

}  // namespace

Result<AudioResult> renderAudio(const Timeline& timeline, const std::string& path,
                                const ProgressSink& progress, const CancelToken& cancel) {
  AudioPasses passes(timeline, progress, cancel);
  if (path.ends_with(".wav")) {
    FW_ASSIGN_OR_RETURN(const int64_t written, writeLossless(passes, path, timeline.encode.loudness));
    passes.finish();
    return AudioResult{passes.totalSamples(), written, passes.takeFaults()};
  }
  const auto bytes = timeline.encode.loudness ? encodeAtLoudness(passes, path, *timeline.encode.loudness)
                                              : encodeAtOwnLevel(passes, path);
  if (!bytes.ok()) return bytes.error();
  passes.finish();
  return AudioResult{passes.totalSamples(), bytes.value(), passes.takeFaults()};
}

}  // namespace framewright
