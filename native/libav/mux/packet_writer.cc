#include "libav/mux/packet_writer.h"

#include <cstdio>

#include "libav/av_error.h"

namespace framewright {
namespace {

Error writeError(int status) {
  return avError(ErrorCode::IO_FAILED, "a segment file cannot be written", status);
}

}  // namespace

PacketWriter::~PacketWriter() {
  if (output_ == nullptr) return;
  output_.reset();
  std::remove(path_.c_str());
}

template <class Describe>
Status PacketWriter::openStream(const std::string& path, AVRational timeBase, AVRational rate,
                                const Describe& describe) {
  AVFormatContext* context = nullptr;
  int status = avformat_alloc_output_context2(&context, nullptr, "nut", nullptr);
  if (status < 0) return writeError(status);
  output_.reset(context);
  packet_.reset(av_packet_alloc());
  if (packet_ == nullptr) return writeError(AVERROR(ENOMEM));
  path_ = path;
  AVStream* stream = avformat_new_stream(context, nullptr);
  if (stream == nullptr) return writeError(AVERROR(ENOMEM));
  status = describe(*stream->codecpar);
  if (status < 0) return writeError(status);
  stream->codecpar->codec_tag = 0;
  stream->time_base = timeBase_ = timeBase;
  stream->avg_frame_rate = stream->r_frame_rate = rate;
  context->flags |= AVFMT_FLAG_BITEXACT;  // no library versions in the file: equal work gives equal bytes
  context->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  // A bare path would be read as a protocol when it holds a colon.
  status = avio_open(&context->pb, ("file:" + path).c_str(), AVIO_FLAG_WRITE);
  if (status >= 0) status = avformat_write_header(context, nullptr);
  if (status < 0) return writeError(status);
  return {};
}

Status PacketWriter::open(const std::string& path, const AVCodecContext& encoder, int maxReorderFrames) {
  maxReorderFrames_ = maxReorderFrames;
  return openStream(path, encoder.time_base, encoder.framerate, [&](AVCodecParameters& parameters) {
    return avcodec_parameters_from_context(&parameters, &encoder);
  });
}

Status PacketWriter::open(const std::string& path, const AVCodecParameters& parameters, AVRational tick) {
  return openStream(path, tick, av_inv_q(tick),
                    [&](AVCodecParameters& own) { return avcodec_parameters_copy(&own, &parameters); });
}

Status PacketWriter::encode(AVCodecContext& encoder, const AVFrame* frame, const char* refused) {
  int status = avcodec_send_frame(&encoder, frame);
  while (status >= 0) {
    status = avcodec_receive_packet(&encoder, packet_.get());
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return {};
    if (status >= 0) FW_RETURN_IF_ERROR(write(*packet_));
  }
  return avError(ErrorCode::ENCODE_FAILED, refused, status);
}

Status PacketWriter::write(AVPacket& packet) {
  if (maxReorderFrames_ > 0) packet.dts = written_++ - maxReorderFrames_;
  if (firstDts_ == AV_NOPTS_VALUE) firstDts_ = packet.dts;
  packet.pts -= firstDts_;
  packet.dts -= firstDts_;
  packet.stream_index = 0;
  av_packet_rescale_ts(&packet, timeBase_, output_->streams[0]->time_base);
  const int status = av_write_frame(output_.get(), &packet);
  av_packet_unref(&packet);
  if (status < 0) return writeError(status);
  return {};
}

Result<int64_t> PacketWriter::finish() {
  int status = av_write_trailer(output_.get());
  if (status >= 0) {
    avio_flush(output_->pb);
    status = output_->pb->error;
  }
  const int64_t bytes = avio_tell(output_->pb);
  if (status >= 0) status = avio_closep(&output_->pb);
  if (status < 0) return writeError(status);
  output_.reset();
  return bytes;
}

}  // namespace framewright
