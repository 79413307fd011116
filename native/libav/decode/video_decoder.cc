#include "libav/decode/video_decoder.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "libav/av_error.h"
#include "libav/av_version.h"
#include "libav/codec_policy.h"
#include "libav/decode/blend_images.h"
#include "libav/decode/decoded_frames.h"
#include "libav/decode/deinterlacer.h"
#include "libav/decode/frame_images.h"
#include "libav/decode/loss_log.h"
#include "libav/demux/demuxer.h"
#include "libav/demux/stream_metadata.h"
#include "libav/hardware/decode/choose_decoder.h"

namespace framewright {
namespace {

constexpr int64_t kMinSeekUs = 3'000'000;  // shorter distances are decoded through
constexpr int64_t kMaxMissingUs = 1'000'000;
constexpr int kMaxBrokenVideoPackets = 60;  // in a row, before the file counts as undecodable

class FileVideoDecoder final : public VideoDecoder {
 public:
  FileVideoDecoder(const std::string& path, std::unique_ptr<Demuxer> demuxer, CodecContextPtr decoder,
                   int64_t endUs, int threads, const DecodeOptions& options, const CancelToken& cancel)
      : path_(path),
        demuxer_(std::move(demuxer)),
        stream_(*demuxer_->videoStream()),
        decoder_(decodeInSoftware(std::move(decoder))),
        images_(demuxer_->context(), stream_, options.canvas),
        cancel_(&cancel),
        endUs_(endUs),
        threads_(threads),
        deinterlace_(options.deinterlace) {
    slackUs_ = frameTimeSlackUs(stream_);
    const AVRational rate = stream_.avg_frame_rate;
    if (rate.num > 0 && rate.den > 0)
      frameUs_ = std::max<int64_t>(1, av_rescale(1'000'000, rate.den, rate.num));
    demuxer_->select(stream_);
  }

  // Call it before the first frameAt().
  void selectDecoder(const DecodeOptions& options) {
    const int64_t playedUs = std::min(options.playedUs, endUs_);
    choice_ =
        chooseDecoder({path_, stream_, threads_, playedUs, options.mode, targetOf(options.target)}, *cancel_);
    if (choice_.decoder != nullptr) decoder_ = std::move(choice_.decoder);
  }

  void playBackwards() { isReversed_ = true; }

  Result<ImagePtr> frameAt(int64_t timeUs) override {
    if (isReversed_) return findBackwards(timeUs - slackUs_);
    return findForwards(timeUs);
  }

  Result<ImagePtr> blendAt(int64_t timeUs, int64_t stepUs, int64_t stopUs) override {
    auto blended = blendFrames(timeUs, stepUs, stopUs);
    if (blended.ok() || !decoder_->fault()) return blended;
    FW_RETURN_IF_ERROR(fallBackToSoftware());
    const auto found = find(timeUs + slackUs_, true);
    return found.ok() ? blendFrames(timeUs, stepUs, stopUs) : found;
  }

  int64_t endUs() const override { return endUs_; }

  DecodeReport report() const override {
    if (choice_.backend.empty() && choice_.reason.empty()) return {};
    return {choice_.backend.empty() ? "software" : choice_.backend, choice_.reason,
            choice_.backend.empty() ? transfers_ : decoder_->transfers()};
  }

  DecodeFaults takeFaults() override { return losses_.takeFaults(); }

  void setCancelToken(const CancelToken& cancel) override { cancel_ = &cancel; }

  Status setTarget(const std::shared_ptr<const DecodeTarget>& target) override {
    setDecodeTarget(*decoder_, choice_, {.path = path_, .stream = stream_, .target = targetOf(target)},
                    *cancel_);
    if (target != nullptr) return {};
    for (TimedFrame* const frame : {&current_, &upcoming_, &secondField_, &decoded_})
      FW_RETURN_IF_ERROR(images_.downloadInPlace(*frame, *decoder_));
    for (ImagePtr* const image : {&image_, &upcomingImage_}) {
      if (*image != nullptr && (*image)->decodedFrame() != nullptr) image->reset();
    }
    return {};
  }

 private:
  // Fields are made on the CPU.
  std::shared_ptr<const DecodeTarget> targetOf(const std::shared_ptr<const DecodeTarget>& target) const {
    return deinterlace_ == Deinterlace::kOn ? nullptr : target;
  }

