#include "render/audio/clip_audio.h"

#include <algorithm>
#include <cmath>

#include "audio/mix.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr int64_t kGainStep = 64;    // samples between evaluations of the gain, linear in between
constexpr int64_t kAntiClick = 240;  // 5 ms
constexpr int64_t kStretchRunUp = 9600;  // 200 ms

int64_t samplesFromSeconds(double seconds) { return std::llround(seconds * kSampleRate); }

}  // namespace

ClipAudio::ClipAudio(const Timeline& timeline, const AudioClip& clip, const CancelToken& cancel)
    : timeline_(timeline),
      clip_(clip),
      cancel_(cancel),
      start_(sampleAtFrame(timeline, clip.start)),
      end_(sampleAtFrame(timeline, std::min(clip.start + clip.frames, timeline.frames))) {}

Status ClipAudio::open() {
  FW_ASSIGN_OR_RETURN(decoder_, AudioDecoder::open(timeline_.sources[clip_.source].path, cancel_));
  const MediaRange& media = clip_.media;
  in_ = samplesFromSeconds(media.in);
  const int64_t mediaEnd = decoder_->endSample();
  int64_t declaredStop = mediaEnd;
  if (media.out) declaredStop = std::min(declaredStop, samplesFromSeconds(*media.out));
  stop_ = declaredStop;
  // An audio file's header only estimates its length.
  if (!decoder_->endsWithVideo() && declaredStop == mediaEnd) {
    stop_ = media.out ? samplesFromSeconds(*media.out) : INT64_MAX;
  }
  if (in_ >= declaredStop) hasEnded_ = true;
  const int64_t length = end_ - start_;
  const bool endless = media.loops < 0;
  cutsIn_ = in_ > 0 && clip_.fadeIn == 0;
  const double played = static_cast<double>((declaredStop - in_) * media.loops) / media.speed;
  cutsOut_ = clip_.fadeOut == 0 && (endless || played > static_cast<double>(length + kAntiClick));
  if (media.speed != 1) stretch_ = std::make_unique<TimeStretch>(media.speed, media.keepsPitch);
  cursor_ = in_;
  if (!hasEnded_ && in_ > 0) FW_RETURN_IF_ERROR(decoder_->seek(in_));
  return {};
}

Status ClipAudio::add(int64_t sample, int64_t count, float* sumLeft, float* sumRight) {
  const Status status = addUnlabelled(sample, count, sumLeft, sumRight);
  return status.ok() ? status : labelledError(status.error(), timeline_.sources[clip_.source]);
}

void ClipAudio::addFaults(std::vector<SourceFaults>& faults) const {
  const double lost = decoder_ == nullptr ? 0 : decoder_->lostSeconds();
  if (lost > 0) faults.push_back({timeline_.sources[clip_.source].label, lost});
}

Status ClipAudio::addUnlabelled(int64_t sample, int64_t count, float* sumLeft, float* sumRight) {
  const int64_t from = std::max(sample, start_);
  const int64_t to = std::min(sample + count, end_);
  if (from >= to) return {};
  if (decoder_ == nullptr) {
    FW_RETURN_IF_ERROR(open());
    FW_RETURN_IF_ERROR(skip(from - start_));
  }
  left_.resize(static_cast<size_t>(to - from));
  right_.resize(left_.size());
  FW_ASSIGN_OR_RETURN(const int64_t samples, read(left_.data(), right_.data(), to - from));
  mix(from - start_, samples, sumLeft + (from - sample), sumRight + (from - sample));
  return {};
}

// Lets a mix start inside the clip. At another speed the stretcher begins a little earlier, until it sounds as if it
// had run from the start.
Status ClipAudio::skip(int64_t samples) {
  if (stretch_ == nullptr) return skipSource(samples);
  const int64_t discarded = std::min(samples, kStretchRunUp);
  FW_RETURN_IF_ERROR(skipSource(std::llround(static_cast<double>(samples - discarded) * clip_.media.speed)));
  std::vector<float> left(static_cast<size_t>(std::max<int64_t>(discarded, 0))), right(left.size());
  const auto ignored = read(left.data(), right.data(), static_cast<int64_t>(left.size()));
  return ignored.ok() ? Status() : Status(ignored.error());
}

