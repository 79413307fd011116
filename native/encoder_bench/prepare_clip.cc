#include "encoder_bench/prepare_clip.h"

#include <memory>

#include "core/cancel_token.h"
#include "libav/decode/video_decoder.h"
#include "libav/demux/probe.h"

namespace framewright {
namespace {

constexpr int64_t kMicroseconds = 1'000'000;

}  // namespace

Result<ClipFacts> readClip(const std::string& path) {
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mReader> reader, Y4mReader::open(path));
  return ClipFacts{reader->header(), reader->frames()};
}

Result<ClipFacts> prepareClip(const std::string& media, int64_t frames, const std::string& path) {
  FW_ASSIGN_OR_RETURN(const MediaMetadata facts, probe(media));
  if (facts.kind != MediaMetadata::Kind::kVideo || facts.frameRate.num <= 0)
    return Error{ErrorCode::MEDIA_UNSUPPORTED, "it has no moving picture", ""};
  const CancelToken never;
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<VideoDecoder> decoder, VideoDecoder::open(media, 0, never));
  FW_ASSIGN_OR_RETURN(const ImagePtr first, decoder->frameAt(0));
  if (first->format() != PixelFormat::kI420)
    return Error{ErrorCode::MEDIA_UNSUPPORTED, "films with transparency are not supported", ""};
  ClipFacts clip{{first->width(), first->height(), facts.frameRate}, 0};
  FW_ASSIGN_OR_RETURN(const std::unique_ptr<Y4mWriter> writer, Y4mWriter::open(path, clip.header));
  for (; frames <= 0 || clip.frames < frames; ++clip.frames) {
    const int64_t time = clip.frames * kMicroseconds * facts.frameRate.den / facts.frameRate.num;
    // A picture whose time is rounded up to the end is none.
    if (clip.frames > 0 && time + kFrameTimeSlackUs >= decoder->endUs()) break;
    FW_ASSIGN_OR_RETURN(const ImagePtr picture, decoder->frameAt(time));
    if (picture->width() != clip.header.width || picture->height() != clip.header.height)
      return Error{ErrorCode::MEDIA_UNSUPPORTED, "films that change their size are not supported", ""};
    FW_RETURN_IF_ERROR(writer->write(*picture));
  }
  FW_RETURN_IF_ERROR(writer->finish());
  return clip;
}

}  // namespace framewright
