#include "render/audio/clip_audio.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audio/mix.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kEffectStep = 96;      // samples over which changing effects stay the same: 2 ms
constexpr int64_t kGainStep = 64;        // samples between evaluations of the gain, linear in between
constexpr int64_t kAntiClick = 240;      // 5 ms
constexpr int64_t kStretchRunUp = 9600;  // 200 ms
constexpr int64_t kRunUpBlock = 48000;
constexpr double kSemitonesOfOctave = 12;

constexpr double kLongestHold = 1e9;  // seconds; a clip's media may stand still to its end

double secondsOf(int64_t samples) { return static_cast<double>(samples) / kSampleRate; }
float ramp(int64_t distance, int64_t length) {
  return std::clamp(static_cast<float>(distance) / static_cast<float>(length), 0.0f, 1.0f);
}
int64_t samplesFromSeconds(double seconds) { return std::llround(seconds * kSampleRate); }

}  // namespace

ClipAudio::ClipAudio(const Timeline& timeline, const AudioClip& clip, const CancelToken& cancel)
    : timeline_(timeline),
      clip_(clip),
      cancel_(cancel),
      start_(sampleAtFrame(timeline, clip.start)),
      mediaEnd_(sampleAtFrame(timeline, std::min(clip.start + clip.frames, timeline.frames))),
      holds_(holdsOf(clip.media.speed)),
      speed_(clip.media.speed.withoutHolds()),
      isPitched_(!clip.pitch.keyframes.empty() || clip.pitch.constant != 0),
      effects_(bandsAt(0), clip.compressor, clip.reverb),
      end_(clip.fadeOut > 0
               ? mediaEnd_
               : std::min(mediaEnd_ + effects_.tailSamples(), sampleAtFrame(timeline, timeline.frames))) {}

std::vector<ClipAudio::Hold> ClipAudio::holdsOf(const SpeedCurve& speed) {
  std::vector<Hold> holds;
  for (const auto& [start, end] : speed.holds()) {
    holds.push_back({samplesFromSeconds(start), samplesFromSeconds(std::min(end, kLongestHold))});
  }
  return holds;
}

Status ClipAudio::open() {
  const MediaRange& media = clip_.media;
  FW_ASSIGN_OR_RETURN(source_, MediaSamples::open(timeline_.sources[clip_.source].path, media, cancel_));
  cutsIn_ = (media.in > 0 || media.isReversed) && clip_.fadeIn == 0;
  const double played = media.speed.mediaAt(secondsOf(mediaEnd_ - start_ + kAntiClick));
  cutsOut_ = clip_.fadeOut == 0 && source_->lastsLonger(samplesFromSeconds(played));
  return {};
}

// Plays from a sample without those of holds on.
void ClipAudio::startAt(int64_t sample) {
  const auto constant = speed_.constant();
  if (constant == 1 && !isPitched_) return;
  const double pitchScale = pitchScaleAt(static_cast<double>(sample));
  if (constant) {
    const double pitch = clip_.media.keepsPitch ? 1 : *constant;
    stretch_ = std::make_unique<TimeStretch>(*constant, pitch * pitchScale);
    followPitch(sample, pitch);
    return;
  }
  const double skipped = mediaSample(static_cast<double>(sample));
  const TimeWarp warp = [this, sample, skipped](double at) {
    return mediaSample(static_cast<double>(sample) + at) - skipped;
  };
  if (clip_.media.keepsPitch) {
    stretch_ = std::make_unique<TimeStretch>(warp, pitchScale);
  } else {
    varispeed_ = std::make_unique<Varispeed>(warp);
    if (isPitched_) stretch_ = std::make_unique<TimeStretch>(1, pitchScale);
  }
  followPitch(sample, 1);
}

// Lets the pitch change from a sample without those of holds on; `scale`: its factor by the speed.
void ClipAudio::followPitch(int64_t sample, double scale) {
  if (stretch_ == nullptr || clip_.pitch.keyframes.empty()) return;
  stretch_->setPitch(
      [this, sample, scale](double at) { return scale * pitchScaleAt(static_cast<double>(sample) + at); });
}

