#include "libav/decode/audio_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "libav/av_error.h"
#include "libav/codec_policy.h"
#include "libav/demux/demuxer.h"

namespace framewright {
namespace {

constexpr int kRate = 48000;
constexpr int64_t kPrerollUs = 500'000;             // fills bit reservoirs and overlap windows after a seek
constexpr int64_t kDecodeThroughUs = 60'000'000;    // up to here coarse clocks are counted from the start
constexpr int64_t kGapSamples = kRate * 40 / 1000;  // smaller timestamp jumps are rounding
constexpr int64_t kMaxPadding = 4096;               // of the last AAC frame, also for HE-AAC at half the rate
constexpr int kMaxBrokenAudioPackets = 200;
constexpr int kUsualFrameSamples = 1024;
constexpr int64_t kMaxPacketUs = 10'000'000;  // a longer packet is damage

int64_t samplesFromUs(int64_t us) { return av_rescale(us, kRate, 1'000'000); }

// Later or earlier times are damage, and sums with them could overflow.
constexpr int64_t kFarthestSample = int64_t{1} << 53;

class FileAudioDecoder final : public AudioDecoder {
 public:
  FileAudioDecoder(const std::string& path, const CancelToken& cancel) : path_(path), cancel_(cancel) {
    packet_.reset(av_packet_alloc());
    frame_.reset(av_frame_alloc());
  }

  Status open() {
    FW_RETURN_IF_ERROR(reopen());
    AVStream* video = demuxer_->videoStream();
    FW_ASSIGN_OR_RETURN(const int64_t endUs, demuxer_->findEndUs(video != nullptr ? *video : *stream_));
    end_ = samplesFromUs(endUs);
    if (video == nullptr && std::string_view(demuxer_->container()) == "mp4") paddedFrom_ = end_;
    // findEndUs() may have read the whole file.
    return reopen();
  }

  int64_t endSample() const override { return end_; }
  bool endsWithVideo() const override { return demuxer_->videoStream() != nullptr; }
  double lostSeconds() const override { return static_cast<double>(lostUs_) / 1e6; }

  Status seek(int64_t sample) override {
    if (sample >= position_ && sample - position_ < kRate) {
      return dropTo(sample);
    }
    return restartAt(sample);
  }
  Result<int64_t> read(float* left, float* right, int64_t count) override {
    int64_t done = 0;
    while (done < count) {
      if (position_ >= paddedFrom_) FW_RETURN_IF_ERROR(dropPadding());
      if (available() == 0) {
        if (ended_) break;
        FW_RETURN_IF_ERROR(decodeMore());
        continue;
      }
      int64_t part = std::min(available(), count - done);
      if (position_ < paddedFrom_) part = std::min(part, paddedFrom_ - position_);
      const int64_t audible = std::min(queued(), part);
      std::copy_n(left_.data() + taken_, audible, left + done);
      std::copy_n(right_.data() + taken_, audible, right + done);
      std::fill_n(left + done + audible, part - audible, 0.0f);
      std::fill_n(right + done + audible, part - audible, 0.0f);
      take(part);
      done += part;
    }
    return done;
  }

 private:
  int64_t queued() const { return static_cast<int64_t>(left_.size()) - taken_; }
  int64_t available() const { return queued() + silence_; }

  void take(int64_t count) {
    const int64_t audible = std::min(queued(), count);
    taken_ += audible;
    silence_ -= count - audible;
    position_ += count;
    if (taken_ == static_cast<int64_t>(left_.size())) {
      left_.clear();
      right_.clear();
      taken_ = 0;
    }
  }

  // Drops the encoder's padding of the last frame in MP4, which would be audible between loops. More than
  // kMaxPadding samples after the declared end are content, not padding.
  Status dropPadding() {
    while (!ended_ && silence_ == 0 && available() <= kMaxPadding) FW_RETURN_IF_ERROR(decodeMore());
    if (ended_ && available() <= kMaxPadding) {
      take(available());
    } else {
      paddedFrom_ = INT64_MAX;
    }
    return {};
  }