Status ClipAudio::skipSource(int64_t samples) {
  if (samples <= 0 || hasEnded_) return {};
  if (!decoder_->endsWithVideo() && clip_.media.loops != 1) {
    // Only reading the first pass tells its length.
    std::vector<float> left(kSampleRate), right(kSampleRate);
    while (samples > 0 && passes_ == 0 && !hasEnded_) {
      const int64_t wanted = std::min({int64_t{kSampleRate}, samples, stop_ - cursor_});
      FW_ASSIGN_OR_RETURN(const int64_t got, decoder_->read(left.data(), right.data(), wanted));
      cursor_ += got;
      samples -= got;
      if (got == wanted && cursor_ < stop_) continue;
      stop_ = cursor_;
      FW_RETURN_IF_ERROR(nextPass());
    }
    if (samples == 0 || hasEnded_) return {};
  }
  const int64_t pass = stop_ == INT64_MAX ? INT64_MAX : stop_ - in_;
  const int64_t passed = samples / pass;
  if (clip_.media.loops >= 0 && passes_ + passed >= clip_.media.loops) {
    hasEnded_ = true;
    return {};
  }
  passes_ += static_cast<int>(passed);
  cursor_ = in_ + samples % pass;
  return decoder_->seek(cursor_);
}

Result<int64_t> ClipAudio::read(float* left, float* right, int64_t count) {
  if (stretch_ == nullptr) return readSource(left, right, count);
  return stretch_->read(left, right, count, [this](float* sourceLeft, float* sourceRight, int64_t wanted) {
    return readSource(sourceLeft, sourceRight, wanted);
  });
}

// Returns less than `count` only after the last pass.
Result<int64_t> ClipAudio::readSource(float* left, float* right, int64_t count) {
  int64_t done = 0;
  while (done < count && !hasEnded_) {
    const int64_t wanted = std::min(count - done, stop_ - cursor_);
    FW_ASSIGN_OR_RETURN(int64_t got, decoder_->read(left + done, right + done, wanted));
    if (got < wanted && decoder_->endsWithVideo()) {
      // The video is longer than its audio: the rest of the pass is silent.
      std::fill(left + done + got, left + done + wanted, 0.0f);
      std::fill(right + done + got, right + done + wanted, 0.0f);
      got = wanted;
    }
    const bool audioEnded = got < wanted;
    cursor_ += got;
    done += got;
    if (audioEnded || cursor_ >= stop_) FW_RETURN_IF_ERROR(nextPass());
  }
  return done;
}

Status ClipAudio::nextPass() {
  ++passes_;
  const bool empty = cursor_ == in_;
  hasEnded_ = empty || (clip_.media.loops >= 0 && passes_ >= clip_.media.loops);
  cursor_ = in_;
  return hasEnded_ ? Status() : decoder_->seek(in_);
}

float ClipAudio::gainAt(int64_t clipSample) const {
  const double frame = static_cast<double>(clipSample) * static_cast<double>(timeline_.fps.num) /
                       (static_cast<double>(kSampleRate) * static_cast<double>(timeline_.fps.den));
  double gain = clip_.gain.at(frame);
  if (clip_.fadeIn > 0) gain *= std::clamp(frame / static_cast<double>(clip_.fadeIn), 0.0, 1.0);
  if (clip_.fadeOut > 0) {
    gain *= std::clamp((static_cast<double>(clip_.frames) - frame) / static_cast<double>(clip_.fadeOut), 0.0,
                       1.0);
  }
  const auto ramp = [](int64_t distance) {
    return std::clamp(static_cast<double>(distance) / kAntiClick, 0.0, 1.0);
  };
  if (cutsIn_) gain *= ramp(clipSample);
  if (cutsOut_) gain *= ramp(end_ - start_ - clipSample);
  return static_cast<float>(gain);
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
