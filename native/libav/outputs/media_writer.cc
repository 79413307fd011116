#include "libav/outputs/media_writer.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <thread>

#include "libav/light/content_light.h"
#include "libav/light/mastering_display.h"
#include "libav/outputs/animation_delays.h"
#include "libav/outputs/encoder_error.h"

namespace framewright {
namespace {

constexpr unsigned kMaxEncoderThreads = 8;
constexpr double kKeyframeSeconds = 5;
// Time over which maxBitrate is averaged: a player's buffer.
constexpr int64_t kRateBufferSeconds = 2;
// Audio is encoded this far ahead of the video, so that the muxer can interleave both.
constexpr double kAudioLeadSeconds = 0.5;

}  // namespace

Result<std::unique_ptr<FileEncoder>> MediaWriter::open(const OutputFile& file, const std::string& path,
                                                       const WriteWatch& watch, double quality) {
  std::unique_ptr<MediaWriter> writer(new MediaWriter(file, path, watch, quality));
  FW_RETURN_IF_ERROR(writer->openOutput());
  return std::unique_ptr<FileEncoder>(std::move(writer));
}

Status MediaWriter::openOutput() {
  AVFormatContext* context = nullptr;
  int status = avformat_alloc_output_context2(&context, nullptr, choice_.muxer, nullptr);
  output_.reset(context);
  FW_ASSIGN_OR_RETURN(packet_, allocatePacket());
  if (status < 0) return encoderUnavailable(std::string(choice_.muxer) + " (muxer)", status);
  context->flags |= AVFMT_FLAG_BITEXACT;
  if (file_.timestampOffset > 0) context->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  if (*choice_.encoder != '\0') FW_RETURN_IF_ERROR(openVideo());
  if (file_.audio) {
    FW_ASSIGN_OR_RETURN(audio_, AudioTrack::open(file_, *context, watch_));
  }
  if (file_.isSequence) return {};
  // faststart reads the file back by this name when the trailer is written.
  const std::string url = "file:" + path_;
  context->url = av_strdup(url.c_str());
  status = avio_open(&context->pb, url.c_str(), AVIO_FLAG_WRITE);
  Options options;
  for (const auto& [name, value] : choice_.muxerOptions) options.set(name.c_str(), value.c_str());
  if (status >= 0) status = avformat_write_header(context, options.get());
  return status < 0 ? Status(outputUnwritable(status)) : Status();
}

Status MediaWriter::openVideo() {
  const AVCodec* codec = avcodec_find_encoder_by_name(choice_.encoder);
  encoder_.reset(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder_ == nullptr) return encoderUnavailable(choice_.encoder, AVERROR_ENCODER_NOT_FOUND);
  AVCodecContext& encoder = *encoder_;
  encoder.width = file_.width;
  encoder.height = file_.height;
  encoder.pix_fmt = choice_.pixelFormat;
  encoder.framerate = {static_cast<int>(file_.fps.num), static_cast<int>(file_.fps.den)};
  encoder.time_base = av_inv_q(encoder.framerate);
  encoder.sample_aspect_ratio = {1, 1};
  encoder.bit_rate = file_.bitrate;
  if (file_.maxBitrate > 0 && file_.codec != OutputCodec::kAv1) {
    encoder.rc_max_rate = file_.maxBitrate;
    encoder.rc_buffer_size =
        static_cast<int>(std::min<int64_t>(kRateBufferSeconds * file_.maxBitrate, INT_MAX));
  }
  const double rate = av_q2d(encoder.framerate);
  const bool isFragmented = file_.fragmentSeconds > 0;
  const double keyframeSeconds = isFragmented ? file_.fragmentSeconds : kKeyframeSeconds;
  encoder.gop_size = std::max(1, static_cast<int>(std::lround(keyframeSeconds * rate)));
  if (isFragmented) encoder.keyint_min = encoder.gop_size;
  encoder.thread_count =
      static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMaxEncoderThreads));
  FW_ASSIGN_OR_RETURN(const FramePtr tagged, allocateFrame());
  tagged->format = choice_.pixelFormat;
  tagColors(*tagged, file_.color.transfer);
  encoder.color_range = tagged->color_range;
  encoder.colorspace = tagged->colorspace;
  encoder.color_primaries = tagged->color_primaries;
  encoder.color_trc = tagged->color_trc;
  encoder.chroma_sample_location = tagged->chroma_location;
  if ((output_->oformat->flags & AVFMT_GLOBALHEADER) != 0) encoder.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  encoder.flags |= AV_CODEC_FLAG_BITEXACT;
  Options options;
  for (const auto& [name, value] : choice_.encoderOptions) {
    if (name == "qscale") {
      encoder.flags |= AV_CODEC_FLAG_QSCALE;
      encoder.global_quality = static_cast<int>(std::lround(std::stod(value) * FF_QP2LAMBDA));
    } else {
      options.set(name.c_str(), value.c_str());
    }
  }
  int status = avcodec_open2(&encoder, codec, options.get());
  if (status < 0) return encoderUnavailable(choice_.encoder, status);
  stream_ = avformat_new_stream(output_.get(), nullptr);
  if (stream_ == nullptr) return outOfMemory("video stream");
  stream_->time_base = encoder.time_base;
  stream_->avg_frame_rate = stream_->r_frame_rate = encoder.framerate;
  stream_->sample_aspect_ratio = encoder.sample_aspect_ratio;
  if (choice_.isStraightYuv && file_.format == OutputFormat::kWebm)
    av_dict_set(&stream_->metadata, "alpha_mode", "1", 0);
  status = avcodec_parameters_from_context(stream_->codecpar, &encoder);
  if (status < 0) return outOfMemory("video stream");
  if (file_.codec == OutputCodec::kHevc) {
    // Apple's players require it.
    stream_->codecpar->codec_tag = MKTAG('h', 'v', 'c', '1');
    FW_ASSIGN_OR_RETURN(filter_, ParameterSetFilter::create(*stream_->codecpar));
  }
  converter_ = std::make_unique<OutputFrameConverter>(OutputFrameLayout{
      file_.width, file_.height, choice_.pixelFormat, file_.hasAlpha, file_.matte, file_.color.transfer});
  if (file_.color.transfer != CanvasTransfer::kPq) return {};
  light_ = std::make_unique<LightMeter>();
  FW_RETURN_IF_ERROR(addMasteringDisplay(*stream_, file_.mastering));
  return addContentLightPlaceholder(*stream_);
}

