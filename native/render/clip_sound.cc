#include "render/clip_sound.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "audio/mix.h"

namespace framewright {
namespace {

constexpr int64_t kGainStep = 64;    // samples between evaluations of the gain; ramps lie between
constexpr int64_t kAntiClick = 240;  // 5 ms

int64_t samplesFromSeconds(double seconds) { return std::llround(seconds * kSampleRate); }

}  // namespace

ClipSound::ClipSound(const Timeline& timeline, const AudioClip& clip, const CancelToken& cancel)
    : timeline_(timeline),
      clip_(clip),
      cancel_(cancel),
      start_(sampleAtFrame(timeline, clip.start)),
      end_(sampleAtFrame(timeline, std::min(clip.start + clip.frames, timeline.frames))) {}

Status ClipSound::open() {
  FW_ASSIGN_OR_RETURN(decoder_, AudioDecoder::open(timeline_.sources[clip_.source].path, cancel_));
  const MediaRange& media = clip_.media;
  in_ = samplesFromSeconds(media.in);
  const int64_t mediaEnd = decoder_->endSample();
  int64_t declaredStop = mediaEnd;
  if (media.out) declaredStop = std::min(declaredStop, samplesFromSeconds(*media.out));
  stop_ = declaredStop;
  // A sound file's own end is where decoding stops, not what its header estimates.
  if (!decoder_->endIsPicture() && declaredStop == mediaEnd) {
    stop_ = media.out ? samplesFromSeconds(*media.out) : INT64_MAX;
  }
  if (in_ >= declaredStop) ended_ = true;
  const int64_t length = end_ - start_;
  const bool endless = media.loops < 0;
  cutIn_ = in_ > 0 && clip_.fadeIn == 0;
  cutOut_ = clip_.fadeOut == 0 && (endless || (declaredStop - in_) * media.loops > length + kAntiClick);
  cursor_ = in_;
  if (!ended_ && in_ > 0) FW_RETURN_IF_ERROR(decoder_->seek(in_));
  return {};
}

Status ClipSound::add(int64_t sample, int64_t count, float* sumLeft, float* sumRight) {
  const int64_t from = std::max(sample, start_);
  const int64_t to = std::min(sample + count, end_);
  if (from >= to) return {};
  const auto labelled = [&](const Error& error) {
    const std::string& label = timeline_.sources[clip_.source].label;
    if (label.empty() || error.code == ErrorCode::CANCELLED) return error;
    return Error{error.code, label + ": " + error.message, error.detail};
  };
  if (decoder_ == nullptr) {
    const Status opened = open();
    if (!opened.ok()) return labelled(opened.error());
    const Status skipped = skip(from - start_);
    if (!skipped.ok()) return labelled(skipped.error());
  }
  left_.resize(static_cast<size_t>(to - from));
  right_.resize(left_.size());
  const auto got = read(left_.data(), right_.data(), to - from);
  if (!got.ok()) return labelled(got.error());
  mix(from - start_, got.value(), sumLeft + (from - sample), sumRight + (from - sample));
  return {};
}

// For a mix that starts in the middle of the clip.
Status ClipSound::skip(int64_t samples) {
  if (samples <= 0 || ended_) return {};
  if (!decoder_->endIsPicture() && clip_.media.loops != 1) {
    // How long a pass is shows when it has been read once.
    std::vector<float> left(kSampleRate), right(kSampleRate);
    while (samples > 0 && passes_ == 0 && !ended_) {
      const int64_t wanted = std::min({int64_t{kSampleRate}, samples, stop_ - cursor_});
      FW_ASSIGN_OR_RETURN(const int64_t got, decoder_->read(left.data(), right.data(), wanted));
      cursor_ += got;
      samples -= got;
      if (got == wanted && cursor_ < stop_) continue;
      stop_ = cursor_;
      FW_RETURN_IF_ERROR(nextPass());
    }
    if (samples == 0 || ended_) return {};
  }
  const int64_t pass = stop_ == INT64_MAX ? INT64_MAX : stop_ - in_;
  const int64_t passed = samples / pass;
  if (clip_.media.loops >= 0 && passes_ + passed >= clip_.media.loops) {
    ended_ = true;
    return {};
  }
  passes_ += static_cast<int>(passed);
  cursor_ = in_ + samples % pass;
  return decoder_->seek(cursor_);
}

// Fewer than `count` only once all passes are over.
Result<int64_t> ClipSound::read(float* left, float* right, int64_t count) {
  int64_t done = 0;
  while (done < count && !ended_) {
    const int64_t wanted = std::min(count - done, stop_ - cursor_);
    FW_ASSIGN_OR_RETURN(int64_t got, decoder_->read(left + done, right + done, wanted));
    if (got < wanted && decoder_->endIsPicture()) {
      // The picture goes on after the sound: the rest of the pass is silent.
      std::fill(left + done + got, left + done + wanted, 0.0f);
      std::fill(right + done + got, right + done + wanted, 0.0f);
      got = wanted;
    }
    const bool soundOver = got < wanted;
    cursor_ += got;
    done += got;
    if (soundOver || cursor_ >= stop_) FW_RETURN_IF_ERROR(nextPass());
  }
  return done;
}

Status ClipSound::nextPass() {
  ++passes_;
  const bool empty = cursor_ == in_;
  ended_ = empty || (clip_.media.loops >= 0 && passes_ >= clip_.media.loops);
  cursor_ = in_;
  return ended_ ? Status() : decoder_->seek(in_);
}

float ClipSound::gainAt(int64_t clipSample) const {
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
  if (cutIn_) gain *= ramp(clipSample);
  if (cutOut_) gain *= ramp(end_ - start_ - clipSample);
  return static_cast<float>(gain);
}

void ClipSound::mix(int64_t clipSample, int64_t count, float* sumLeft, float* sumRight) const {
  int64_t done = 0;
  while (done < count) {
    // Steps lie on a grid of the clip, so that the block size does not show in the sound.
    const int64_t at = clipSample + done;
    const int64_t step = std::min(kGainStep - at % kGainStep, count - done);
    mixInto(sumLeft + done, sumRight + done, left_.data() + done, right_.data() + done, step, gainAt(at),
            gainAt(at + step));
    done += step;
  }
}

}  // namespace framewright
