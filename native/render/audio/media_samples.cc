#include "render/audio/media_samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/render.h"

namespace framewright {
namespace {

// Samples of a reversed range that are decoded at once: 8 s, because each seek decodes half a second more.
constexpr int64_t kBackwardsBlock = int64_t{8} * kSampleRate;

int64_t mediaSample(double seconds) { return std::llround(seconds * kSampleRate); }

}  // namespace

Result<std::unique_ptr<MediaSamples>> MediaSamples::open(const std::string& path, const MediaRange& media,
                                                         const CancelToken& cancel) {
  FW_ASSIGN_OR_RETURN(auto decoder, AudioDecoder::open(path, cancel));
  std::unique_ptr<MediaSamples> samples(new MediaSamples(media, std::move(decoder)));
  if (!samples->hasEnded_ && samples->in_ > 0) FW_RETURN_IF_ERROR(samples->seek());
  return samples;
}

MediaSamples::MediaSamples(const MediaRange& media, std::unique_ptr<AudioDecoder> decoder)
    : media_(media), decoder_(std::move(decoder)), in_(mediaSample(media.in)) {
  const int64_t mediaEnd = decoder_->endSample();
  declaredStop_ = media.out ? std::min(mediaEnd, mediaSample(*media.out)) : mediaEnd;
  stop_ = declaredStop_;
  // An audio file's header only estimates its length.
  if (!media.isReversed && !decoder_->endsWithVideo() && declaredStop_ == mediaEnd) {
    stop_ = media.out ? mediaSample(*media.out) : INT64_MAX;
  }
  hasEnded_ = in_ >= declaredStop_;
  cursor_ = in_;
}

bool MediaSamples::lastsLonger(int64_t samples) const {
  return media_.loops < 0 || (declaredStop_ - in_) * media_.loops > samples;
}

Status MediaSamples::skip(int64_t samples) {
  if (samples <= 0 || hasEnded_) return {};
  if (!media_.isReversed && !decoder_->endsWithVideo() && media_.loops != 1) {
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
  if (media_.loops >= 0 && passes_ + passed >= media_.loops) {
    hasEnded_ = true;
    return {};
  }
  passes_ += static_cast<int>(passed);
  cursor_ = in_ + samples % pass;
  return seek();
}

Result<int64_t> MediaSamples::read(float* left, float* right, int64_t count) {
  int64_t done = 0;
  while (done < count && !hasEnded_) {
    const int64_t wanted = std::min(count - done, stop_ - cursor_);
    FW_ASSIGN_OR_RETURN(const int64_t got, readPass(left + done, right + done, wanted));
    const bool audioEnded = got < wanted;
    cursor_ += got;
    done += got;
    if (audioEnded || cursor_ >= stop_) FW_RETURN_IF_ERROR(nextPass());
  }
  return done;
}

// Returns less than `count` at the end of an audio file.
Result<int64_t> MediaSamples::readPass(float* left, float* right, int64_t count) {
  if (media_.isReversed) return readBackwards(left, right, count);
  FW_ASSIGN_OR_RETURN(const int64_t got, decoder_->read(left, right, count));
  if (got == count || !decoder_->endsWithVideo()) return got;
  // The video is longer than its audio: the rest of the pass is silent.
  std::fill(left + got, left + count, 0.0f);
  std::fill(right + got, right + count, 0.0f);
  return count;
}

Result<int64_t> MediaSamples::readBackwards(float* left, float* right, int64_t count) {
  int64_t done = 0;
  while (done < count) {
    const int64_t end = stop_ - (cursor_ - in_) - done;  // one past the next sample
    const auto size = static_cast<int64_t>(backLeft_.size());
    if (size == 0 || end <= backFrom_ || end > backFrom_ + size) {
      backFrom_ = std::max(in_, end - kBackwardsBlock);
      // What the media lacks at its end is silent.
      backLeft_.assign(static_cast<size_t>(end - backFrom_), 0.0f);
      backRight_.assign(backLeft_.size(), 0.0f);
      FW_RETURN_IF_ERROR(decoder_->seek(backFrom_));
      const auto got = decoder_->read(backLeft_.data(), backRight_.data(), end - backFrom_);
      if (!got.ok()) return got.error();
    }
    const int64_t part = std::min(count - done, end - backFrom_);
    const int64_t at = end - backFrom_ - part;
    std::reverse_copy(backLeft_.begin() + at, backLeft_.begin() + at + part, left + done);
    std::reverse_copy(backRight_.begin() + at, backRight_.begin() + at + part, right + done);
    done += part;
  }
  return done;
}

Status MediaSamples::nextPass() {
  ++passes_;
  const bool isEmpty = cursor_ == in_;
  hasEnded_ = isEmpty || (media_.loops >= 0 && passes_ >= media_.loops);
  cursor_ = in_;
  return hasEnded_ ? Status() : seek();
}

// Backwards, every block seeks.
Status MediaSamples::seek() { return media_.isReversed ? Status() : decoder_->seek(cursor_); }

}  // namespace framewright
