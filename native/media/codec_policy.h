#pragma once

#include <string>

#include "core/result.h"
#include "media/av_handle.h"

// What may be opened at all. Everything outside these lists is refused before a parser or decoder sees it.
namespace framewright {

inline constexpr int kMaxVideoSide = 8192;
inline constexpr int kMaxImageSide = 16384;
inline constexpr int64_t kMaxImagePixels = 50'000'000;

// Our name of a demuxer on the list ("mp4", "webm" ...), or nullptr.
const char* containerName(const AVInputFormat& format);
// "mp4/mov, matroska/webm, ..." for messages.
const char* allowedContainers();

bool isDecoderAllowed(AVCodecID codec);
// Names of all allowed decoders, as AVFormatContext::codec_whitelist wants them.
const char* decoderWhitelist();

// Opens the decoder for a stream. `threads` 0: one per core. Fails with MEDIA_UNSUPPORTED naming the codec
// or the size, and what is allowed.
Result<CodecContextPtr> openDecoderFor(const AVStream& stream, int threads);

// For video: its size is within the limits.
Status checkVideoSize(int width, int height);

}  // namespace framewright
