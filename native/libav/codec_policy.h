#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "formats/supported_files.h"
#include "libav/av_handle.h"

// What may be opened at all. Everything outside these lists is refused before a parser or decoder sees it.
namespace framewright {

inline constexpr int kMaxVideoSide = 8192;
inline constexpr int64_t kMaxVideoPixels = 50'000'000;
inline constexpr int64_t kMaxVideoFrames = 10'000'000;
inline constexpr int kMinSampleRate = 1000;
inline constexpr int kMaxSampleRate = 384'000;
inline constexpr int kMaxChannels = 64;
inline constexpr unsigned kMaxStreams = 64;

// Our name of a demuxer on the list ("mp4", "webm" ...), or nullptr.
const char* containerName(const AVInputFormat& format);

bool isDecoderAllowed(AVCodecID codec);
// Names of all allowed decoders, as AVFormatContext::codec_whitelist wants them.
const char* decoderWhitelist();

// The decoder that a stream is opened with; null: none is allowed or there.
const AVCodec* findDecoder(const AVStream& stream);
// Opens the decoder for a stream. `threads` 0: one per core. `prepare` has the last word before it is opened,
// and gives libav's status. Fails with MEDIA_UNSUPPORTED naming the codec or the size, and what is allowed.
Result<CodecContextPtr> openDecoder(const AVStream& stream, int threads,
                                    const std::function<int(AVCodecContext&)>& prepare = {});

// For video: its size is within the limits.
Status checkVideoSize(int width, int height);
// What the container's header says of a stream is within the limits; facts that it does not tell (0) pass.
Status checkStreamHeader(const AVStream& stream);

}  // namespace framewright
