#pragma once

#include <cstdint>
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

// Replaces the placeholders of a complete MP4 or MOV file with one video stream: in the box `clli`, in the
// SEI messages of HEVC (of the sample description and of key frames) and in the metadata OBUs of AV1. Fails
// with IO_FAILED.
Status writeContentLight(const std::string& path, const ContentLight& light);

}  // namespace framewright
