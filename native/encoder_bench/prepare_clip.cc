#include "encoder_bench/prepare_clip.h"

#include <memory>

#include "core/cancel_token.h"
#include "libav/decode/video_decoder.h"
#include "libav/demux/probe.h"

namespace framewright {
namespace {

constexpr int64_t kMicroseconds = 1'000'000;

}  // namespace

Result<ClipMetadata> readClip(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mReader> reader, Y4mReader::open(path));
  return ClipMetadata{reader->header(), reader->frames()};
}

Result<ClipMetadata> prepareClip(const std::string& media, int64_t frames, const std::string& path) {
  FW_ASSIGN_OR_RETURN(const MediaMetadata metadata, probe(media));
  if (metadata.kind != MediaMetadata::Kind::kVideo || metadata.frameRate.num <= 0)
    return Error{ErrorCode::MEDIA_UNSUPPORTED, "it has no video", ""};
  const CancelToken never;
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<VideoDecoder> decoder, VideoDecoder::open(media, 0, never));
  FW_ASSIGN_OR_RETURN(const ImagePtr first, decoder->frameAt(0));
  if (first->format() != PixelFormat::kI420)
    return Error{ErrorCode::MEDIA_UNSUPPORTED, "videos with transparency are not supported", ""};
  ClipMetadata clip{{first->width(), first->height(), metadata.frameRate}, 0};
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mWriter> writer, Y4mWriter::open(path, clip.header));
  for (; frames <= 0 || clip.frames < frames; ++clip.frames) {
    const int64_t time = clip.frames * kMicroseconds * metadata.frameRate.den / metadata.frameRate.num;
    // A frame whose time was rounded up to the end does not exist.
    if (clip.frames > 0 && time + kFrameTimeSlackUs >= decoder->endUs()) break;
    FW_ASSIGN_OR_RETURN(const ImagePtr frame, decoder->frameAt(time));
    if (frame->width() != clip.header.width || frame->height() != clip.header.height)
      return Error{ErrorCode::MEDIA_UNSUPPORTED, "videos that change their size are not supported", ""};
    FW_RETURN_IF_ERROR(writer->write(*frame));
  }
  FW_RETURN_IF_ERROR(writer->finish());
  return clip;
}

}  // namespace framewright
