#include "libav/demux/probe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "formats/animation/animation.h"
#include "formats/image_header.h"
#include "formats/unsupported_format.h"
#include "libav/codec_policy.h"
#include "libav/demux/byte_source.h"
#include "libav/demux/demuxer.h"
#include "libav/demux/stream_metadata.h"

namespace framewright {
namespace {

constexpr int64_t kMaxImageBytes = 256 << 20;

// The file's first bytes, enough to know a picture or a text by.
Result<FileBytes> readStart(const std::string& path) {
  FW_ASSIGN_OR_RETURN(auto source, ByteSource::open(path));
  FileBytes bytes;
  bytes.padded.resize(kSignatureBytes);
  bytes.size =
      static_cast<size_t>(std::max(0, avio_read(source->io(), bytes.padded.data(), kSignatureBytes)));
  return bytes;
}

Result<MediaMetadata> probeImage(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const FileBytes bytes, readFileBytes(path, kMaxImageBytes));
  const std::span<const uint8_t> file(bytes.padded.data(), bytes.size);
  FW_ASSIGN_OR_RETURN(const ImageHeader header, readImageHeader(file));
  FW_ASSIGN_OR_RETURN(const auto animation, readAnimation(file));
  MediaMetadata facts;
  facts.kind = MediaMetadata::Kind::kImage;
  facts.container = imageTypeName(header.type);
  facts.videoCodec = header.type == ImageType::kJpeg   ? "mjpeg"
                     : header.type == ImageType::kAvif ? "av1"
                                                       : facts.container;
  const bool turned = header.exifOrientation >= 5;
  facts.width = turned ? header.height : header.width;
  facts.height = turned ? header.width : header.height;
  if (animation) {
    facts.durationSeconds = static_cast<double>(animation->endUs) / 1e6;
    facts.plays = animation->plays;
  }
  return facts;
}

// Pixels of another shape than this are damage, and not how anything was filmed.
constexpr double kWidestPixel = 16;

void addPictureFacts(MediaMetadata& facts, AVFormatContext& context, AVStream& stream) {
  const AVCodecParameters& parameters = *stream.codecpar;
  facts.kind = MediaMetadata::Kind::kVideo;
  facts.videoCodec = avcodec_get_name(parameters.codec_id);
  const AVRational aspect = av_guess_sample_aspect_ratio(&context, &stream, nullptr);
  double width = parameters.width, height = parameters.height;
  const double shape = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
  if (shape > 1 / kWidestPixel && shape < kWidestPixel) width *= shape;
  if (streamOrientation(stream).swapped) std::swap(width, height);
  facts.width = std::max(1, static_cast<int>(std::lround(width)));
  facts.height = std::max(1, static_cast<int>(std::lround(height)));
  AVRational rate = stream.avg_frame_rate;
  if (rate.num <= 0 || rate.den <= 0) rate = stream.r_frame_rate;
  if (rate.num > 0 && rate.den > 0) facts.frameRate = {rate.num, rate.den};
}

// A stream that could never be played is refused here, before anything is planned around it.
Status checkDecodable(const AVStream* stream) {
  if (stream == nullptr) return {};
  auto decoder = openDecoder(*stream, 1);
  return decoder.ok() ? Status() : Status(decoder.error());
}

}  // namespace

Result<MediaMetadata> probe(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const FileBytes start, readStart(path));
  const std::span<const uint8_t> bytes(start.padded.data(), start.size);
  FW_RETURN_IF_ERROR(rejectForeignText(bytes));
  if (sniffImageType(bytes) || sniffForeignImage(bytes) != nullptr) return probeImage(path);

  FW_ASSIGN_OR_RETURN(auto demuxer, Demuxer::open(path));
  AVStream* video = demuxer->videoStream();
  AVStream* audio = demuxer->audioStream();
  FW_RETURN_IF_ERROR(checkDecodable(video));
  if (video == nullptr) FW_RETURN_IF_ERROR(checkDecodable(audio));

  MediaMetadata facts;
  facts.kind = MediaMetadata::Kind::kAudio;
  facts.container = demuxer->container();
  if (video != nullptr) addPictureFacts(facts, demuxer->context(), *video);
  // Sound that cannot be decoded does not spoil a video; it counts as silent.
  if (audio != nullptr && checkDecodable(audio).ok()) {
    facts.hasAudio = true;
    facts.audioCodec = avcodec_get_name(audio->codecpar->codec_id);
  }
  FW_ASSIGN_OR_RETURN(const int64_t endUs, demuxer->findEndUs(video != nullptr ? *video : *audio));
  if (endUs <= 0) return Error{ErrorCode::MEDIA_UNREADABLE, "the file is damaged: it has no length", ""};
  FW_RETURN_IF_ERROR(checkLength(endUs));
  facts.durationSeconds = static_cast<double>(endUs) / 1e6;
  return facts;
}

}  // namespace framewright