double ClipAudio::pitchScaleAt(double played) const {
  double sample = played;
  for (const Hold& hold : holds_) {
    if (static_cast<double>(hold.start) <= sample) sample += static_cast<double>(hold.end - hold.start);
  }
  return std::exp2(clip_.pitch.at(frameAt(std::llround(sample))) / kSemitonesOfOctave);
}

std::vector<EqualizerBand> ClipAudio::bandsAt(double frame) const {
  std::vector<EqualizerBand> bands;
  for (const EqualizerBandCurves& band : clip_.equalizer) bands.push_back(band.at(frame));
  return bands;
}

// The sample of the media that is heard at a sample without those of holds.
double ClipAudio::mediaSample(double sample) const {
  return speed_.mediaAt(sample / kSampleRate) * kSampleRate;
}

Status ClipAudio::add(int64_t sample, int64_t count, float* sumLeft, float* sumRight) {
  const Status status = addUnlabelled(sample, count, sumLeft, sumRight);
  return status.ok() ? status : labelledError(status.error(), timeline_.sources[clip_.source]);
}

void ClipAudio::addFaults(std::vector<SourceFaults>& faults) const {
  const double lost = source_ == nullptr ? 0 : source_->lostSeconds();
  if (lost > 0) faults.push_back({timeline_.sources[clip_.source].label, lost});
}

Status ClipAudio::addUnlabelled(int64_t sample, int64_t count, float* sumLeft, float* sumRight) {
  const int64_t from = std::max(sample, start_);
  const int64_t to = std::min(sample + count, end_);
  if (from >= to) return {};
  if (source_ == nullptr) {
    FW_RETURN_IF_ERROR(open());
    FW_RETURN_IF_ERROR(skip(from - start_));
  }
  left_.resize(static_cast<size_t>(to - from));
  right_.resize(left_.size());
  FW_ASSIGN_OR_RETURN(const int64_t samples,
                      readLimited(from - start_, left_.data(), right_.data(), to - from));
  balance(from - start_, samples);
  mix(from - start_, samples, sumLeft + (from - sample), sumRight + (from - sample));
  return {};
}

// Samples before `sample` without those of holds.
int64_t ClipAudio::playedBefore(int64_t sample) const {
  int64_t played = sample;
  for (const Hold& hold : holds_)
    played -= std::clamp<int64_t>(sample - hold.start, 0, hold.end - hold.start);
  return played;
}

// Lets a mix start inside the clip. The stretcher and the effects begin earlier, until they sound as if they
// had run from the start.
Status ClipAudio::skip(int64_t samples) {
  const int64_t stretched = speed_.constant() == 1 && !isPitched_ ? 0 : kStretchRunUp;
  int64_t from = samples - effects_.settlingSamples() - (clip_.limiter ? ClipLimiter::kSettling : 0);
  while (from > 0 && playedBefore(samples) - playedBefore(from) < stretched) from -= stretched;
  from = std::max<int64_t>(from, 0);
  startAt(playedBefore(from));
  limitedUntil_ = from;
  const double mediaStart = mediaSample(static_cast<double>(playedBefore(from)));
  FW_RETURN_IF_ERROR(skipMedia(std::llround(mediaStart)));
  std::vector<float> left(kRunUpBlock), right(kRunUpBlock);
  for (int64_t at = from; at < samples; at += kRunUpBlock) {
    const int64_t count = std::min(kRunUpBlock, samples - at);
    FW_ASSIGN_OR_RETURN(const int64_t got, readLimited(at, left.data(), right.data(), count));
    if (got < count) break;
  }
  return {};
}

Status ClipAudio::skipMedia(int64_t samples) {
  if (clip_.denoise == 0) return source_->skip(samples);
  denoiser_ = std::make_unique<Denoiser>(clip_.denoise);
  const int64_t from =
      std::max<int64_t>(0, samples - Denoiser::kSettling) / Denoiser::kGrid * Denoiser::kGrid;
  FW_RETURN_IF_ERROR(source_->skip(from));
  std::vector<float> left(kRunUpBlock), right(kRunUpBlock);
  for (int64_t at = from; at < samples; at += kRunUpBlock) {
    const int64_t count = std::min(kRunUpBlock, samples - at);
    FW_ASSIGN_OR_RETURN(const int64_t got, readMedia(left.data(), right.data(), count));
    if (got < count) break;
  }
  return {};
}