  Status dropTo(int64_t sample) {
    while (position_ < sample) {
      if (available() > 0) {
        take(std::min(available(), sample - position_));
      } else if (ended_) {
        position_ = sample;
      } else {
        FW_RETURN_IF_ERROR(decodeMore());
      }
    }
    return {};
  }

  Status reopen() {
    decoder_.reset();
    std::vector<ByteRange> damage;
    if (demuxer_ != nullptr) damage = demuxer_->hiddenDamage();
    FW_ASSIGN_OR_RETURN(demuxer_, Demuxer::open(path_, std::move(damage)));
    stream_ = demuxer_->audioStream();
    if (stream_ == nullptr) return unreadableMedia("the file has no audio stream");
    FW_ASSIGN_OR_RETURN(decoder_, openDecoder(*stream_, 1));
    demuxer_->select(*stream_);
    return {};
  }

  // Makes the next sample `sample`.
  Status restartAt(int64_t sample) {
    const int64_t timeUs = av_rescale(sample, 1'000'000, kRate);
    const bool coarse = av_cmp_q(stream_->time_base, AVRational{1, 1000}) >= 0;
    const int64_t from = coarse && timeUs < kDecodeThroughUs ? 0 : std::max<int64_t>(0, timeUs - kPrerollUs);
    FW_RETURN_IF_ERROR(restart(from));
    return dropTo(sample);
  }

  // Reopens the file for the start: not every demuxer drops the codec's priming again after a seek.
  Status restart(int64_t fromUs) {
    if (fromUs == 0) {
      FW_RETURN_IF_ERROR(reopen());
    } else {
      FW_RETURN_IF_ERROR(demuxer_->seek(*stream_, fromUs));
      avcodec_flush_buffers(decoder_.get());
    }
    resampler_.reset();
    left_.clear();
    right_.clear();
    taken_ = silence_ = 0;
    started_ = ended_ = draining_ = isFramePending_ = false;
    // The first decoded frame tells the position; the caller drops samples before `fromUs`.
    position_ = fromUs == 0 ? 0 : INT64_MIN;
    sought_ = samplesFromUs(fromUs);
    return {};
  }

  // Call it only when available() is 0.
  Status decodeMore() {
    if (std::exchange(isFramePending_, false)) {
      return resample(const_cast<const uint8_t**>(frame_->extended_data), frame_->nb_samples);
    }
    int broken = 0;
    while (true) {
      if (cancel_.cancelled()) return cancelledError();
      int status = avcodec_receive_frame(decoder_.get(), frame_.get());
      if (status >= 0) return append(*frame_);
      if (status == AVERROR_EOF) {
        const int64_t missing = end_ - std::max<int64_t>(0, position_);
        if (missing > kGapSamples && demuxer_->hideDamage()) return recover();
        if (isBehindDamage_ && missing > kGapSamples) addLoss(end_, missing);
        ended_ = true;
        if (position_ == INT64_MIN) position_ = 0;
        return resampler_ != nullptr ? resample(nullptr, 0) : Status();
      }
      if (status == AVERROR(EAGAIN) && !draining_) {
        FW_ASSIGN_OR_RETURN(const bool more, demuxer_->read(*packet_));
        draining_ = !more;
        isBehindDamage_ = demuxer_->takeDamage() || isBehindDamage_;
        status = avcodec_send_packet(decoder_.get(), more ? packet_.get() : nullptr);
      }
      if (status >= 0) continue;
      // Behind a seek, the first packets may depend on others that were not read.
      if (started_ || sought_ == 0) {
        lostUs_ += packetUs();
        lostInGapUs_ += packetUs();
      }
      if (++broken > kMaxBrokenAudioPackets) {
        return avError(ErrorCode::DECODE_FAILED, "the audio cannot be decoded", status);
      }
    }
  }