  Result<ImagePtr> blendFrames(int64_t timeUs, int64_t stepUs, int64_t stopUs) {
    FW_ASSIGN_OR_RETURN(ImagePtr shown, frameAt(timeUs));
    const int64_t fromUs = isReversed_ ? shownUs_ : current_.timeUs;
    TimedFrame& next = isReversed_ ? retained_.later().frame : upcoming_;
    ImagePtr& image = isReversed_ ? retained_.later().image : upcomingImage_;
    if (next.frame == nullptr || next.timeUs >= stopUs - slackUs_) return shown;
    const int64_t distanceUs = next.timeUs - fromUs;
    if (distanceUs <= stepUs + slackUs_) return shown;
    const double share = static_cast<double>(timeUs - fromUs) / static_cast<double>(distanceUs);
    if (share * static_cast<double>(distanceUs) <= static_cast<double>(slackUs_)) return shown;
    if (image == nullptr) {
      FW_ASSIGN_OR_RETURN(image, convert(next));
    }
    FW_ASSIGN_OR_RETURN(shown, images_.download(shown, *decoder_));
    FW_ASSIGN_OR_RETURN(const ImagePtr later, images_.download(image, *decoder_));
    return blendImages(shown, later, share);
  }

  Result<ImagePtr> findForwards(int64_t timeUs) {
    const int64_t target = timeUs + slackUs_;
    const int64_t shownUs = current_.timeUs;
    const ImagePtr shown = image_;
    auto image = find(target, false);
    if (image.ok() || !decoder_->fault()) return image;
    FW_RETURN_IF_ERROR(fallBackToSoftware());
    image = find(target, true);
    // The same frame keeps its pointer, so that callers need not draw it again.
    const bool isShown = image.ok() && shown != nullptr && shownUs == current_.timeUs;
    return isShown ? image_ = shown : image;
  }

  // `mustSeek`: the decoder is new, so start at a random access point.
  Result<ImagePtr> find(int64_t target, bool mustSeek) {
    const bool backwards = current_.frame != nullptr && target < current_.timeUs && !currentIsFirst_;
    const int64_t decodedUs = upcoming_.frame != nullptr ? upcoming_.timeUs : current_.timeUs;
    const bool farAhead = current_.frame != nullptr && target > decodedUs + kMinSeekUs && !ended_;
    const bool farIn = current_.frame == nullptr && target > kMinSeekUs;
    if (mustSeek || backwards || farAhead || farIn) FW_RETURN_IF_ERROR(seek(target));
    FW_RETURN_IF_ERROR(advance(target));
    FW_RETURN_IF_ERROR(recover(target));
    FW_RETURN_IF_ERROR(checkNotCutShort(target));
    if (image_ == nullptr) {
      FW_ASSIGN_OR_RETURN(image_, convert(current_));
    }
    return image_;
  }

  // Decodes from the random access point on, and retains the last frames up to `target` for the calls to
  // come.
  Result<ImagePtr> findBackwards(int64_t target) {
    DecodedFrames::Entry* found = retained_.find(target);
    if (found == nullptr) {
      retained_.clear();
      if (target > kFrameTimeSlackUs || current_.frame != nullptr) FW_RETURN_IF_ERROR(seek(target));
      FW_RETURN_IF_ERROR(advance(target));
      FW_RETURN_IF_ERROR(recover(target));
      FW_RETURN_IF_ERROR(checkNotCutShort(target));
      retained_.add(current_);
      retained_.finish(target, upcoming_);
      found = retained_.find(std::max(target, current_.timeUs));
    }
    if (found->image == nullptr) {
      FW_ASSIGN_OR_RETURN(found->image, convert(found->frame));
    }
    shownUs_ = found->frame.timeUs;
    return found->image;
  }

  Result<ImagePtr> convert(const TimedFrame& shown) { return images_.convert(shown, *decoder_); }

  // Continues in software at the same frame after a fault of the device.
  Status fallBackToSoftware() {
    const DecoderFault fault = *decoder_->fault();
    disableDecoder(choice_, {path_, stream_}, fault);
    choice_.reason = choice_.backend + " " + choice_.device + " failed: " + fault.why;
    choice_.backend.clear();
    choice_.opened.reset();
    transfers_ = decoder_->transfers();
    FW_ASSIGN_OR_RETURN(CodecContextPtr context, openDecoder(stream_, threads_));
    decoder_ = decodeInSoftware(std::move(context));
    return {};
  }

  static std::string seconds(int64_t us) {
    return std::to_string(us / 1000000) + "." + std::to_string(us / 100000 % 10) + " s";
  }

  // Decodes again where frames are missing that the demuxer can find behind damage.
  Status recover(int64_t target) {
    const bool endsEarly = ended_ && upcoming_.frame == nullptr && endUs_ - reachedUs() > frameUs_ / 2;
    const auto gapUs = losses_.takeGap();
    if ((!gapUs && !endsEarly) || !demuxer_->hideDamage()) return {};
    retained_.clear();
    FW_RETURN_IF_ERROR(seek(gapUs.value_or(current_.timeUs)));
    return advance(target);
  }

