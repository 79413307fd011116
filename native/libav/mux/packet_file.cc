#include "libav/mux/packet_file.h"

#include <cstdio>
#include <sstream>

#include "libav/av_error.h"
#include "libav/av_parameters.h"

namespace framewright {
namespace {

Error damaged(int status) { return avError(ErrorCode::STITCH_FAILED, "a segment file is damaged", status); }

// NUT has no field for colours; without the tag they are BT.709.
ColorTags readColors(const AVStream& stream) {
  ColorTags colors;
  const AVDictionaryEntry* const tag = av_dict_get(stream.metadata, kColorsKey, nullptr, 0);
  if (tag != nullptr)
    std::sscanf(tag->value, "%d %d %d", &colors.matrix, &colors.primaries, &colors.transfer);
  return colors;
}

std::optional<MasteringDisplay> readMastering(const AVStream& stream) {
  const AVDictionaryEntry* const tag = av_dict_get(stream.metadata, kMasteringKey, nullptr, 0);
  if (tag == nullptr) return std::nullopt;
  std::istringstream text(tag->value);
  MasteringDisplay::Values values{};
  for (int64_t& value : values) text >> value;
  return text ? std::optional(MasteringDisplay::of(values)) : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<PacketFile>> PacketFile::open(const std::string& path) {
  std::unique_ptr<PacketFile> file(new PacketFile());
  auto source = ByteSource::open(path);
  if (!source.ok())
    return Error{ErrorCode::STITCH_FAILED, "a segment file is missing", source.error().message};
  file->source_ = source.take();
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return outOfMemory("demuxer");
  context->pb = file->source_->io();
  const int status = avformat_open_input(&context, "", av_find_input_format("nut"), nullptr);
  if (status < 0) return damaged(status);
  file->context_.reset(context);
  if (context->nb_streams != 1) return damaged(AVERROR_INVALIDDATA);
  const AVStream& stream = file->stream();
  const bool video = stream.codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
  if (video) setColors(*stream.codecpar, readColors(stream));
  file->mastering_ = readMastering(stream);
  file->timeBase_ = video ? av_inv_q(stream.r_frame_rate) : AVRational{1, stream.codecpar->sample_rate};
  if (file->timeBase_.num <= 0 || file->timeBase_.den <= 0) return damaged(AVERROR_INVALIDDATA);
  return file;
}

Result<bool> PacketFile::read(AVPacket& packet) {
  av_packet_unref(&packet);
  const int status = av_read_frame(context_.get(), &packet);
  if (status == AVERROR_EOF) return false;
  if (status < 0) return damaged(status);
  if (packet.pts == AV_NOPTS_VALUE) return damaged(AVERROR_INVALIDDATA);
  av_packet_rescale_ts(&packet, stream().time_base, timeBase_);
  const AVCodecParameters& parameters = *stream().codecpar;
  if (count_ == 0) offset_ = packet.pts;
  packet.pts -= offset_;
  packet.dts = parameters.codec_type == AVMEDIA_TYPE_VIDEO ? count_ - parameters.video_delay : packet.pts;
  packet.stream_index = 0;
  packet.pos = -1;
  ++count_;
  return true;
}

}  // namespace framewright