  // Duration of the last packet, estimated where neither the container nor the codec tells it.
  int64_t packetUs() const {
    if (packet_->duration > 0) {
      const int64_t us = av_rescale_q(packet_->duration, stream_->time_base, AVRational{1, 1'000'000});
      return std::clamp<int64_t>(us, 0, kMaxPacketUs);
    }
    const int samples = decoder_->frame_size > 0 ? decoder_->frame_size : kUsualFrameSamples;
    return av_rescale(samples, 1'000'000, std::max(1, stream_->codecpar->sample_rate));
  }

  // Places a frame on the sample clock: the first by its timestamp, later ones gapless unless theirs leave a
  // gap.
  Status append(const AVFrame& frame) {
    if (frame.nb_samples <= 0) return {};
    FW_RETURN_IF_ERROR(matchResampler(frame));
    // After a seek, a frame without a usable time is taken to be the wanted one.
    const int64_t queuedEnd = position_ == INT64_MIN ? sought_ : position_ + available();
    int64_t at = queuedEnd;
    bool timed = frame.pts != AV_NOPTS_VALUE;
    if (timed) {
      const int64_t reported = samplesFromUs(demuxer_->toMediaUs(*stream_, frame.pts));
      timed = reported > -kFarthestSample && reported < kFarthestSample;
      if (timed) at = reported;
    }
    if (!started_) {
      started_ = true;
      if (position_ == INT64_MIN) position_ = at;
      if (at > position_) pad(at - position_);
      if (at < position_) toDrop_ = position_ - at;
    } else if (timed) {
      const int64_t reached = queuedEnd - toDrop_ + swr_get_delay(resampler_.get(), kRate);
      if (at - reached > kGapSamples) {
        if (demuxer_->hideDamage()) return recover();
        if (std::exchange(isBehindDamage_, false)) addLoss(at, at - reached);
        FW_RETURN_IF_ERROR(bridge(frame, at));
      }
      if (reached - at > kGapSamples) toDrop_ += reached - at;
    }
    lostInGapUs_ = 0;
    isFramePending_ = silence_ > 0;
    if (isFramePending_) return {};
    return resample(const_cast<const uint8_t**>(frame.extended_data), frame.nb_samples);
  }

  // Decodes again where packets are missing that the demuxer has found behind damage.
  Status recover() {
    lostUs_ -= std::exchange(lostInGapUs_, 0);
    return restartAt(std::max<int64_t>(0, position_));
  }

  // Counts a loss of samples up to `end`; one that is decoded again counts once.
  void addLoss(int64_t end, int64_t samples) {
    if (end <= counted_) return;
    counted_ = end;
    lostUs_ += std::max<int64_t>(0, av_rescale(samples, 1'000'000, kRate) - lostInGapUs_);
  }

  // Fills the gap before sample `at` with silence.
  Status bridge(const AVFrame& frame, int64_t at) {
    FW_RETURN_IF_ERROR(resample(nullptr, 0));
    resampler_.reset();
    pad(std::max<int64_t>(0, at - (position_ + available() - toDrop_)));
    return matchResampler(frame);
  }

  // Silence is counted, not stored: a file may declare a gap of years.
  void pad(int64_t count) { silence_ += count; }