  // End of the current frame.
  int64_t reachedUs() const {
    const int64_t lastUs = av_rescale_q(durationOf(*current_.frame), stream_.time_base, {1, 1'000'000});
    return current_.timeUs + std::max(frameUs_, lastUs);
  }

  // The last frame may be repeated after the declared end, but not instead of missing frames, unless they are
  // lost to damage.
  Status checkNotCutShort(int64_t target) {
    if (!ended_ || upcoming_.frame != nullptr) return {};
    const int64_t reachedUs = this->reachedUs();
    if (!demuxer_->hiddenDamage().empty() && losses_.isSuspect()) {
      losses_.addLoss(endUs_, endUs_ - reachedUs);
      return {};
    }
    if (std::min(endUs_, target) - reachedUs <= kMaxMissingUs) return {};
    return Error{ErrorCode::DECODE_FAILED,
                 "the video cannot be decoded (the file is truncated: it has " + seconds(reachedUs) + " of " +
                     seconds(endUs_) + ")",
                 ""};
  }

  // Decodes until current_ is the last frame not later than `target`.
  Status advance(int64_t target) {
    if (current_.frame == nullptr) {
      FW_RETURN_IF_ERROR(next(current_));
      if (current_.frame == nullptr)
        return Error{ErrorCode::DECODE_FAILED, "the video cannot be decoded (it has no frames)", ""};
    }
    while (true) {
      if (upcoming_.frame == nullptr && !ended_) FW_RETURN_IF_ERROR(next(upcoming_));
      if (upcoming_.frame == nullptr || upcoming_.timeUs > target) return {};
      if (isReversed_) retained_.add(current_);
      current_ = std::move(upcoming_);
      upcoming_ = {};
      currentIsFirst_ = false;
      image_ = std::exchange(upcomingImage_, nullptr);
    }
  }

  // Seeks back until decoding starts at or before `target`: containers index decode timestamps, which may
  // lead past the wanted frame, and some have no index.
  Status seek(int64_t target) {
    for (int64_t back = 0;; back = back == 0 ? 1'000'000 : back * 4) {
      const int64_t from = std::max<int64_t>(0, target - back);
      FW_RETURN_IF_ERROR(demuxer_->seek(stream_, from));
      decoder_->flush();
      current_ = upcoming_ = secondField_ = {};
      decoded_ = {};
      previous_.reset();
      image_.reset();
      upcomingImage_.reset();
      ended_ = decoderEnded_ = draining_ = false;
      losses_.forgetDamage();
      lastUs_ = INT64_MIN;
      currentIsFirst_ = from == 0;
      FW_RETURN_IF_ERROR(next(current_));
      if (from == 0) return {};  // advance() reports an empty stream
      // In MPEG-PS only the first frame of a packet has a time.
      const bool isTimed =
          current_.frame != nullptr && current_.frame->best_effort_timestamp != AV_NOPTS_VALUE;
      if (isTimed && current_.timeUs <= target) return {};
    }
  }

  bool isFieldPair(const AVFrame& frame) const {
    if (deinterlace_ == Deinterlace::kOff || !canDeinterlace(frame)) return false;
    return deinterlace_ == Deinterlace::kOn || isInterlaced(frame);
  }

  // The next frame or field; leaves `shown` empty at the end of the stream.
  Status next(TimedFrame& shown) {
    if (secondField_.frame != nullptr) {
      shown = std::exchange(secondField_, {});
      return {};
    }
    if (decoded_.frame == nullptr) FW_RETURN_IF_ERROR(decodeInto(decoded_));
    TimedFrame frame = std::exchange(decoded_, {});
    if (frame.frame == nullptr) {
      ended_ = true;
      return {};
    }
    if (isFieldPair(*frame.frame)) {
      FW_RETURN_IF_ERROR(decodeInto(decoded_));
      FW_RETURN_IF_ERROR(images_.downloadInPlace(decoded_, *decoder_));
      // The order of the fields of frames that are not marked is that of most formats.
      const bool isTopFirst = !isInterlaced(*frame.frame) || isTopFieldFirst(*frame.frame);
      frame.field = Field{previous_, frame.frame, decoded_.frame, false, isTopFirst};
      secondField_ = frame;
      secondField_.field->isSecond = true;
      const bool isNear = decoded_.frame != nullptr && decoded_.timeUs - frame.timeUs < 2 * frameUs_;
      secondField_.timeUs += (isNear ? decoded_.timeUs - frame.timeUs : frameUs_) / 2;
    }
    previous_ = frame.field ? frame.frame : nullptr;
    shown = std::move(frame);
    return {};
  }