// The limiter reads ahead of `sample`.
Result<int64_t> ClipAudio::readLimited(int64_t sample, float* left, float* right, int64_t count) {
  if (!clip_.limiter) return readWithEffects(sample, left, right, count);
  if (limiter_ == nullptr) limiter_ = std::make_unique<ClipLimiter>(*clip_.limiter);
  return limiter_->read(left, right, count, [this](float* toLeft, float* toRight, int64_t wanted) {
    const int64_t at = limitedUntil_;
    limitedUntil_ += wanted;
    return readWithEffects(at, toLeft, toRight, wanted);
  });
}

// With a tail, silence follows the media, and its ends are ramped before the effects instead of with the
// gain.
Result<int64_t> ClipAudio::readWithEffects(int64_t sample, float* left, float* right, int64_t count) {
  const int64_t wanted = std::clamp<int64_t>(mediaEnd_ - start_ - sample, 0, count);
  int64_t got = 0;
  if (wanted > 0) {
    FW_ASSIGN_OR_RETURN(got, read(sample, left, right, wanted));
  }
  if (hasTail()) {
    for (int64_t i = 0; i < got; ++i) {
      const float gain = cutRamp(sample + i);
      left[i] *= gain;
      right[i] *= gain;
    }
    std::fill(left + got, left + count, 0.0f);
    std::fill(right + got, right + count, 0.0f);
    got = count;
  }
  applyEffects(sample, left, right, got);
  return got;
}

void ClipAudio::applyEffects(int64_t sample, float* left, float* right, int64_t count) {
  const auto changes = [](const Curve& curve) { return !curve.keyframes.empty(); };
  const bool isChanging = changes(clip_.reverbWet) ||
                          std::any_of(clip_.equalizer.begin(), clip_.equalizer.end(), [&](const auto& b) {
                            return changes(b.frequency) || changes(b.gain) || changes(b.q);
                          });
  if (!isChanging) return effects_.process(left, right, count);
  for (int64_t done = 0; done < count;) {
    const int64_t at = sample + done;
    const int64_t step = std::min(kEffectStep - at % kEffectStep, count - done);
    const double frame = frameAt(at - at % kEffectStep);
    effects_.set(bandsAt(frame), clip_.reverbWet.at(frame));
    effects_.process(left + done, right + done, step);
    done += step;
  }
}

Result<int64_t> ClipAudio::read(int64_t sample, float* left, float* right, int64_t count) {
  int64_t done = 0;
  while (done < count) {
    const int64_t at = sample + done;
    const auto hold = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& h) { return h.end > at; });
    const int64_t until = hold == holds_.end() ? INT64_MAX : hold->start > at ? hold->start : hold->end;
    const int64_t part = std::min(count - done, until - at);
    if (hold != holds_.end() && hold->start <= at) {
      std::fill_n(left + done, part, 0.0f);
      std::fill_n(right + done, part, 0.0f);
      done += part;
      continue;
    }
    FW_ASSIGN_OR_RETURN(const int64_t got, readPlayed(left + done, right + done, part));
    fadeAtHolds(at, left + done, right + done, got);
    done += got;
    if (got < part) break;
  }
  return done;
}

// Ramps at both ends of each hold, where a step would click.
void ClipAudio::fadeAtHolds(int64_t sample, float* left, float* right, int64_t count) const {
  const auto fade = [&](int64_t at, float gain) {
    if (at < sample || at >= sample + count) return;
    left[at - sample] *= gain;
    right[at - sample] *= gain;
  };
  for (const Hold& hold : holds_) {
    for (int64_t distance = 0; distance < kAntiClick; ++distance) {
      const float gain = static_cast<float>(distance) / kAntiClick;
      fade(hold.start - 1 - distance, gain);
      fade(hold.end + distance, gain);
    }
  }
}