  Status matchResampler(const AVFrame& frame) {
    const bool same = resampler_ != nullptr && frame.format == inputFormat_ &&
                      frame.sample_rate == inputRate_ && frame.ch_layout.nb_channels == inputChannels_;
    if (same) return {};
    if (resampler_ != nullptr) FW_RETURN_IF_ERROR(resample(nullptr, 0));
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    AVChannelLayout layout{};
    if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
      av_channel_layout_default(&layout, frame.ch_layout.nb_channels);
    } else {
      av_channel_layout_copy(&layout, &frame.ch_layout);
    }
    SwrContext* context = nullptr;
    int status =
        swr_alloc_set_opts2(&context, &stereo, AV_SAMPLE_FMT_FLTP, kRate, &layout,
                            static_cast<AVSampleFormat>(frame.format), frame.sample_rate, 0, nullptr);
    resampler_.reset(context);
    // Mono keeps its level on both channels; libswresample would lower it by 3 dB.
    const double mono[2] = {1.0, 1.0};
    if (status >= 0 && layout.nb_channels == 1) status = swr_set_matrix(context, mono, 1);
    av_channel_layout_uninit(&layout);
    if (status >= 0) status = swr_init(context);
    if (status < 0)
      return avError(ErrorCode::DECODE_FAILED, "the audio's channel layout is not supported", status);
    inputFormat_ = frame.format;
    inputRate_ = frame.sample_rate;
    inputChannels_ = frame.ch_layout.nb_channels;
    return {};
  }

  // Null input drains the resampler.
  Status resample(const uint8_t** input, int count) {
    const int room = swr_get_out_samples(resampler_.get(), count);
    if (room <= 0) return {};
    const size_t before = left_.size();
    left_.resize(before + static_cast<size_t>(room));
    right_.resize(before + static_cast<size_t>(room));
    uint8_t* output[2] = {reinterpret_cast<uint8_t*>(left_.data() + before),
                          reinterpret_cast<uint8_t*>(right_.data() + before)};
    const int made = swr_convert(resampler_.get(), output, room, input, count);
    left_.resize(before + static_cast<size_t>(std::max(0, made)));
    right_.resize(left_.size());
    if (made < 0) return avError(ErrorCode::DECODE_FAILED, "the audio cannot be resampled", made);
    const int64_t drop = std::min<int64_t>(toDrop_, made);
    if (drop > 0) {
      left_.erase(left_.begin() + static_cast<ptrdiff_t>(before),
                  left_.begin() + static_cast<ptrdiff_t>(before + static_cast<size_t>(drop)));
      right_.erase(right_.begin() + static_cast<ptrdiff_t>(before),
                   right_.begin() + static_cast<ptrdiff_t>(before + static_cast<size_t>(drop)));
      toDrop_ -= drop;
    }
    return {};
  }

  const std::string path_;
  std::unique_ptr<Demuxer> demuxer_;
  AVStream* stream_ = nullptr;
  CodecContextPtr decoder_;
  const CancelToken& cancel_;
  PacketPtr packet_;
  FramePtr frame_;
  ResamplerPtr resampler_;
  int inputFormat_ = -1, inputRate_ = 0, inputChannels_ = 0;
  std::vector<float> left_, right_;
  int64_t taken_ = 0;            // samples of left_ and right_ already read
  int64_t silence_ = 0;          // silent samples after those in left_ and right_
  int64_t position_ = 0;         // media position of the next sample to read
  int64_t sought_ = 0;           // media position of the last seek
  int64_t lostUs_ = 0;           // duration of packets that could not be decoded
  int64_t lostInGapUs_ = 0;      // of lostUs_, since the last frame
  int64_t counted_ = 0;          // where the last gap counted in lostUs_ ends
  bool isBehindDamage_ = false;  // of the container
  int64_t toDrop_ = 0;           // samples to be decoded that lie before position_
  bool started_ = false, draining_ = false, ended_ = false;
  bool isFramePending_ = false;  // frame_ follows the silence
  int64_t end_ = 0;
  int64_t paddedFrom_ = INT64_MAX;  // where the last frame's padding begins, if known
};

}  // namespace

Result<std::unique_ptr<AudioDecoder>> AudioDecoder::open(const std::string& path, const CancelToken& cancel) {
  auto decoder = std::make_unique<FileAudioDecoder>(path, cancel);
  FW_RETURN_IF_ERROR(decoder->open());
  return std::unique_ptr<AudioDecoder>(std::move(decoder));
}

}  // namespace framewright