double MediaWriter::secondsAt(int64_t frame) const {
  return static_cast<double>(frame) * static_cast<double>(file_.fps.den) / static_cast<double>(file_.fps.num);
}

Status MediaWriter::add(const ImagePtr& image, int64_t count) {
  const bool isShown = image == shown_;
  if (!isShown) {
    FW_ASSIGN_OR_RETURN(frame_, converter_->convert(*image));
    if (light_ != nullptr) light_->add(*image);
    shown_ = image;
  }
  if (choice_.mergesFrames && isShown) {
    lastFrames_ += count;
    frames_ += count;
    return {};
  }
  lastFrames_ = count;
  for (int64_t i = 0; i < (choice_.mergesFrames ? 1 : count); ++i) {
    // A still image may be shown for thousands of frames.
    if (watch_.cancelled()) return cancelledError();
    if (audio_ != nullptr) FW_RETURN_IF_ERROR(audio_->encodeUpTo(secondsAt(frames_ + i) + kAudioLeadSeconds));
    const FramePtr frame(av_frame_clone(frame_.get()));
    if (frame == nullptr) return outOfMemory("frame");
    frame->pts = frames_ + i;
    if ((encoder_->flags & AV_CODEC_FLAG_QSCALE) != 0) frame->quality = encoder_->global_quality;
    FW_RETURN_IF_ERROR(encode(frame.get()));
  }
  frames_ += count;
  return {};
}

Status MediaWriter::encode(const AVFrame* frame) {
  int status = avcodec_send_frame(encoder_.get(), frame);
  while (status >= 0) {
    status = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status >= 0) FW_RETURN_IF_ERROR(writePacket());
  }
  return encodeFailed(choice_.encoder, status);
}

Status MediaWriter::writeImage() {
  char name[64];
  const char* extension = file_.format == OutputFormat::kJpeg        ? "jpg"
                          : file_.format == OutputFormat::kWebpStill ? "webp"
                                                                     : "png";
  std::snprintf(name, sizeof name, "/frame-%06lld.%s", static_cast<long long>(++images_), extension);
  AVIOContext* image = nullptr;
  int status = avio_open(&image, ("file:" + path_ + name).c_str(), AVIO_FLAG_WRITE);
  if (status < 0) return outputUnwritable(status);
  avio_write(image, packet_->data, packet_->size);
  avio_flush(image);
  status = image->error;
  const int closed = avio_closep(&image);
  av_packet_unref(packet_.get());
  if (status >= 0) status = closed;
  return status < 0 ? Status(outputUnwritable(status)) : Status();
}

Status MediaWriter::writePacket() {
  watch_.step();
  if (file_.isSequence) return writeImage();
  if (filter_) {
    const int filtered = filter_->filter(*packet_);
    if (filtered < 0) return encodeFailed(choice_.encoder, filtered);
  }
  packet_->stream_index = stream_->index;
  if (packet_->duration == 0) packet_->duration = 1;
  if (file_.format == OutputFormat::kWebp)
    setLastWebpDelay({packet_->data, static_cast<size_t>(packet_->size)},
                     static_cast<int64_t>(std::llround(1000 * secondsAt(frames_))));
  const double offset =
      file_.timestampOffset * static_cast<double>(file_.fps.num) / static_cast<double>(file_.fps.den);
  packet_->pts += std::llround(offset);
  packet_->dts += std::llround(offset);
  av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
  const int status = av_interleaved_write_frame(output_.get(), packet_.get());
  return status < 0 ? Status(outputUnwritable(status)) : Status();
}

Status MediaWriter::closeOutput() {
  int status = av_write_trailer(output_.get());
  if (status >= 0) {
    avio_flush(output_->pb);
    status = output_->pb->error;
  }
  if (status >= 0) status = avio_closep(&output_->pb);
  return status < 0 ? Status(outputUnwritable(status)) : Status();
}

Result<OutputFileResult> MediaWriter::finish() {
  if (encoder_ != nullptr) {
    if (file_.format == OutputFormat::kApng && output_->priv_data != nullptr) {
      const AVRational delay = av_mul_q({static_cast<int>(lastFrames_), 1}, encoder_->time_base);
      av_opt_set_q(output_->priv_data, "final_delay", delay, 0);
    }
    FW_RETURN_IF_ERROR(encode(nullptr));
  }
  if (audio_ != nullptr) FW_RETURN_IF_ERROR(audio_->finish());
  if (!file_.isSequence) FW_RETURN_IF_ERROR(closeOutput());
  if (light_ != nullptr) FW_RETURN_IF_ERROR(writeContentLight(path_, light_->light()));
  OutputFileResult result;
  result.frames = frames_;
  result.width = encoder_ == nullptr ? 0 : file_.width;
  result.height = encoder_ == nullptr ? 0 : file_.height;
  if (encoder_ == nullptr) {
    result.durationSeconds = audio_->durationSeconds();
  } else if (!isStillFormat(file_.format) || file_.isSequence) {
    result.durationSeconds = secondsAt(frames_);
  }
  return result;
}

}  // namespace framewright
