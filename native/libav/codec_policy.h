#pragma once

#include <functional>
#include <string>

#include "core/result.h"
#include "formats/supported_files.h"
#include "libav/av_handle.h"

// Allow lists and limits. Files that break them are rejected before a parser or decoder reads them.
namespace framewright {

inline constexpr int kMaxVideoSide = 8192;
inline constexpr int64_t kMaxVideoPixels = 50'000'000;
inline constexpr int64_t kMaxVideoFrames = 10'000'000;
inline constexpr int kMinSampleRate = 1000;
inline constexpr int kMaxSampleRate = 384'000;
inline constexpr int kMaxChannels = 64;
inline constexpr unsigned kMaxStreams = 64;
inline constexpr int64_t kMaxImageFileBytes = 256 << 20;

// The public name of an allowed demuxer ("mp4", "matroska" ...); null: not allowed.
const char* containerName(const AVInputFormat& format);

bool isDecoderAllowed(AVCodecID codec);
// All allowed decoders, in the format of AVFormatContext::codec_whitelist.
const char* decoderWhitelist();

// Threads of a video decoder. Each buffers frames and competes with the encoder for CPU time. Up to 1080p a
// thread per two cores stays ahead of the encoder; larger videos need all cores.
int decoderThreads(const AVCodecParameters& video);

// The decoder that openDecoder() uses; null: the codec is not allowed or libav lacks it.
const AVCodec* findDecoder(const AVStream& stream);
// The decoder of libav that drives hardware, which for AV1 is another one than decodes in software; null: the
// codec is not allowed, its decoder drives none, or the stream has alpha.
const AVCodec* findHardwareDecoder(const AVStream& stream);
// Opens the decoder for a stream. `threads` 0: one per core. `prepare` runs just before avcodec_open2() and
// returns libav's status. Fails with MEDIA_UNSUPPORTED, naming what is allowed, or DECODE_FAILED.
Result<CodecContextPtr> openDecoder(const AVStream& stream, int threads,
                                    const std::function<int(AVCodecContext&)>& prepare = {});
// The same with a codec that findDecoder() or findHardwareDecoder() returned.
Result<CodecContextPtr> openDecoder(const AVCodec* codec, const AVStream& stream, int threads,
                                    const std::function<int(AVCodecContext&)>& prepare);

// Checks a frame size against the limits above.
Status checkVideoSize(int width, int height);
// Checks the container's stream header against the limits. Values of 0 (unknown) pass.
Status checkStreamHeader(const AVStream& stream);

}  // namespace framewright