Result<int64_t> ClipAudio::readMedia(float* left, float* right, int64_t count) {
  if (denoiser_ == nullptr) return source_->read(left, right, count);
  return denoiser_->read(left, right, count, [this](float* toLeft, float* toRight, int64_t wanted) {
    return source_->read(toLeft, toRight, wanted);
  });
}

Result<int64_t> ClipAudio::readPlayed(float* left, float* right, int64_t count) {
  const SampleSource source = [this](float* sourceLeft, float* sourceRight, int64_t wanted) {
    return readMedia(sourceLeft, sourceRight, wanted);
  };
  const SampleSource varied = [this, &source](float* sourceLeft, float* sourceRight, int64_t wanted) {
    return varispeed_->read(sourceLeft, sourceRight, wanted, source);
  };
  const SampleSource& played = varispeed_ == nullptr ? source : varied;
  return stretch_ == nullptr ? played(left, right, count) : stretch_->read(left, right, count, played);
}

// Attenuates the channel on the far side, with a quarter of a cosine.
void ClipAudio::balance(int64_t clipSample, int64_t count) {
  if (clip_.balance.keyframes.empty() && clip_.balance.constant == 0) return;
  struct Gains {
    float left, right;
  };
  const auto gainsAt = [&](int64_t at) -> Gains {
    const double balance = clip_.balance.at(frameAt(at));
    const double angle = std::abs(balance) * std::numbers::pi / 2;
    const auto far = static_cast<float>(std::max(0.0, std::cos(angle)));
    return balance > 0 ? Gains{far, 1} : Gains{1, far};
  };
  for (int64_t done = 0; done < count;) {
    const int64_t first = clipSample + done;
    const int64_t step = std::min(kGainStep - first % kGainStep, count - done);
    const Gains from = gainsAt(first), to = gainsAt(first + step);
    for (int64_t i = 0; i < step; ++i) {
      const float share = static_cast<float>(i) / static_cast<float>(step);
      left_[static_cast<size_t>(done + i)] *= from.left + (to.left - from.left) * share;
      right_[static_cast<size_t>(done + i)] *= from.right + (to.right - from.right) * share;
    }
    done += step;
  }
}

double ClipAudio::frameAt(int64_t clipSample) const {
  return static_cast<double>(clipSample) * static_cast<double>(timeline_.fps.num) /
         (static_cast<double>(kSampleRate) * static_cast<double>(timeline_.fps.den));
}

float ClipAudio::gainAt(int64_t clipSample) const {
  const double frame = frameAt(clipSample);
  double gain = clip_.gain.at(frame);
  if (clip_.fadeIn > 0) gain *= std::clamp(frame / static_cast<double>(clip_.fadeIn), 0.0, 1.0);
  if (clip_.fadeOut > 0) {
    gain *= std::clamp((static_cast<double>(clip_.frames) - frame) / static_cast<double>(clip_.fadeOut), 0.0,
                       1.0);
  }
  return static_cast<float>(gain) * (hasTail() ? tailRamp(clipSample) : cutRamp(clipSample));
}

// Ramps where the clip starts or stops inside its media.
float ClipAudio::cutRamp(int64_t clipSample) const {
  float gain = 1;
  if (cutsIn_) gain *= ramp(clipSample, kAntiClick);
  if (cutsOut_) gain *= ramp(mediaEnd_ - start_ - clipSample, kAntiClick);
  return gain;
}

// Ramps at the end of the tail, also where the movie ends before it.
float ClipAudio::tailRamp(int64_t clipSample) const {
  const int64_t fade = std::clamp(end_ - mediaEnd_, kAntiClick, effects_.tailFadeSamples());
  return ramp(end_ - start_ - clipSample, fade);
}

void ClipAudio::mix(int64_t clipSample, int64_t count, float* sumLeft, float* sumRight) const {
  int64_t done = 0;
  while (done < count) {
    // Steps are aligned to the clip, so that the result does not depend on the block size.
    const int64_t at = clipSample + done;
    const int64_t step = std::min(kGainStep - at % kGainStep, count - done);
    mixInto(sumLeft + done, sumRight + done, left_.data() + done, right_.data() + done, step, gainAt(at),
            gainAt(at + step));
    done += step;
  }
}

}  // namespace framewright
