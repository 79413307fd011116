#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/result.h"
#include "libav/av_handle.h"

// The content light level of a PQ file (CTA-861.3), which is known only after the last frame. Encoder and
// muxer write a placeholder of the same size before it.
namespace framewright {

// cd/m²; never 0, which means unknown.
struct ContentLight {
  uint16_t max = 1;         // MaxCLL: the brightest sample
  uint16_t maxAverage = 1;  // MaxFALL: the average of the brightest frame
};

// "max,average", as a parameter of x265 and of SVT-AV1: the placeholder.
std::string contentLightPlaceholder();
// Adds the placeholder to a stream of a container. Fails with OUT_OF_MEMORY.
Status addContentLightPlaceholder(AVStream& stream);

// For segments, each of which has its own light in its packets until all are joined. Hides the placeholders
// in the headers of an encoder, which are the same in all segments, from writeSegmentLight().
void hideInHeaders(std::span<uint8_t> headers);
// Replaces the placeholders in the packets of a segment. Fails with IO_FAILED.
Status writeSegmentLight(const std::string& path, const ContentLight& light);
// Takes the light of its segment from a packet with a key frame of HEVC (with start codes) or AV1, and puts
// back the placeholder. Nullopt: it has none.
std::optional<ContentLight> takeContentLight(std::span<uint8_t> packet, AVCodecID codec);

// The packets of VP9 have no metadata: the placeholder is appended to a key frame of a segment, and removed
// when segments are joined. Fails with OUT_OF_MEMORY.
Status appendContentLight(AVPacket& packet);
// Nullopt, and the packet unchanged: none was appended.
std::optional<ContentLight> removeContentLight(AVPacket& packet);

// Replaces the placeholders of a complete MP4, MOV or WebM file with one video stream: in the box `clli` or
// the elements MaxCLL and MaxFALL, in the SEI messages of HEVC (of the sample description and of key frames)
// and in the metadata OBUs of AV1. Fails with IO_FAILED.
Status writeContentLight(const std::string& path, const ContentLight& light);

}  // namespace framewright
