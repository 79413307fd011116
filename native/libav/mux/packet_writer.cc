#include "libav/mux/packet_writer.h"

#include <cstdio>

#include "libav/av_parameters.h"
#include "libav/encode/encode_frame.h"
#include "libav/light/content_light.h"
#include "libav/mux/packet_file.h"

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

Status PacketWriter::openStream(const std::string& path, const AVCodecParameters& parameters,
                                AVRational timeBase, AVRational rate,
                                const std::optional<MasteringDisplay>& mastering) {
  AVFormatContext* context = nullptr;
  int status = avformat_alloc_output_context2(&context, nullptr, "nut", nullptr);
  if (status < 0) return writeError(status);
  output_.reset(context);
  path_ = path;
  AVStream* stream = avformat_new_stream(context, nullptr);
  if (stream == nullptr) return writeError(AVERROR(ENOMEM));
  status = avcodec_parameters_copy(stream->codecpar, &parameters);
  if (status < 0) return writeError(status);
  stream->codecpar->codec_tag = 0;
  appendsLight_ = mastering.has_value() && parameters.codec_id == AV_CODEC_ID_VP9;
  const ColorTags colors = colorsOf(parameters);
  if (parameters.codec_type == AVMEDIA_TYPE_VIDEO && !colors.isBt709()) {
    const std::string text = std::to_string(colors.matrix) + " " + std::to_string(colors.primaries) + " " +
                             std::to_string(colors.transfer);
    status = av_dict_set(&stream->metadata, kColorsKey, text.c_str(), 0);
    if (status < 0) return writeError(status);
  }
  if (mastering) {
    std::string text;
    for (const int64_t value : mastering->values()) text += std::to_string(value) + " ";
    status = av_dict_set(&stream->metadata, kMasteringKey, text.c_str(), 0);
    if (status < 0) return writeError(status);
  }
  stream->time_base = timeBase_ = timeBase;
  stream->avg_frame_rate = stream->r_frame_rate = rate;
  context->flags |= AVFMT_FLAG_BITEXACT;  // no library versions, so that output is reproducible
  context->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  // Without the prefix, libav would parse a path with a colon as a URL.
  status = avio_open(&context->pb, ("file:" + path).c_str(), AVIO_FLAG_WRITE);
  if (status >= 0) status = avformat_write_header(context, nullptr);
  if (status < 0) return writeError(status);
  return {};
}

Status PacketWriter::open(const std::string& path, const AVCodecContext& encoder, int maxReorderFrames,
                          const std::optional<MasteringDisplay>& mastering) {
  maxReorderFrames_ = maxReorderFrames;
  const CodecParametersPtr parameters(avcodec_parameters_alloc());
  if (parameters == nullptr || avcodec_parameters_from_context(parameters.get(), &encoder) < 0)
    return writeError(AVERROR(ENOMEM));
  return openStream(path, *parameters, encoder.time_base, encoder.framerate, mastering);
}

Status PacketWriter::open(const std::string& path, const AVCodecParameters& parameters, AVRational tick) {
  return openStream(path, parameters, tick, av_inv_q(tick));
}

Status PacketWriter::encode(AVCodecContext& encoder, const AVFrame* frame, const char* failure) {
  return encodeFrame(encoder, frame, failure, [this](AVPacket& packet) { return write(packet); });
}

Status PacketWriter::write(AVPacket& packet) {
  if (maxReorderFrames_ > 0) packet.dts = written_++ - maxReorderFrames_;
  if (firstDts_ == AV_NOPTS_VALUE) firstDts_ = packet.dts;
  packet.pts -= firstDts_;
  packet.dts -= firstDts_;
  packet.stream_index = 0;
  if (appendsLight_ && (packet.flags & AV_PKT_FLAG_KEY) != 0) FW_RETURN_IF_ERROR(appendContentLight(packet));
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