  // Decodes the next frame; leaves `next` empty at the end of the stream.
  Status decodeInto(TimedFrame& next) {
    if (decoderEnded_) return {};
    FW_ASSIGN_OR_RETURN(FramePtr frame, allocateFrame());
    int broken = 0;
    while (true) {
      if (cancel_->cancelled()) return cancelledError();
      int status = decoder_->receive(*frame);
      if (status >= 0) {
        const int64_t beforeUs = lastUs_;
        next.timeUs = timeOf(*frame);
        if (beforeUs != INT64_MIN) losses_.addFrame(beforeUs, next.timeUs, frameUs_);
        next.frame = SharedFrame(frame.release(), AvFree());
        return {};
      }
      if (status == AVERROR_EOF) {
        decoderEnded_ = true;
        return {};
      }
      if (status == AVERROR(EAGAIN)) {
        FW_ASSIGN_OR_RETURN(status, feed());
      }
      if (decoder_->fault()) return Error{ErrorCode::DECODE_FAILED, "the hardware decoder failed", ""};
      // Skips damaged packets, as players do, up to a limit.
      if (status < 0 && ++broken > kMaxBrokenVideoPackets) {
        return avError(ErrorCode::DECODE_FAILED, "the video cannot be decoded", status);
      }
    }
  }

  // Sends one packet, or the end of the stream, to the decoder; returns libav's status.
  Result<int> feed() {
    if (draining_) return AVERROR_INVALIDDATA;
    if (packet_ == nullptr) {
      FW_ASSIGN_OR_RETURN(packet_, allocatePacket());
    }
    FW_ASSIGN_OR_RETURN(const bool more, demuxer_->read(*packet_));
    draining_ = !more;
    const int status = decoder_->send(more ? packet_.get() : nullptr);
    if (demuxer_->takeDamage() || status == AVERROR_INVALIDDATA) losses_.noteDamage();
    if (status == AVERROR(ENOMEM)) return avError(ErrorCode::OUT_OF_MEMORY, "decoder", status);
    return status;
  }

  int64_t timeOf(const AVFrame& frame) {
    const bool timed = frame.best_effort_timestamp != AV_NOPTS_VALUE;
    int64_t us = timed ? demuxer_->toMediaUs(stream_, frame.best_effort_timestamp)
                       : (lastUs_ == INT64_MIN ? 0 : lastUs_ + frameUs_);
    // Frames are output in display order, so a time that runs backwards is wrong.
    if (lastUs_ != INT64_MIN) us = std::max(us, lastUs_ + 1);
    lastUs_ = us;
    return us;
  }

  const std::string path_;
  std::unique_ptr<Demuxer> demuxer_;
  AVStream& stream_;
  std::unique_ptr<FrameDecoder> decoder_;
  DecodeChoice choice_;       // its decoder was moved to decoder_
  FrameTransfers transfers_;  // of a device that failed
  FrameImages images_;
  const CancelToken* cancel_;
  PacketPtr packet_;
  TimedFrame current_, upcoming_;
  TimedFrame secondField_;  // follows upcoming_
  TimedFrame decoded_;      // follows secondField_
  SharedFrame previous_;    // before decoded_; null if it was progressive
  ImagePtr image_;          // current_ converted; null until needed
  ImagePtr upcomingImage_;  // upcoming_ converted; null until needed
  bool isReversed_ = false;
  DecodedFrames retained_;  // for times that descend
  int64_t shownUs_ = 0;     // of the frame that findBackwards() has returned
  bool currentIsFirst_ = true;
  bool draining_ = false;
  bool decoderEnded_ = false;
  bool ended_ = false;  // next() has returned the last frame
  LossLog losses_;
  int64_t slackUs_ = kFrameTimeSlackUs;
  int64_t frameUs_ = 40'000;
  int64_t lastUs_ = INT64_MIN;
  int64_t endUs_ = 0;
  const int threads_;
  const Deinterlace deinterlace_;
};

}  // namespace

Result<std::unique_ptr<VideoDecoder>> VideoDecoder::open(const std::string& path, int threads,
                                                         const CancelToken& cancel,
                                                         const DecodeOptions& options) {
  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(path));
  AVStream* stream = demuxer->videoStream();
  if (stream == nullptr) return unreadableMedia("the file has no video stream");
  if (threads == 0) threads = decoderThreads(*stream->codecpar);
  FW_ASSIGN_OR_RETURN(auto decoder, openDecoder(*stream, threads));
  FW_ASSIGN_OR_RETURN(const int64_t endUs, demuxer->findEndUs(*stream));
  auto video = std::make_unique<FileVideoDecoder>(path, std::move(demuxer), std::move(decoder), endUs,
                                                  threads, options, cancel);
  if (options.isReversed) {
    video->playBackwards();
  } else {
    video->selectDecoder(options);
  }
  return std::unique_ptr<VideoDecoder>(std::move(video));
}

}  // namespace framewright
