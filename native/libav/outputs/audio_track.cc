#include "libav/outputs/audio_track.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "libav/outputs/codec_choice.h"
#include "libav/outputs/encoder_error.h"

namespace framewright {
namespace {

// For encoders that accept frames of any size.
constexpr int kFreeFrameSamples = 1024;

int64_t sampleAtCanvasFrame(const OutputFile& file, int64_t frame) {
  return av_rescale(frame, AudioTrack::kTrackSampleRate * file.canvasFps.den, file.canvasFps.num);
}

}  // namespace

Result<std::unique_ptr<AudioTrack>> AudioTrack::open(const OutputFile& file, AVFormatContext& output,
                                                     const WriteWatch& watch) {
  std::unique_ptr<AudioTrack> track(new AudioTrack(output, watch));
  FW_ASSIGN_OR_RETURN(track->reader_, WavReader::open(file.audio->path));
  const int64_t first = sampleAtCanvasFrame(file, file.first);
  track->total_ = sampleAtCanvasFrame(file, file.end) - first;
  FW_RETURN_IF_ERROR(track->reader_->seek(first));
  // Beside video, whose key frames begin the fragments, the muxer cuts the audio.
  if (output.nb_streams == 0) track->fragmentSamples_ = std::llround(file.fragmentSeconds * kTrackSampleRate);
  track->nextFragment_ = track->fragmentSamples_;
  FW_RETURN_IF_ERROR(track->openEncoder(*file.audio));
  // WebM players subtract the priming from the timestamps of the file.
  track->timestampOffset_ = file.format == OutputFormat::kWebm
                                ? track->encoder_->initial_padding
                                : std::llround(file.timestampOffset * kTrackSampleRate);
  return track;
}

Status AudioTrack::openEncoder(const OutputAudio& audio) {
  const AudioCodecChoice choice = chooseAudioCodec(audio);
  const AVCodec* codec = avcodec_find_encoder_by_name(choice.encoder);
  encoder_.reset(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder_ == nullptr) return encoderUnavailable(choice.encoder, AVERROR_ENCODER_NOT_FOUND);
  av_channel_layout_default(&encoder_->ch_layout, audio.channels);
  encoder_->sample_rate = kTrackSampleRate;
  encoder_->sample_fmt = choice.sampleFormat;
  encoder_->bit_rate = choice.bitrate;
  encoder_->time_base = {1, kTrackSampleRate};
  // S32 samples hold 24 bits.
  if (audio.codec == OutputAudioCodec::kFlac) encoder_->bits_per_raw_sample = 24;
  if ((output_.oformat->flags & AVFMT_GLOBALHEADER) != 0) encoder_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  encoder_->flags |= AV_CODEC_FLAG_BITEXACT;
  int status = avcodec_open2(encoder_.get(), codec, nullptr);
  if (status < 0) return encoderUnavailable(choice.encoder, status);
  SwrContext* context = nullptr;
  AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
  status = swr_alloc_set_opts2(&context, &encoder_->ch_layout, choice.sampleFormat, kTrackSampleRate, &stereo,
                               AV_SAMPLE_FMT_FLT, kTrackSampleRate, 0, nullptr);
  converter_.reset(context);
  const double halves[2] = {0.5, 0.5};
  if (status >= 0 && audio.channels == 1) status = swr_set_matrix(context, halves, 2);
  if (status >= 0) status = swr_init(context);
  stream_ = avformat_new_stream(&output_, nullptr);
  FW_ASSIGN_OR_RETURN(packet_, allocatePacket());
  if (status < 0 || stream_ == nullptr) return outOfMemory("audio stream");
  stream_->time_base = encoder_->time_base;
  status = avcodec_parameters_from_context(stream_->codecpar, encoder_.get());
  return status < 0 ? Status(outOfMemory("audio stream")) : Status();
}

int AudioTrack::endFragment() {
  while (packet_->pts >= nextFragment_) nextFragment_ += fragmentSamples_;
  int status = av_interleaved_write_frame(&output_, nullptr);
  // The first call writes the header alone.
  const int calls = std::exchange(hasHeader_, true) ? 1 : 2;
  for (int i = 0; i < calls && status >= 0; ++i) status = av_write_frame(&output_, nullptr);
  return status;
}

Status AudioTrack::encodeUpTo(double seconds) {
  const auto until = std::min(total_, static_cast<int64_t>(seconds * kTrackSampleRate));
  while (encoded_ < until) FW_RETURN_IF_ERROR(encodeBlock());
  return {};
}

Status AudioTrack::finish() {
  while (encoded_ < total_) FW_RETURN_IF_ERROR(encodeBlock());
  return send(nullptr);
}

Status AudioTrack::encodeBlock() {
  if (watch_.cancelled()) return cancelledError();
  const int wanted = encoder_->frame_size > 0 ? encoder_->frame_size : kFreeFrameSamples;
  const auto count = static_cast<int>(std::min<int64_t>(wanted, total_ - encoded_));
  samples_.resize(static_cast<size_t>(count) * 2);
  FW_RETURN_IF_ERROR(reader_->read(samples_.data(), count));
  FW_ASSIGN_OR_RETURN(const FramePtr frame, allocateFrame());
  frame->format = encoder_->sample_fmt;
  frame->sample_rate = kTrackSampleRate;
  frame->nb_samples = count;
  frame->pts = encoded_;
  int status = av_channel_layout_copy(&frame->ch_layout, &encoder_->ch_layout);
  if (status >= 0) status = av_frame_get_buffer(frame.get(), 0);
  if (status < 0) return outOfMemory("audio frame");
  const auto* input = reinterpret_cast<const uint8_t*>(samples_.data());
  status = swr_convert(converter_.get(), frame->extended_data, count, &input, count);
  if (status != count) return encodeFailed(encoder_->codec->name, status < 0 ? status : AVERROR_BUG);
  encoded_ += count;
  return send(frame.get());
}

Status AudioTrack::send(const AVFrame* frame) {
  int status = avcodec_send_frame(encoder_.get(), frame);
  while (status >= 0) {
    status = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status < 0) break;
    packet_->stream_index = stream_->index;
    if (fragmentSamples_ > 0 && packet_->pts >= nextFragment_) {
      status = endFragment();
      if (status < 0) return outputUnwritable(status);
    }
    packet_->pts += timestampOffset_;
    packet_->dts += timestampOffset_;
    av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
    status = av_interleaved_write_frame(&output_, packet_.get());
    if (status < 0) return outputUnwritable(status);
  }
  return encodeFailed(encoder_->codec->name, status);
}

}  // namespace framewright
